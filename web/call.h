// call.h - one request of the API: its parameters, checked, and its answer
// SPDX-License-Identifier: MIT
//
// A handler reads its parameters, then writes. The first thing that is wrong makes the call fail, and
// what was written is not sent:
//
//	if (!call_set(call, "set", &set) || !call_ids(call, set, &ids))
//		return;                                 // call->status and the message are set

#ifndef PMON_WEB_CALL_H
#define PMON_WEB_CALL_H

#include "text/json.h"
#include "web/set.h"

#define CALL_PARAMS 16
#define CALL_IDS    256  // series that one call may name
#define CALL_TEXT   1024 // bytes of a text
#define CALL_SETS   2    // that one call may name

struct view;

struct call_param {
	const char *name;
	const char *value;
	size_t len; // of the value, which may hold any bytes
};

// A stream of events; see events.h.
struct events;

struct call {
	struct view *view;
	void *site; // of another server than that of the page
	const char *path;
	const char *accept; // NULL: not said
	struct call_param params[CALL_PARAMS];
	size_t n_params;
	struct set *sets[CALL_SETS]; // in use until call_end()
	size_t n_sets;
	// the answer
	unsigned status; // of HTTP
	const char *type;
	const char *file_name; // to keep the answer under; NULL: to show
	const char *body;      // instead of what was written: bytes that stay
	size_t body_len;
	int fd;                // instead of what was written: a file; -1: none
	struct events *events; // instead of what was written
	struct json json;      // to write to
	bool for_people;       // an error that is a page, not JSON
	char error[320];
	const char *error_param; // NULL: none
};

// Fail. param NULL: no parameter is at fault.
void call_fail(struct call *call, unsigned status, const char *param, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void call_no_memory(struct call *call);

// After the answer: its sets are not used any more.
void call_end(struct call *call);

// The value of a parameter; {NULL, 0} when it is not there.
struct pmon_span call_param(const struct call *call, const char *name);

// Each returns false after failing the call. What is not given is the first set, no bound, the default.
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
