// series.h - a series as JSON, and the list of all
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_SERIES_H
#define PMON_WEB_SERIES_H

#include "web/call.h"

// All series of a set at this moment, in their order; free the list with free(), but not the series.
// NULL after failing the call.
const struct pmon_series **series_all(struct call *call, struct set *set, size_t *n);

// One object of the API, complete, or its first keys only: see docs/reference/api.md.
void series_put(struct json *json, const struct pmon_series *series);
void series_put_details(struct json *json, const struct pmon_series *series, bool live);

// The help text of an object, or of its counter; NULL if unknown.
const char *series_object_help(struct pmon_span object);
const char *series_counter_help(struct pmon_span object, struct pmon_span counter);

// The live counter behind a series of this machine; NULL for a log.
const struct pmon_live_counter *series_origin(struct set *set, const struct pmon_series *series,
					      struct pmon_live_counter *buf);

#endif
