// http_private.h - shared by the files of the HTTP server
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_HTTP_PRIVATE_H
#define PMON_WEB_HTTP_PRIVATE_H

#include "web/clients.h"
#include "web/guard.h"
#include "web/key.h"
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
	struct key key; // of the page
	struct clients clients;
	struct upload upload;
	struct MHD_Daemon *daemon;
};

// The connection's table entry; NULL if the table was full.
struct client *http_client(struct MHD_Connection *connection);

// Called for each part of a request; ctx is the struct http.
enum MHD_Result http_handle(void *ctx, struct MHD_Connection *connection, const char *url,
			    const char *method, const char *version, const char *upload,
			    size_t *upload_size, void **request);

#endif
