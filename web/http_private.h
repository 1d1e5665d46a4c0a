// http_private.h - what the parts of the server share
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_HTTP_PRIVATE_H
#define PMON_WEB_HTTP_PRIVATE_H

#include "web/clients.h"
#include "web/guard.h"
#include "web/mhd.h"
#include "web/upload.h"

struct http_site;
struct tls;
struct view;

struct http {
	struct view *view;
	const struct http_site *site;
	const struct tls *tls; // NULL: plain http
	struct guard guard;
	struct clients clients;
	struct upload upload;
	struct MHD_Daemon *daemon;
	char url[256];
	char cookie[32]; // its name
};

// The connection's place; NULL: there was none.
struct client *http_client(struct MHD_Connection *connection);

// Called for each part of a request; ctx is the struct http.
enum MHD_Result http_handle(void *ctx, struct MHD_Connection *connection, const char *url,
			    const char *method, const char *version, const char *upload,
			    size_t *upload_size, void **request);

#endif
