// allow.c - which requests may be answered
// SPDX-License-Identifier: MIT

#include "web/allow.h"

#include <string.h>
#include <strings.h>

#include "web/call.h"
#include "web/guard.h"
#include "web/page.h"

const char *
allow_header(struct MHD_Connection *connection, const char *name)
{
	return mhd.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// In the address, after "Authorization: Bearer", or in the cookie of the page.
static bool
has_token(const struct allow *allow, struct MHD_Connection *connection, const struct call *call)
{
	static const char bearer[] = "Bearer ";
	struct pmon_span given = call_param(call, "token");
	const char *credentials = allow_header(connection, MHD_HTTP_HEADER_AUTHORIZATION);
	const char *cookie = NULL;

	if (given.ptr != NULL)
		return given.len == strlen(given.ptr) && guard_token(allow->guard, given.ptr);
	if (credentials != NULL && strncasecmp(credentials, bearer, sizeof(bearer) - 1) == 0) {
		credentials += sizeof(bearer) - 1;
		return guard_token(allow->guard, credentials + strspn(credentials, " "));
	}
	if (allow->cookie != NULL)
		cookie = mhd.lookup_connection_value(connection, MHD_COOKIE_KIND, allow->cookie);
	return guard_token(allow->guard, cookie);
}

static bool
is_open(const struct allow *allow, const struct call *call)
{
	return allow->open != NULL && strcmp(call->path, allow->open) == 0;
}

bool
allow_has_body(struct MHD_Connection *connection)
{
	const char *length = allow_header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);

	return allow_header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL ||
	       (length != NULL && strcmp(length, "0") != 0);
}

// What one server takes for the request, a proxy before it may take for another one.
static enum MHD_Result
count_header(void *ctx, enum MHD_ValueKind kind, const char *name, const char *value)
{
	unsigned *n = ctx;

	(void)kind, (void)value;
	n[0] += strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0;
	n[1] += strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0;
	return MHD_YES;
}

static bool
repeats_header(struct MHD_Connection *connection)
{
	unsigned n[2] = {0, 0};

	(void)mhd.get_connection_values(connection, MHD_HEADER_KIND, count_header, n);
	return n[0] > 1 || n[1] > 1;
}

// People get a page in place of JSON.
static void
refuse_token(const struct allow *allow, struct call *call)
{
	if (allow->cookie == NULL) {
		call_fail(call, MHD_HTTP_UNAUTHORIZED, NULL,
			  "the token is missing or wrong; send it as Authorization: Bearer TOKEN");
		return;
	}
	call_fail(call, MHD_HTTP_FORBIDDEN, NULL,
		  "the token is missing or wrong; it is in the address that pmon view printed");
	if (strcmp(call->path, "/") == 0 && call->accept != NULL &&
	    strstr(call->accept, "text/html") != NULL)
		page_answer(call, page_find("/no-token.html"));
}

bool
allow_is_change(const char *changes, const char *path, const char *method)
{
	return changes != NULL && strcmp(path, changes) == 0 &&
	       (strcmp(method, MHD_HTTP_METHOD_POST) == 0 ||
		strcmp(method, MHD_HTTP_METHOD_DELETE) == 0);
}

bool
allow_request(const struct allow *allow, struct MHD_Connection *connection, const char *method,
	      struct call *call)
{
	const char *host = allow_header(connection, MHD_HTTP_HEADER_HOST);
	const char *origin = allow_header(connection, MHD_HTTP_HEADER_ORIGIN);
	bool changes = allow_is_change(allow->changes, call->path, method);
	bool is_delete = strcmp(method, MHD_HTTP_METHOD_DELETE) == 0;

	if (repeats_header(connection))
		call_fail(call, MHD_HTTP_BAD_REQUEST, NULL,
			  "Host or Content-Length is given twice");
	else if (!changes && strcmp(method, MHD_HTTP_METHOD_GET) != 0 &&
		 strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		call_fail(call, MHD_HTTP_METHOD_NOT_ALLOWED, NULL, "GET and HEAD only");
	else if (!guard_host(allow->guard, host))
		call_fail(call, MHD_HTTP_FORBIDDEN, NULL, "Host is not the address of this server");
	else if (!guard_origin(allow->guard, host, origin))
		call_fail(call, MHD_HTTP_FORBIDDEN, NULL, "Origin is another page");
	else if (changes && origin == NULL)
		call_fail(call, MHD_HTTP_FORBIDDEN, NULL, "Origin is missing");
	else if (!is_open(allow, call) && !has_token(allow, connection, call))
		refuse_token(allow, call);
	else if (allow_has_body(connection) && (!changes || is_delete))
		call_fail(call, MHD_HTTP_BAD_REQUEST, NULL, "a request has no body");
	return call->status == MHD_HTTP_OK;
}
