// call.h - one request of the API: its parameters, checked, and its answer
// SPDX-License-Identifier: MIT
//
// A handler reads its parameters, then writes. The first error fails the call and discards its output:
//
//	if (!call_set(call, "set", &set) || !call_ids(call, set, &ids))
//		return;                                 // call->status and the message are set

#ifndef PMON_WEB_CALL_H
#define PMON_WEB_CALL_H

#include "shell/output/json.h"
#include "web/set.h"

#define CALL_PARAMS 16
#define CALL_IDS    256  // the most series in one call
#define CALL_TEXT   1024 // the most bytes in a text parameter
#define CALL_SETS   2    // the most sets in one call

struct view;

struct call_param {
	const char *name;
	const char *value;
	size_t len; // of the value, which may contain any bytes
};

// A stream of events; see events.h.
struct events;

struct call {
	struct view *view;
	void *site; // context of a server other than the page's
	const char *path;
	const char *accept; // NULL: no header
	bool takes_gzip;    // so does the client
	struct call_param params[CALL_PARAMS];
	size_t n_params;
	struct set *sets[CALL_SETS]; // in use until call_end()
	size_t n_sets;
	// the answer
	unsigned status; // of HTTP
	const char *type;
	const char *file_name; // for a download; NULL: display inline
	const char *body;      // instead of `json`: bytes that outlive the call
	size_t body_len;
	int fd;                // instead of `json`: a file; -1: none
	struct events *events; // instead of `json`: an event stream
	struct json json;      // the output
	bool may_pack;         // `json` may be sent compressed
	bool is_packed;        // it is
	bool for_people;       // report errors as a page, not as JSON
	char error[320];
	const char *error_param; // NULL: none
};

// Fail. param NULL: the error is not in a parameter.
void call_fail(struct call *call, unsigned status, const char *param, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void call_no_memory(struct call *call);

// Write the object that describes the failure of a call: its message, and the parameter.
void call_put_error(const struct call *call, struct json *json);

// Whether a client with this header takes gzip (RFC 9110, 12.5.3). NULL: no header.
bool call_takes_gzip(const char *accept_encoding);

// Call after the answer: releases the call's sets.
void call_end(struct call *call);

// The value of a parameter; {NULL, 0} if it is missing.
struct pmon_span call_param(const struct call *call, const char *name);

// Each returns false after failing the call. A missing parameter means the first set, no bound, or the default.
bool call_set(struct call *call, const char *name, struct set **out);
bool call_number(struct call *call, const char *name, uint64_t min, uint64_t max, uint64_t *inout);
bool call_time(struct call *call, const char *name, pmon_time *out);
bool call_window(struct call *call, struct store_window *out);

struct call_ids {
	uint32_t list[CALL_IDS];
	size_t n;
};
bool call_ids(struct call *call, struct set *set, bool needed, struct call_ids *out);
bool call_id(struct call *call, struct set *set, uint32_t *out);

#endif
