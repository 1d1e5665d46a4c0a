// allow.h - access checks for requests
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_ALLOW_H
#define PMON_WEB_ALLOW_H

#include "web/mhd.h"

struct call;
struct guard;

struct allow {
	const struct guard *guard;
	bool has_page;       // only paths below /api/ hold data
	const char *open;    // a path that needs no token; NULL: none
	const char *enter;   // a path for POST with a key instead of a token; NULL: none
	const char *changes; // a path for DELETE and for POST with a body; NULL: none
};

// A request header; NULL if it is missing.
const char *allow_header(struct MHD_Connection *connection, const char *name);

// The token after "Authorization: Bearer"; NULL if there is none.
const char *allow_bearer(struct MHD_Connection *connection);

// Does the request modify state? changes: the path where that is allowed.
bool allow_is_change(const char *changes, const char *path, const char *method);

bool allow_has_body(struct MHD_Connection *connection);

// All access checks, made before the endpoint is looked up. False after failing the call.
bool allow_request(const struct allow *allow, struct MHD_Connection *connection, const char *method,
		   struct call *call);

#endif
