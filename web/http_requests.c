// http_requests.c - handle one request: access, parameters and response
// SPDX-License-Identifier: MIT

#include "web/http_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "os/fd.h"
#include "os/pack.h"
#include "shell/output/stream.h"
#include "web/allow.h"
#include "web/api.h"
#include "web/events.h"
#include "web/http.h"
#include "web/mhd.h"
#include "web/page.h"
#include "web/view_private.h"

#define ANSWER_S    60 // for a client to read an answer
#define EVENT_BYTES 4096
#define ENTER_PATH  "/api/enter"
#define UPLOAD_S    30 // for each UPLOAD_PIECE of a log to arrive

// ---- Answers --------------------------------------------------------------------------------

// Sent with every response. The page may load only its own files and contact only its own server.
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
add_headers_of(const struct call *call, struct MHD_Response *response)
{
	char text[256];

	add_headers(response);
	(void)mhd.add_response_header(response, "Content-Type", call->type);
	if (call->status == MHD_HTTP_METHOD_NOT_ALLOWED)
		(void)mhd.add_response_header(response, "Allow",
					      strcmp(call->path, ENTER_PATH) == 0 ? "POST"
										  : "GET, HEAD");
	if (call->may_pack)
		(void)mhd.add_response_header(response, "Vary", "Accept-Encoding");
	if (call->is_packed)
		(void)mhd.add_response_header(response, "Content-Encoding", "gzip");
	if (call->file_name != NULL && call->status == MHD_HTTP_OK) {
		(void)snprintf(text, sizeof(text), "attachment; filename=\"%s\"", call->file_name);
		(void)mhd.add_response_header(response, "Content-Disposition", text);
	}
	if (call->status == MHD_HTTP_UNAUTHORIZED)
		(void)mhd.add_response_header(response, "WWW-Authenticate",
					      "Bearer realm=\"pmon\"");
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

// Replace the output by an error body.
static bool
write_error(struct call *call, char **text, size_t *len)
{
	struct json json = {.stream = text_stream_open(text, len)};

	if (json.stream == NULL)
		return false;
	call_put_error(call, &json);
	call->type = "application/json";
	return text_stream_close(json.stream, text);
}

// Release a file or stream that no response owns.
static void
drop_body(struct call *call)
{
	if (call->fd >= 0)
		pmon_fd_close(call->fd);
	call->fd = -1;
	events_close(call->events);
	call->events = NULL;
}

// Compress an answer, unless that is not shorter, or memory is short.
static void
pack_text(struct call *call, char **text, size_t *len)
{
	size_t room = pmon_gzip_bound(*len);
	char *packed = room > 0 ? malloc(room) : NULL;
	size_t n = packed != NULL ? pmon_gzip(*text, *len, packed, room) : 0;

	if (n == 0 || n >= *len) {
		free(packed);
		return;
	}
	free(*text);
	*text = packed;
	*len = n;
	call->is_packed = true;
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
	if (call->may_pack && call->takes_gzip && call->status == MHD_HTTP_OK)
		pack_text(call, &text, &len);
	response = mhd.create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
	if (response == NULL)
		free(text);
	return response;
}

static enum MHD_Result
send_answer(struct MHD_Connection *connection, struct call *call, char *text, size_t len)
{
	struct MHD_Response *response = response_of(call, text, len);
	enum MHD_Result result;

	if (response == NULL) {
		drop_body(call);
		return MHD_NO;
	}
	add_headers_of(call, response);
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
			  "a parameter is duplicate or has no name");
	else if (len > CALL_IDS * 11)
		call_fail(call, MHD_HTTP_URI_TOO_LONG, NULL, "a parameter is too long");
	else
		call->params[call->n_params++] =
			(struct call_param){name, value != NULL ? value : "", len};
	return call->status == MHD_HTTP_OK ? MHD_YES : MHD_NO;
}

static bool
is_known(const struct api_route *route, const char *path, const char *name)
{
	if ((strcmp(path, "/") == 0 && strcmp(name, "key") == 0) ||
	    (strcmp(path, UPLOAD_PATH) == 0 && strcmp(name, "name") == 0))
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
		if (is_known(route, call->path, call->params[i].name))
			continue;
		call_fail(call, MHD_HTTP_BAD_REQUEST, call->params[i].name, "unknown parameter");
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

static bool
is_change(const struct http *http, const char *path, const char *method)
{
	return http->site == NULL && allow_is_change(UPLOAD_PATH, path, method);
}

static bool
is_upload(const struct http *http, const char *path, const char *method)
{
	return is_change(http, path, method) && strcmp(method, MHD_HTTP_METHOD_POST) == 0;
}

static void
remove_log(struct call *call)
{
	struct pmon_err err;

	if (!check_params(call, NULL))
		return;
	if (view_remove_log(call->view, &err) != PMON_OK || !api_put_log(&call->json, call->view))
		call_no_memory(call);
}

// Exchange the key in the URL, which works once, for the secret that all other requests need.
static void
enter(struct http *http, struct MHD_Connection *connection, struct call *call)
{
	if (!check_params(call, NULL))
		return;
	if (!key_use(&http->key, allow_bearer(connection))) {
		call_fail(call, MHD_HTTP_FORBIDDEN, NULL,
			  "the key is invalid: each key opens one browser, and only the newest is "
			  "valid; press Enter in the terminal of pmon view to get another address");
		return;
	}
	json_open(&call->json, '{');
	json_key(&call->json, "secret"), json_str(&call->json, http->guard.secret);
	json_close(&call->json, '}');
}

static void
answer(struct http *http, struct MHD_Connection *connection, const char *method, struct call *call)
{
	if (http->site != NULL)
		http->site->answer(call);
	else if (strcmp(call->path, ENTER_PATH) == 0)
		enter(http, connection, call);
	else if (is_change(http, call->path, method))
		remove_log(call);
	else
		answer_page(call);
	call_end(call);
}

struct client *
http_client(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info != NULL ? info->socket_context : NULL;
}

struct request {
	struct call call;
	char *text; // the answer
	size_t len;
};

// Parse the request's parameters and check access. False if memory runs out; otherwise the call may
// have failed.
static bool
open_request(const struct http *http, struct MHD_Connection *connection, const char *url,
	     const char *method, struct request *r)
{
	const struct allow allow = {.guard = &http->guard,
				    .has_page = http->site == NULL,
				    .open = http->site != NULL ? http->site->open : NULL,
				    .enter = http->site == NULL ? ENTER_PATH : NULL,
				    .changes = http->site == NULL ? UPLOAD_PATH : NULL};

	*r = (struct request){
		.call = {.view = http->view,
			 .site = http->site != NULL ? http->site->ctx : NULL,
			 .path = url,
			 .accept = allow_header(connection, MHD_HTTP_HEADER_ACCEPT),
			 .takes_gzip = call_takes_gzip(
				 allow_header(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING)),
			 .status = MHD_HTTP_OK,
			 .type = "application/json",
			 .fd = -1},
	};
	r->call.json.stream = text_stream_open(&r->text, &r->len);
	if (r->call.json.stream == NULL)
		return false;
	(void)mhd.get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, take_param, &r->call);
	if (r->call.status == MHD_HTTP_OK)
		(void)allow_request(&allow, connection, method, &r->call);
	return true;
}

static enum MHD_Result
close_request(struct http *http, struct MHD_Connection *connection, struct client *client,
	      struct request *r)
{
	if (!text_stream_close(r->call.json.stream, &r->text))
		call_no_memory(&r->call);
	if (r->call.status != MHD_HTTP_OK || r->call.events == NULL)
		clients_allow(&http->clients, client, ANSWER_S);
	return send_answer(connection, &r->call, r->text, r->len);
}

// Handle a whole request: access, endpoint and answer.
static enum MHD_Result
handle_request(struct http *http, struct MHD_Connection *connection, struct client *client,
	       const char *url, const char *method)
{
	struct request r;

	clients_allow(&http->clients, client, 0);
	if (!open_request(http, connection, url, method, &r))
		return MHD_NO;
	if (r.call.status == MHD_HTTP_OK)
		answer(http, connection, method, &r.call);
	return close_request(http, connection, client, &r);
}

// Is the log accepted? *request becomes the upload, or the client if its log is discarded because
// another upload is running. Clients without permission are answered at once.
static enum MHD_Result
begin_upload(struct http *http, struct MHD_Connection *connection, struct client *client,
	     const char *url, void **request)
{
	struct request r;

	if (!open_request(http, connection, url, MHD_HTTP_METHOD_POST, &r))
		return MHD_NO;
	if (r.call.status != MHD_HTTP_OK || !check_params(&r.call, NULL) ||
	    !upload_check(&r.call, allow_header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH)))
		return close_request(http, connection, client, &r);
	*request = upload_begin(&http->upload, &r.call) ? (void *)&http->upload : client;
	(void)fclose(r.call.json.stream);
	free(r.text);
	clients_allow(&http->clients, client, UPLOAD_S);
	return MHD_YES;
}

static enum MHD_Result
end_upload(struct http *http, struct MHD_Connection *connection, struct client *client,
	   const char *url, void **request)
{
	bool is_kept = *request == &http->upload;
	struct request r;

	*request = client;
	clients_allow(&http->clients, client, 0);
	if (!open_request(http, connection, url, MHD_HTTP_METHOD_POST, &r)) {
		if (is_kept)
			upload_drop(&http->upload);
		return MHD_NO;
	}
	if (is_kept)
		upload_end(&http->upload, &r.call);
	else
		call_fail(&r.call, MHD_HTTP_CONFLICT, NULL,
			  "another log is being uploaded; try again when it is open");
	return close_request(http, connection, client, &r);
}

static enum MHD_Result
handle_upload(struct http *http, struct MHD_Connection *connection, const char *url,
	      const char *bytes, size_t *n, void **request)
{
	struct client *client = http_client(connection);

	if (*request == NULL)
		return begin_upload(http, connection, client, url, request);
	if (*n == 0)
		return end_upload(http, connection, client, url, request);
	if (*request == &http->upload && upload_add(&http->upload, bytes, *n))
		clients_allow(&http->clients, client, UPLOAD_S);
	*n = 0;
	return MHD_YES;
}

// Answering in the first call closes the connection. That is right for requests whose body is not
// accepted: it need not be read.
enum MHD_Result
http_handle(void *ctx, struct MHD_Connection *connection, const char *url, const char *method,
	    const char *version, const char *upload, size_t *upload_size, void **request)
{
	struct http *http = ctx;
	struct client *client = http_client(connection);

	(void)version;
	if (client == NULL)
		return MHD_NO; // too many connections
	if (is_upload(http, url, method))
		return handle_upload(http, connection, url, upload, upload_size, request);
	if (*request == NULL && !allow_has_body(connection)) {
		*request = client;
		return MHD_YES;
	}
	return handle_request(http, connection, client, url, method);
}
