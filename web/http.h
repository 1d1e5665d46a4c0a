// http.h - the server: who may ask, and how long
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_HTTP_H
#define PMON_WEB_HTTP_H

#include <pmon/pmon.h>

struct call;
struct tls;
struct view;
struct http;

// What is served in place of the page and its API.
struct http_site {
	void (*answer)(struct call *call);
	void *ctx;        // call->site
	const char *path; // that the address is shown with
	const char *open; // a path that needs no token, as "/healthz"; NULL: none
};

struct http_options {
	const char *listen; // an address as 192.0.2.7 or ::; NULL: 127.0.0.1
	uint16_t port;      // 0: a free one
	const char *name;   // that others know this machine by, which a Host may be; NULL: none
	const char *token;  // that requests must have; NULL: a random one, where one is needed
	bool insecure;      // other machines may ask, though the token is not encrypted on its way
	const struct tls *tls;        // NULL: plain http; must outlive the server
	const struct http_site *site; // NULL: the page; must outlive the server
};

// Load libmicrohttpd. http_open() does so too; a program may want to know earlier.
PMON_NODISCARD enum pmon_status http_load(struct pmon_err *err);

// Listen, and answer in separate threads. view is NULL if there is a site. Requests need the token of
// the options, else the one that is in http_url(); a site on loopback, or whose clients have certificates, needs
// none unless the options have one. PMON_E_ARG: listen is not an address, or one that other machines reach, without
// tls or insecure; the token or a certificate is not valid; PMON_E_IO: the port is taken;
// PMON_E_UNSUPPORTED: this build has no server.
PMON_NODISCARD enum pmon_status http_open(struct view *view, const struct http_options *options,
					  struct http **out, struct pmon_err *err);

// Where a browser on this machine finds it, with the token.
const char *http_url(const struct http *http);

// Where others find it: by its name, then by the addresses of this machine. False when there are no more.
bool http_url_at(const struct http *http, size_t i, char *buf, size_t size);

// After view_stop(). NULL is fine.
void http_close(struct http *http);

#endif
