// http.h - HTTP requests with retries
// SPDX-License-Identifier: MIT
//
// One connection is kept open. Server certificates are verified; redirects are not followed
// and no proxy is used, so that credentials go nowhere else.

#ifndef PMON_PUSH_HTTP_H
#define PMON_PUSH_HTTP_H

#include "push/push.h"

struct pmon_http;

// url and push must outlive it: it uses the options of the push, and counts in it the body bytes that
// servers accepted and the retried requests. Nothing is sent yet.
PMON_NODISCARD enum pmon_status pmon_http_open(const struct pmon_push_url *url,
					       struct pmon_push_sink *push, struct pmon_http **out,
					       struct pmon_err *err);
void pmon_http_close(struct pmon_http *http); // NULL is allowed

// A request. With a body it is a POST.
struct pmon_http_request {
	const char *target;         // path and query, "/?query=SELECT%201"
	const char *const *headers; // "Content-Type: text/plain"; NULL after the last, or NULL
	const void *body;           // NULL: a GET
	size_t body_len;
	bool may_pack;     // the server accepts a body compressed with zstd
	bool is_once;      // one attempt of a second, also after the user has cancelled
	size_t answer_max; // maximum bytes of the answer; 0: 64 KiB
	// Is it worth retrying after this answer other than 2xx? NULL: by the HTTP status, see below.
	bool (*may_pass)(long code, struct pmon_span answer);
	// The text to report of such an answer. NULL: all of it.
	struct pmon_span (*words)(struct pmon_span answer);
};

// Send a request until the answer is 2xx; *answer (may be NULL) is its body, valid until the next request.
// 429, 5xx and connection errors are retried; other answers are PMON_E_FORMAT with the beginning of the
// server's message. PMON_E_IO: gave up; PMON_E_STATE: cancelled; PMON_E_LIMIT: the answer is
// longer than answer_max.
PMON_NODISCARD enum pmon_status pmon_http_ask(struct pmon_http *http,
					      const struct pmon_http_request *request,
					      struct pmon_span *answer, struct pmon_err *err);

// The clock of a host, as the Date of an answer of any status; PMON_TIME_NONE if it has none.
PMON_NODISCARD enum pmon_status pmon_http_clock(struct pmon_http *http, pmon_time *now,
						struct pmon_err *err);

// Percent-encode text for a URL query: "a%20b". Allocated; NULL if out of memory.
char *pmon_http_escape(struct pmon_http *http, struct pmon_span text);
void pmon_http_escape_free(const struct pmon_http *http, char *escaped);

#endif
