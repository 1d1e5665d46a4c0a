// http.h - the HTTP server, its access control and time limits
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_HTTP_H
#define PMON_WEB_HTTP_H

#include <pmon/pmon.h>

struct call;
struct tls;
struct view;
struct http;

// A site to serve instead of the page and its API.
struct http_site {
	void (*answer)(struct call *call);
	void *ctx;        // call->site
	const char *path; // the path in the printed URL
	const char *open; // a path that needs no token, such as "/healthz"; NULL: none
};

struct http_options {
	const char *listen;    // an address such as 192.0.2.7 or ::; NULL: 127.0.0.1
	uint16_t port;         // 0: any free port
	const char *name;      // this machine's name for clients, accepted as Host; NULL: none
	const char *token;     // sent by programs; NULL: a random one if required
	bool insecure;         // accept other machines although the token travels unencrypted
	const struct tls *tls; // NULL: plain http; must outlive the server
	const struct http_site *site; // NULL: the page; must outlive the server
};

// Load libmicrohttpd. http_open() does so too; call this to find out earlier.
PMON_NODISCARD enum pmon_status http_load(struct pmon_err *err);

// Listen, and answer in separate threads. view is NULL if there is a site. Requests for a view's data need
// the token of the options or the view's secret, which the page exchanges for the key in http_url(). Requests
// to a site need the token of the options, else the one in http_url(); a site on loopback, or whose clients
// have certificates, needs none unless the options set one. PMON_E_ARG: listen is not an address, or one that
// other machines reach, without tls or insecure; the token or a certificate is not valid; PMON_E_IO: the port
// is taken; PMON_E_UNSUPPORTED: this build has no server.
PMON_NODISCARD enum pmon_status http_open(struct view *view, const struct http_options *options,
					  struct http **out, struct pmon_err *err);

#define HTTP_URL 512 // bytes of the longest address

// URL i of the server, with the key or the token: 0 is for a browser on this machine, then come its name and
// its addresses. False after the last.
bool http_url(struct http *http, size_t i, char *buf, size_t size);

// Replace the key in http_url(), for another browser; the previous key becomes invalid. False when the
// system has no random numbers.
bool http_renew_key(struct http *http);

// Call after view_stop(). NULL is fine.
void http_close(struct http *http);

#endif
