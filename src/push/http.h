// http.h - requests over HTTP, tried again until they are answered
// SPDX-License-Identifier: MIT
//
// One connection is kept. Where a host cannot be reached the next one of the URL is tried. Servers are
// known by their certificates; redirections are not followed, and no proxy is used, so that credentials
// go nowhere else.

#ifndef PMON_PUSH_HTTP_H
#define PMON_PUSH_HTTP_H

#include "push/push.h"

struct pmon_http;

// url and push must outlive it: the options of the push hold, and it counts there the bytes of bodies that
// servers have taken, and the requests that were made again. Nothing is sent yet.
PMON_NODISCARD enum pmon_status pmon_http_open(const struct pmon_push_url *url,
					       struct pmon_push_sink *push, struct pmon_http **out,
					       struct pmon_err *err);
void pmon_http_close(struct pmon_http *http); // NULL is fine

// What is asked. With a body it is a POST.
struct pmon_http_request {
	const char *target;         // path and query, "/?query=SELECT%201"
	const char *const *headers; // "Content-Type: text/plain"; NULL after the last, or NULL
	const void *body;           // NULL: a GET
	size_t body_len;
	bool may_pack;     // the server takes a body that is compressed by zstd
	uint64_t hosts;    // which of the URL may answer, a bit for each; 0: any
	bool once;         // do not retry
	size_t answer_max; // bytes of an answer that are taken; 0: 64 KiB
	// May an answer other than 2xx be another one later? NULL: as HTTP says, see below.
	bool (*may_pass)(long code, struct pmon_span answer);
};

// Ask until there is an answer of 2xx; *answer (may be NULL) is its body, valid until the next request.
// 429, 5xx and faults of the connection are tried again; other answers are PMON_E_FORMAT with the
// first of the server's words. PMON_E_IO: given up; PMON_E_STATE: interrupted; PMON_E_LIMIT: the answer
// is longer than wanted.
PMON_NODISCARD enum pmon_status pmon_http_ask(struct pmon_http *http,
					      const struct pmon_http_request *request,
					      struct pmon_span *answer, struct pmon_err *err);

// The text encoded for a query, "a%20b", allocated; NULL when memory is short.
char *pmon_http_escape(struct pmon_http *http, struct pmon_span text);
void pmon_http_escape_free(const struct pmon_http *http, char *escaped);

#endif
