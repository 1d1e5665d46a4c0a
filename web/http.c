// http.c - the server
// SPDX-License-Identifier: MIT
//
// libmicrohttpd has a thread for each connection, so one that waits or computes does not delay the
// others.

#include "web/http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "os/fd.h"
#include "os/socket.h"
#include "text/stream.h"
#include "web/allow.h"
#include "web/api.h"
#include "web/events.h"
#include "web/guard.h"
#include "web/mhd.h"
#include "web/page.h"
#include "web/view_private.h"
#include "web/clients.h"

#define REQUEST_S     10 // for a request to arrive
#define ANSWER_S      60 // for an answer to be taken
#define IDLE_S        20 // in which nothing is sent or taken
#define REQUEST_BYTES ((size_t)32 * 1024)
#define EVENT_BYTES   4096
#define FROM_ONE_HOST 48 // connections, where others than this machine may ask

struct http {
	struct view *view;
	const struct http_site *site;
	struct guard guard;
	struct clients clients;
	struct MHD_Daemon *daemon;
	char url[256];
	char cookie[32]; // its name
};

// ---- Answers --------------------------------------------------------------------------------

// On every answer. The page may load its own files and ask its own server, and nothing else.
static void
add_headers(struct MHD_Response *response)
{
	static const char *const headers[][2] = {
		{"Cache-Control", "no-store"},
		{"Content-Security-Policy",
		 "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: "
		 "blob:; "
		 "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
		{"X-Content-Type-Options", "nosniff"},
		{"X-Frame-Options", "DENY"},
		{"Referrer-Policy", "no-referrer"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
	};

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		(void)mhd.add_response_header(response, headers[i][0], headers[i][1]);
}

static void
add_headers_of(const struct http *http, const struct call *call, struct MHD_Response *response)
{
	char text[GUARD_TOKEN_MOST + 128];

	add_headers(response);
	(void)mhd.add_response_header(response, "Content-Type", call->type);
	if (call->status == MHD_HTTP_METHOD_NOT_ALLOWED)
		(void)mhd.add_response_header(response, "Allow", "GET, HEAD");
	if (call->file_name != NULL && call->status == MHD_HTTP_OK) {
		(void)snprintf(text, sizeof(text), "attachment; filename=\"%s\"", call->file_name);
		(void)mhd.add_response_header(response, "Content-Disposition", text);
	}
	if (call->status == MHD_HTTP_UNAUTHORIZED)
		(void)mhd.add_response_header(response, "WWW-Authenticate",
					      "Bearer realm=\"pmon\"");
	// So that the page's own files and questions need no token in their addresses.
	if (http->site == NULL && http->guard.token[0] != '\0' && call->status == MHD_HTTP_OK) {
		(void)snprintf(text, sizeof(text), "%s=%s; Path=/; HttpOnly; SameSite=Strict",
			       http->cookie, http->guard.token);
		(void)mhd.add_response_header(response, "Set-Cookie", text);
	}
}

static ssize_t
read_events(void *events, uint64_t pos, char *buf, size_t size)
{
	size_t n = events_read(events, buf, size);

	(void)pos;
	return n > 0 ? (ssize_t)n : (ssize_t)MHD_CONTENT_READER_END_OF_STREAM;
}

static void
close_events(void *events)
{
	events_close(events);
}

// The body of an error in place of what was written.
static bool
write_error(struct call *call, char **text, size_t *len)
{
	struct json json = {.stream = open_memstream(text, len)};

	if (json.stream == NULL)
		return false;
	json_open(&json, '{');
	json_key(&json, "error"), json_str(&json, call->error);
	json_key(&json, "parameter"), json_str(&json, call->error_param);
	json_close(&json, '}');
	call->type = "application/json";
	return text_stream_close(json.stream, text);
}

// A file or a stream that no response has taken over.
static void
drop_body(struct call *call)
{
	if (call->fd >= 0)
		pmon_fd_close(call->fd);
	call->fd = -1;
	events_close(call->events);
	call->events = NULL;
}

static struct MHD_Response *
response_of(struct call *call, char *text, size_t len)
{
	struct MHD_Response *response;
	int64_t size;

	if (call->status != MHD_HTTP_OK && call->body == NULL) {
		drop_body(call);
		free(text);
		text = NULL;
		if (!write_error(call, &text, &len))
			return NULL;
	} else if (call->body != NULL) {
		free(text);
		return mhd.create_response_from_buffer(
			call->body_len, (void *)(uintptr_t)call->body, MHD_RESPMEM_PERSISTENT);
	} else if (call->fd >= 0) {
		free(text);
		size = pmon_fd_size(call->fd);
		return size < 0 ? NULL : mhd.create_response_from_fd64((uint64_t)size, call->fd);
	} else if (call->events != NULL) {
		free(text);
		return mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, EVENT_BYTES, read_events,
							 call->events, close_events);
	}
	response = mhd.create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
	if (response == NULL)
		free(text);
	return response;
}

static enum MHD_Result
send_answer(const struct http *http, struct MHD_Connection *connection, struct call *call,
	    char *text, size_t len)
{
	struct MHD_Response *response = response_of(call, text, len);
	enum MHD_Result result;

	if (response == NULL) {
		drop_body(call);
		return MHD_NO;
	}
	add_headers_of(http, call, response);
	result = mhd.queue_response(connection, call->status, response);
	mhd.destroy_response(response);
	return result;
}

// ---- Parameters -----------------------------------------------------------------------------

static enum MHD_Result
take_param(void *ctx, enum MHD_ValueKind kind, const char *name, size_t name_len, const char *value,
	   size_t len)
{
	struct call *call = ctx;

	(void)kind;
	if (strlen(name) != name_len || call_param(call, name).ptr != NULL ||
	    call->n_params == CALL_PARAMS)
		call_fail(call, MHD_HTTP_BAD_REQUEST, NULL,
			  "a parameter is given twice, or no name");
	else if (len > CALL_IDS * 11)
		call_fail(call, MHD_HTTP_URI_TOO_LONG, NULL, "a parameter is too long");
	else
		call->params[call->n_params++] =
			(struct call_param){name, value != NULL ? value : "", len};
	return call->status == MHD_HTTP_OK ? MHD_YES : MHD_NO;
}

static bool
is_known(const struct api_route *route, const char *name)
{
	if (strcmp(name, "token") == 0)
		return true;
	for (size_t i = 0; route != NULL && route->params[i] != NULL; i++)
		if (strcmp(route->params[i], name) == 0)
			return true;
	return false;
}

static bool
check_params(struct call *call, const struct api_route *route)
{
	for (size_t i = 0; i < call->n_params; i++) {
		if (is_known(route, call->params[i].name))
			continue;
		call_fail(call, MHD_HTTP_BAD_REQUEST, call->params[i].name,
			  "there is no such parameter here");
		return false;
	}
	return true;
}

// ---- One request ----------------------------------------------------------------------------

static void
answer_page(struct call *call)
{
	const struct api_route *route = api_find(call->path);
	const struct page_file *file = page_find(call->path);

	if (route == NULL && file == NULL)
		call_fail(call, MHD_HTTP_NOT_FOUND, NULL, "not found");
	else if (!check_params(call, route))
		return;
	else if (route != NULL)
		route->answer(call);
	else
		page_answer(call, file);
}

static void
answer(const struct http *http, struct call *call)
{
	if (http->site != NULL)
		http->site->answer(call);
	else
		answer_page(call);
}

static struct client *
client_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info != NULL ? info->socket_context : NULL;
}

// All of one request: who asks, for what, and the answer.
static enum MHD_Result
handle_request(struct http *http, struct MHD_Connection *connection, struct client *client,
	       const char *url, const char *method)
{
	struct call call = {.view = http->view,
			    .site = http->site != NULL ? http->site->ctx : NULL,
			    .path = url,
			    .accept = allow_header(connection, MHD_HTTP_HEADER_ACCEPT),
			    .status = MHD_HTTP_OK,
			    .type = "application/json",
			    .fd = -1};
	struct allow allow = {.guard = &http->guard,
			      .cookie = http->site == NULL ? http->cookie : NULL,
			      .open = http->site != NULL ? http->site->open : NULL};
	char *text = NULL;
	size_t len = 0;

	call.json.stream = open_memstream(&text, &len);
	if (call.json.stream == NULL)
		return MHD_NO;
	clients_allow(&http->clients, client, 0);
	(void)mhd.get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, take_param, &call);
	if (call.status == MHD_HTTP_OK && allow_request(&allow, connection, method, &call))
		answer(http, &call);
	if (!text_stream_close(call.json.stream, &text))
		call_no_memory(&call);
	if (call.status != MHD_HTTP_OK || call.events == NULL)
		clients_allow(&http->clients, client, ANSWER_S);
	return send_answer(http, connection, &call, text, len);
}

// An answer at the first call ends the connection, which is good for requests with a body alone: there
// is nothing to be read of it.
static enum MHD_Result
handle(void *ctx, struct MHD_Connection *connection, const char *url, const char *method,
       const char *version, const char *upload, size_t *upload_size, void **request)
{
	struct client *client = client_of(connection);

	(void)version, (void)upload, (void)upload_size;
	if (client == NULL)
		return MHD_NO; // too many
	if (*request == NULL && !allow_has_body(connection)) {
		*request = client;
		return MHD_YES;
	}
	return handle_request(ctx, connection, client, url, method);
}

// ---- Connections ----------------------------------------------------------------------------

static void
note_connection(void *ctx, struct MHD_Connection *connection, void **socket_context,
		enum MHD_ConnectionNotificationCode code)
{
	struct http *http = ctx;
	const union MHD_ConnectionInfo *info;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		info = mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
		*socket_context = clients_add(&http->clients, info->connect_fd);
		if (*socket_context != NULL)
			clients_await(&http->clients, *socket_context, REQUEST_S);
	} else if (*socket_context != NULL) {
		clients_remove(&http->clients, *socket_context);
	}
}

// An answer went out: the next request may come.
static void
note_end(void *ctx, struct MHD_Connection *connection, void **request,
	 enum MHD_RequestTerminationCode code)
{
	struct http *http = ctx;
	struct client *client = client_of(connection);

	(void)request, (void)code;
	if (client != NULL)
		clients_await(&http->clients, client, REQUEST_S);
}

// ---- Opening --------------------------------------------------------------------------------

// libmicrohttpd would write to standard error.
static void
say_nothing(void *ctx, const char *fmt, va_list args)
{
	(void)ctx, (void)fmt, (void)args;
}

// %00 would end a text before its end: it becomes a character that is in no name.
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

static bool
start(struct http *http, uint16_t port)
{
	unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
			 MHD_USE_POLL | MHD_USE_ERROR_LOG;
	unsigned from_one = http->guard.loopback ? 0 : FROM_ONE_HOST;
	// Which port it is must be known before the first request is.
	int fd = pmon_socket_listen(http->guard.address, port, CLIENTS, &http->guard.port);

	if (fd < 0)
		return false;
	http->daemon = mhd.start_daemon(
		flags, port, NULL, NULL, handle, http, MHD_OPTION_EXTERNAL_LOGGER, say_nothing,
		NULL, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CLIENTS,
		MHD_OPTION_PER_IP_CONNECTION_LIMIT, from_one, MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, REQUEST_BYTES,
		MHD_OPTION_NOTIFY_CONNECTION, note_connection, http, MHD_OPTION_NOTIFY_COMPLETED,
		note_end, http, MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_END);
	if (http->daemon == NULL)
		pmon_fd_close(fd); // which the library has closed in some cases
	return http->daemon != NULL;
}

// The server's library cannot go on, as when it cannot wake its own threads. By itself it would call abort().
static void
end_program(void *ctx, const char *file, unsigned int line, const char *reason)
{
	(void)ctx, (void)file, (void)line;
	(void)fprintf(stderr, "pmon: the web server cannot go on: %.*s\n",
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

// EAGAIN is of threads alone.
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
take_token(struct http *http, const struct http_options *options, struct pmon_err *err)
{
	if (options->token != NULL)
		return guard_set_token(&http->guard, options->token)
			       ? PMON_OK
			       : pmon_err_set(
					 err, PMON_E_ARG, 0,
					 "a token has 16 to %d letters, digits and - . _ ~ + / =; "
					 "openssl rand -hex 16 makes one",
					 GUARD_TOKEN_MOST);
	// Any user of this machine can connect, and a page shows all of a log. Metrics are for programs.
	if ((http->site == NULL || !http->guard.loopback) && !guard_make_token(&http->guard))
		return pmon_err_sys(err, PMON_E_IO, errno, "the system provides no random numbers");
	return PMON_OK;
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
	http->view = view;
	http->site = options->site;
	if (options->name != NULL && !guard_is_name(options->name)) {
		free(http);
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "--host-name takes a name such as server.example.com, not "
				    "\"%s\"",
				    options->name);
	}
	if (!guard_address(&http->guard, options->listen)) {
		free(http);
		return pmon_err_set(
			err, PMON_E_ARG, 0,
			"\"%s\" is not an IP address such as 192.0.2.7 or ::", options->listen);
	}
	if (!http->guard.loopback && !options->insecure) {
		free(http);
		return pmon_err_set(
			err, PMON_E_ARG, 0,
			"%s is reachable from other machines, and the token would travel "
			"unencrypted: forward a port by ssh, or allow it with --insecure",
			options->listen);
	}
	http->guard.name = options->name;
	status = take_token(http, options, err);
	if (status != PMON_OK) {
		free(http);
		return status;
	}
	if (!clients_open(&http->clients)) {
		free(http);
		return no_thread(err);
	}
	// Servers of one machine share their cookies, whatever their ports.
	(void)snprintf(http->cookie, sizeof(http->cookie), "pmon-%.8s", http->guard.token);
	if (!start(http, options->port)) {
		status = no_server(http, options->port, err);
		clients_close(&http->clients);
		free(http);
		return status;
	}
	(void)guard_url(&http->guard, 0, site_path(http), http->url, sizeof(http->url));
	*out = http;
	return PMON_OK;
}

const char *
http_url(const struct http *http)
{
	return http->url;
}

bool
http_url_at(const struct http *http, size_t i, char *buf, size_t size)
{
	return guard_url(&http->guard, i + 1, site_path(http), buf, size);
}

void
http_close(struct http *http)
{
	if (http == NULL)
		return;
	mhd.stop_daemon(http->daemon);
	clients_close(&http->clients);
	free(http);
}
