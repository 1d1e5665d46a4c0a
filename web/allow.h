// allow.h - which requests may be answered
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_ALLOW_H
#define PMON_WEB_ALLOW_H

#include "web/mhd.h"

struct call;
struct guard;

struct allow {
	const struct guard *guard;
	const char *cookie;  // the name of that of the page; NULL: the server has no page
	const char *open;    // a path that needs no token; NULL: none
	const char *changes; // a path that POST, with a body, and DELETE are for; NULL: none
};

// A header of the request; NULL when it is not there.
const char *allow_header(struct MHD_Connection *connection, const char *name);

// Does the request change something? changes: the path that may.
bool allow_is_change(const char *changes, const char *path, const char *method);

bool allow_has_body(struct MHD_Connection *connection);

// All decisions on access, before the endpoint is looked up. False after failing the call.
bool allow_request(const struct allow *allow, struct MHD_Connection *connection, const char *method,
		   struct call *call);

#endif
