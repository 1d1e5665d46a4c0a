// call.c - parse and check the parameters of a request
// SPDX-License-Identifier: MIT

#include "web/call.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/time.h"
#include "web/view_private.h"

void
call_fail(struct call *call, unsigned status, const char *param, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(call->error, sizeof(call->error), fmt, args);
	va_end(args);
	call->status = status;
	call->error_param = param;
}

void
call_no_memory(struct call *call)
{
	call_fail(call, 500, NULL, "not enough memory");
}

void
call_put_error(const struct call *call, struct json *json)
{
	json_open(json, '{');
	json_key(json, "error"), json_str(json, call->error);
	json_key(json, "parameter"), json_str(json, call->error_param);
	json_close(json, '}');
}

struct pmon_span
call_param(const struct call *call, const char *name)
{
	for (size_t i = 0; i < call->n_params; i++)
		if (strcmp(call->params[i].name, name) == 0)
			return (struct pmon_span){call->params[i].value, call->params[i].len};
	return (struct pmon_span){NULL, 0};
}

bool
call_number(struct call *call, const char *name, uint64_t min, uint64_t max, uint64_t *inout)
{
	struct pmon_span text = call_param(call, name);

	if (text.ptr == NULL)
		return true;
	if (pmon_num_parse_u64(text, inout) && *inout >= min && *inout <= max)
		return true;
	call_fail(call, 400, name, "%s must be a number from %llu to %llu", name,
		  (unsigned long long)min, (unsigned long long)max);
	return false;
}

bool
call_set(struct call *call, const char *name, struct set **out)
{
	uint64_t number = 0;

	if (!call_number(call, name, 0, VIEW_SETS - 1, &number))
		return false;
	*out = view_take(call->view, (size_t)number);
	if (*out == NULL) {
		call_fail(call, 404, name, "there is no second set: no log is open for comparison");
		return false;
	}
	call->sets[call->n_sets++] = *out;
	return true;
}

void
call_end(struct call *call)
{
	while (call->n_sets > 0)
		view_give(call->view, call->sets[--call->n_sets]);
}

bool
call_time(struct call *call, const char *name, pmon_time *out)
{
	struct pmon_span text = call_param(call, name);

	*out = PMON_TIME_NONE;
	if (text.ptr == NULL)
		return true;
	if (pmon_time_parse(text, 0, out)) {
		*out = pmon_time_clamp(*out);
		return true;
	}
	call_fail(call, 400, name, "%s must be a time such as 2016-11-26T21:46:30.874Z", name);
	return false;
}

bool
call_window(struct call *call, struct store_window *out)
{
	if (!call_time(call, "from", &out->from) || !call_time(call, "to", &out->to))
		return false;
	if (out->from == PMON_TIME_NONE || out->to == PMON_TIME_NONE || out->from <= out->to)
		return true;
	call_fail(call, 400, "to", "the window ends before it begins");
	return false;
}

static size_t
count_series(struct set *set)
{
	size_t n;

	store_lock(set->store);
	n = pmon_schema_count(store_schema(set->store));
	store_unlock(set->store);
	return n;
}

static bool
has(const struct call_ids *ids, uint32_t id)
{
	for (size_t i = 0; i < ids->n; i++)
		if (ids->list[i] == id)
			return true;
	return false;
}

// Take the next number from the list, and move text past it and its comma.
static bool
take_id(struct pmon_span *text, uint64_t *out)
{
	const char *comma = memchr(text->ptr, ',', text->len);
	size_t len = comma != NULL ? (size_t)(comma - text->ptr) : text->len;
	struct pmon_span number = {text->ptr, len};

	text->ptr += len;
	text->len -= len;
	if (comma != NULL) {
		text->ptr++;
		text->len--;
	}
	return pmon_num_parse_u64(number, out) && !(comma != NULL && text->len == 0);
}

bool
call_ids(struct call *call, struct set *set, bool needed, struct call_ids *out)
{
	struct pmon_span text = call_param(call, "ids");
	size_t count = count_series(set);
	uint64_t id;

	out->n = 0;
	while (text.len > 0) {
		if (!take_id(&text, &id)) {
			call_fail(call, 400, "ids", "ids must be numbers separated by commas");
			return false;
		}
		if (id >= count) {
			call_fail(call, 404, "ids", "there is no series %llu",
				  (unsigned long long)id);
			return false;
		}
		if (out->n == CALL_IDS || has(out, (uint32_t)id)) {
			call_fail(call, 400, "ids", "at most %d ids, without duplicates", CALL_IDS);
			return false;
		}
		out->list[out->n++] = (uint32_t)id;
	}
	if (!needed || out->n > 0)
		return true;
	call_fail(call, 400, "ids", "ids are missing");
	return false;
}

bool
call_id(struct call *call, struct set *set, uint32_t *out)
{
	uint64_t id = UINT64_MAX;

	if (!call_number(call, "id", 0, UINT32_MAX, &id))
		return false;
	if (id == UINT64_MAX)
		call_fail(call, 400, "id", "id is missing");
	else if (id >= count_series(set))
		call_fail(call, 404, "id", "there is no series %llu", (unsigned long long)id);
	else
		*out = (uint32_t)id;
	return call->status == 200;
}

// The weight of a coding in the header, whose elements are "gzip;q=0.5"; -1: it is not named.
static double
weight_of(const char *header, const char *coding)
{
	struct pmon_span wanted = {coding, strlen(coding)};

	for (const char *at = header; *at != '\0'; at += *at != '\0') {
		const char *end = at + strcspn(at, ",");
		const char *name = at + strspn(at, " \t");
		const char *q = strstr(name, "q=");
		struct pmon_span named = {name, strcspn(name, " \t;,")};

		if (pmon_text_same(named, wanted))
			return q != NULL && q < end ? strtod(q + 2, NULL) : 1;
		at = end;
	}
	return -1;
}

bool
call_takes_gzip(const char *accept_encoding)
{
	double gzip = accept_encoding != NULL ? weight_of(accept_encoding, "gzip") : 0;

	return gzip > 0 || (gzip < 0 && weight_of(accept_encoding, "*") > 0);
}
