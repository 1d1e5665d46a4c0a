// series.h - a series as JSON, and the list of all
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_SERIES_H
#define PMON_WEB_SERIES_H

#include "web/call.h"

// All series of a set at this moment, in their order; the list is freed by free(), the series stay.
// NULL after failing the call.
const struct pmon_series **series_all(struct call *call, struct set *set, size_t *n);

// One object of the API, complete, or its first keys only: see docs/reference/api.md.
void series_put(struct json *json, const struct pmon_series *series);
void series_put_details(struct json *json, const struct pmon_series *series, bool live);

// What explains an object, or a counter of it; NULL when pmon does not know it.
const char *series_object_help(struct pmon_span object);
const char *series_counter_help(struct pmon_span object, struct pmon_span counter);

// What is known of a counter of this machine; NULL of one in a log.
const struct pmon_live_counter *series_origin(struct set *set, const struct pmon_series *series,
					      struct pmon_live_counter *buf);

// A part of a path; null where it is absent.
void series_put_part(struct json *json, struct pmon_span part);

#endif
