// events.h - made-up series with random faults
// SPDX-License-Identifier: MIT
//
//	n = t_make_events(&r, type, events);
//	t_play(&stats, &calc, events, n);

#ifndef PMON_TESTS_EVENTS_H
#define PMON_TESTS_EVENTS_H

#include <pmon/counter.h>

#include "t.h"

#define T_MAX_EVENTS 24

// An event in a series: a raw value (PMON_RAW_STARTED is not a sample), or a gap.
struct t_event {
	bool gap;
	struct pmon_raw raw;
};

// A series of at most T_MAX_EVENTS, and options for computing it. Returns the number of events.
size_t t_make_events(struct t_rand *r, uint32_t type, struct t_event events[T_MAX_EVENTS]);
struct pmon_calc t_make_calc(struct t_rand *r, uint32_t type);

// Compute the statistics of a series from the beginning; and add one more event.
void t_play(struct pmon_stats *stats, const struct pmon_calc *calc, const struct t_event *events,
	    size_t n);
void t_play_one(struct pmon_stats *stats, const struct t_event *event);

// The raw value of PERF_DOUBLE_RAW.
int64_t t_double_bits(double d);

#endif
