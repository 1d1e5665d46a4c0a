// http.c - the HTTP server
// SPDX-License-Identifier: MIT
//
// libmicrohttpd uses a thread per connection, so one that waits or computes does not delay the
// others.

#include "web/http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "os/socket.h"
#include "web/http_private.h"
#include "web/tls.h"
#include "web/view_private.h"

#define REQUEST_S     10 // for a request to arrive
#define IDLE_S        20 // without sending or receiving anything
#define REQUEST_BYTES ((size_t)32 * 1024)
#define FROM_ONE_HOST 48 // connections, if other machines can connect

// ---- Connections ----------------------------------------------------------------------------

// Returns false if a certificate cannot be required; then the connection gets no answer.
static bool
demand_certificate(const struct http *http, struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info;

	if (http->tls == NULL || http->tls->client_ca.text == NULL)
		return true;
	info = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
	if (info == NULL || info->tls_session == NULL)
		return false;
	tls_demand_client(info->tls_session);
	return true;
}

static void
note_connection(void *ctx, struct MHD_Connection *connection, void **socket_context,
		enum MHD_ConnectionNotificationCode code)
{
	struct http *http = ctx;
	const union MHD_ConnectionInfo *info;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		info = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
		if (demand_certificate(http, connection))
			*socket_context = clients_add(&http->clients, (int)info->connect_fd);
		if (*socket_context != NULL)
			clients_await(&http->clients, *socket_context, REQUEST_S);
	} else if (*socket_context != NULL) {
		clients_remove(&http->clients, *socket_context);
	}
}

// An answer was sent, so the next request may arrive.
static void
note_end(void *ctx, struct MHD_Connection *connection, void **request,
	 enum MHD_RequestTerminationCode code)
{
	struct http *http = ctx;
	struct client *client = http_client(connection);

	(void)code;
	if (*request == &http->upload)
		upload_drop(&http->upload); // the connection broke
	if (client != NULL)
		clients_await(&http->clients, client, REQUEST_S);
}

// ---- Opening --------------------------------------------------------------------------------

// Suppresses the messages that libmicrohttpd would write to standard error.
static void
say_nothing(void *ctx, const char *fmt, va_list args)
{
	(void)ctx, (void)fmt, (void)args;
}

// %00 would end a string early, so it becomes a character that occurs in no name.
static size_t
unescape(void *ctx, struct MHD_Connection *connection, char *text)
{
	size_t len = mhd.http_unescape(text);

	(void)ctx, (void)connection;
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\0')
			text[i] = '\1';
	return len;
}

static unsigned
put_tls(const struct tls *tls, struct MHD_OptionItem options[5])
{
	const struct MHD_OptionItem all[] = {
		{MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)tls->cert.text},
		{MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)tls->key.text},
		{MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)TLS_PRIORITIES},
		{tls->client_ca.text != NULL ? MHD_OPTION_HTTPS_MEM_TRUST : MHD_OPTION_END, 0,
		 (void *)(uintptr_t)tls->client_ca.text},
		{MHD_OPTION_END, 0, NULL},
	};

	memcpy(options, all, sizeof(all));
	return MHD_USE_TLS;
}

static bool
start(struct http *http, uint16_t port)
{
	unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
			 MHD_USE_POLL | MHD_USE_ERROR_LOG;
	unsigned from_one = http->guard.loopback ? 0 : FROM_ONE_HOST;
	struct MHD_OptionItem tls[5] = {{MHD_OPTION_END, 0, NULL}};
	// The port number must be known before the first request arrives.
	int fd = pmon_socket_listen(http->guard.address, port, CLIENTS, &http->guard.port);

	if (fd < 0)
		return false;
	if (http->tls != NULL)
		flags |= put_tls(http->tls, tls);
	http->daemon = mhd.start_daemon(
		flags, port, NULL, NULL, http_handle, http, MHD_OPTION_EXTERNAL_LOGGER, say_nothing,
		NULL, MHD_OPTION_LISTEN_SOCKET, (MHD_socket)fd, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)CLIENTS, MHD_OPTION_PER_IP_CONNECTION_LIMIT, from_one,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		REQUEST_BYTES, MHD_OPTION_NOTIFY_CONNECTION, note_connection, http,
		MHD_OPTION_NOTIFY_COMPLETED, note_end, http, MHD_OPTION_UNESCAPE_CALLBACK, unescape,
		NULL, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
	if (http->daemon == NULL) {
		int why = errno;

		pmon_socket_close(fd); // in some cases the library has already closed it
		errno = why;
	}
	return http->daemon != NULL;
}

// libmicrohttpd cannot continue, for instance because it cannot wake its own threads. By default it
// would call abort().
static void
end_program(void *ctx, const char *file, unsigned int line, const char *reason)
{
	(void)ctx, (void)file, (void)line;
	(void)fprintf(stderr, "pmon: the web server cannot continue: %.*s\n",
		      reason != NULL ? (int)strcspn(reason, "\n") : 0,
		      reason != NULL ? reason : "");
	_exit(EXIT_FAILURE);
}

static const char *
site_path(const struct http *http)
{
	return http->site != NULL ? http->site->path : "";
}

static enum pmon_status
no_thread(struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_NOMEM, 0,
			    "cannot start a thread: not enough memory, or too many threads");
}

// EAGAIN only comes from creating threads.
static enum pmon_status
no_server(const struct http *http, uint16_t port, struct pmon_err *err)
{
	return errno == EAGAIN ? no_thread(err)
			       : pmon_err_sys(err, PMON_E_IO, errno, "cannot listen on %s port %u",
					      http->guard.address, (unsigned)port);
}

struct mhd_calls mhd;

enum pmon_status
http_load(struct pmon_err *err)
{
	return PMON_OS_LOAD(PMON_LIBRARY_WEB, MHD_CALLS, &mhd, err);
}

static enum pmon_status
check_tls(const struct tls *tls, struct pmon_err *err)
{
	if (mhd.is_feature_supported(MHD_FEATURE_TLS) != MHD_YES)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "this libmicrohttpd was built without TLS");
	return tls_check(tls, err);
}

// Generate what is required if the user set no token: any user of this machine can connect, and the
// page shows the whole log. Metrics are only for programs.
static bool
make_secrets(struct http *http, const struct http_options *options)
{
	bool has_certificates = options->tls != NULL && options->tls->client_ca.text != NULL;

	if (http->site == NULL)
		return guard_make_secret(&http->guard) && key_make(&http->key);
	if (options->token != NULL || has_certificates || http->guard.loopback)
		return true;
	return guard_make_token(&http->guard);
}

static enum pmon_status
take_token(struct http *http, const struct http_options *options, struct pmon_err *err)
{
	if (options->token != NULL && !guard_set_token(&http->guard, options->token))
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "a token must have 16 to %d characters: letters, digits and - "
				    ". _ ~ + / =; create one with openssl rand -hex 16",
				    GUARD_TOKEN_MOST);
	if (!make_secrets(http, options))
		return pmon_err_sys(err, PMON_E_IO, errno, "the system provides no random numbers");
	return PMON_OK;
}

static enum pmon_status
check_options(const struct http_options *options, struct guard *guard, struct pmon_err *err)
{
	if (options->name != NULL && !guard_is_name(options->name))
		return pmon_err_set(
			err, PMON_E_ARG, 0,
			"--host-name must be a name such as server.example.com, not \"%s\"",
			options->name);
	if (!guard_address(guard, options->listen))
		return pmon_err_set(
			err, PMON_E_ARG, 0,
			"\"%s\" is not an IP address such as 192.0.2.7 or ::", options->listen);
	if (!guard->loopback && !options->insecure && options->tls == NULL)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "%s is reachable from other machines, so secrets would be sent "
				    "unencrypted: use --tls-cert, or allow this with --insecure",
				    options->listen);
	guard->name = options->name;
	guard->https = options->tls != NULL;
	return options->tls != NULL ? check_tls(options->tls, err) : PMON_OK;
}

static void
drop(struct http *http)
{
	key_free(&http->key);
	free(http);
}

enum pmon_status
http_open(struct view *view, const struct http_options *options, struct http **out,
	  struct pmon_err *err)
{
	struct http *http = calloc(1, sizeof(*http));
	enum pmon_status status;

	*out = NULL;
	if (http == NULL)
		return pmon_err_nomem(err);
	status = http_load(err);
	if (status != PMON_OK) {
		free(http);
		return status;
	}
	mhd.set_panic_func(end_program, NULL);
	key_init(&http->key);
	http->view = view;
	http->site = options->site;
	http->tls = options->tls;
	status = check_options(options, &http->guard, err);
	if (status == PMON_OK)
		status = take_token(http, options, err);
	if (status == PMON_OK && !clients_open(&http->clients))
		status = no_thread(err);
	if (status != PMON_OK) {
		drop(http);
		return status;
	}
	upload_init(&http->upload);
	if (view != NULL && !http->guard.loopback)
		view->opener.most_bytes = 0; // otherwise others could fill the disk
	if (!start(http, options->port)) {
		status = no_server(http, options->port, err);
		upload_free(&http->upload);
		clients_close(&http->clients);
		drop(http);
		return status;
	}
	*out = http;
	return PMON_OK;
}

bool
http_url(struct http *http, size_t i, char *buf, size_t size)
{
	char key[GUARD_TOKEN + 1];

	key_get(&http->key, key);
	return guard_url(&http->guard, i, site_path(http), key, buf, size);
}

bool
http_renew_key(struct http *http)
{
	return key_make(&http->key);
}

void
http_close(struct http *http)
{
	if (http == NULL)
		return;
	mhd.stop_daemon(http->daemon);
	upload_free(&http->upload);
	clients_close(&http->clients);
	drop(http);
}
