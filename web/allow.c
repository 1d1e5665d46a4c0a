// allow.c - access checks for requests
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

const char *
allow_bearer(struct MHD_Connection *connection)
{
	static const char bearer[] = "Bearer ";
	const char *credentials = allow_header(connection, MHD_HTTP_HEADER_AUTHORIZATION);

	if (credentials == NULL || strncasecmp(credentials, bearer, sizeof(bearer) - 1) != 0)
		return NULL;
	credentials += sizeof(bearer) - 1;
	return credentials + strspn(credentials, " ");
}

// Scrapers may also send the token in the URL. The page's secret would stay in the browser's
// history, so it is not accepted there.
static bool
has_token(const struct allow *allow, struct MHD_Connection *connection, const struct call *call)
{
	struct pmon_span given = call_param(call, "token");

	if (given.ptr == NULL || allow->has_page)
		return guard_lets_in(allow->guard, allow_bearer(connection));
	return given.len == strlen(given.ptr) && guard_lets_in(allow->guard, given.ptr);
}

static bool
is_path(const char *path, const struct call *call)
{
	return path != NULL && strcmp(call->path, path) == 0;
}

// The page's files are the same everywhere, so they need no token.
static bool
is_open(const struct allow *allow, const struct call *call)
{
	if (allow->has_page && strncmp(call->path, "/api/", 5) != 0)
		return true;
	return is_path(allow->open, call) || is_path(allow->enter, call);
}

static bool
has_value(struct MHD_Connection *connection, const char *header, const char *value)
{
	const char *found = allow_header(connection, header);

	return found != NULL && strcmp(found, value) == 0;
}

// Browsers say what triggered a request: this page, the user (for instance the address bar), or
// another page. To a browser, all ports of 127.0.0.1 are one site. A local file, such as the one
// that opens the browser, or a link in a mail, is another site: these may open the page itself,
// which contains no data.
static bool
is_from_page(struct MHD_Connection *connection, const struct call *call)
{
	const char *site = allow_header(connection, "Sec-Fetch-Site");

	if (site == NULL || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0)
		return true;
	return strcmp(site, "cross-site") == 0 && strcmp(call->path, "/") == 0 &&
	       has_value(connection, "Sec-Fetch-Mode", "navigate") &&
	       has_value(connection, "Sec-Fetch-Dest", "document");
}

bool
allow_has_body(struct MHD_Connection *connection)
{
	const char *length = allow_header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);

	return allow_header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL ||
	       (length != NULL && strcmp(length, "0") != 0);
}

// A request with two of these might mean one thing to this server and another to a proxy.
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

static void
refuse_token(const struct allow *allow, struct call *call)
{
	if (allow->has_page)
		call_fail(call, MHD_HTTP_FORBIDDEN, NULL,
			  "the secret is missing or wrong; send it as Authorization: Bearer "
			  "SECRET. To get it, POST the key in the address that pmon view prints to "
			  "/api/enter");
	else
		call_fail(call, MHD_HTTP_UNAUTHORIZED, NULL,
			  "the token is missing or wrong; send it as Authorization: Bearer TOKEN");
}

// People get an HTML page instead of JSON.
static void
refuse_site(struct call *call)
{
	call_fail(call, MHD_HTTP_FORBIDDEN, NULL, "the request comes from another page");
	if (strcmp(call->path, "/") == 0 && call->accept != NULL &&
	    strstr(call->accept, "text/html") != NULL)
		page_answer(call, page_find("/elsewhere.html"));
}

bool
allow_is_change(const char *changes, const char *path, const char *method)
{
	return changes != NULL && strcmp(path, changes) == 0 &&
	       (strcmp(method, MHD_HTTP_METHOD_POST) == 0 ||
		strcmp(method, MHD_HTTP_METHOD_DELETE) == 0);
}

static bool
is_method(const struct allow *allow, const struct call *call, const char *method)
{
	if (is_path(allow->enter, call))
		return strcmp(method, MHD_HTTP_METHOD_POST) == 0;
	return allow_is_change(allow->changes, call->path, method) ||
	       strcmp(method, MHD_HTTP_METHOD_GET) == 0 ||
	       strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
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
		call_fail(call, MHD_HTTP_BAD_REQUEST, NULL, "duplicate Host or Content-Length");
	else if (!is_method(allow, call, method))
		call_fail(call, MHD_HTTP_METHOD_NOT_ALLOWED, NULL,
			  is_path(allow->enter, call) ? "POST only"
						      : "only GET and HEAD are allowed");
	else if (!guard_host(allow->guard, host))
		call_fail(call, MHD_HTTP_FORBIDDEN, NULL,
			  "Host does not match the address of this server");
	else if (!guard_origin(allow->guard, host, origin))
		call_fail(call, MHD_HTTP_FORBIDDEN, NULL, "Origin is not this server");
	else if (allow->has_page && !is_from_page(connection, call))
		refuse_site(call);
	else if (changes && origin == NULL)
		call_fail(call, MHD_HTTP_FORBIDDEN, NULL, "Origin is missing");
	else if (!is_open(allow, call) && !has_token(allow, connection, call))
		refuse_token(allow, call);
	else if (allow_has_body(connection) && (!changes || is_delete))
		call_fail(call, MHD_HTTP_BAD_REQUEST, NULL, "this request must not have a body");
	return call->status == MHD_HTTP_OK;
}
