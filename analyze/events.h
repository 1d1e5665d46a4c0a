// events.h - what happened to a machine or to its log, which no limit is needed for
// SPDX-License-Identifier: MIT

#ifndef PMON_ANALYZE_EVENTS_H
#define PMON_ANALYZE_EVENTS_H

#include "analyze/meanings.h"
#include "model/pace.h"

#define EVENTS_MOST 64 // of one log; others are counted

enum event_kind {
	EVENT_RESTARTED,  // the machine
	EVENT_AHEAD,      // the system clock went ahead of the performance clock: paused, or set
	EVENT_BACK,       // the system clock went back
	EVENT_GAP,        // no sample for more than 2.5 times the usual interval
	EVENT_ABSENT,     // a provider of counters had no values
	EVENT_CONFIGURED, // memory, a limit or the speed of a link changed
	EVENT_KINDS
};

struct event {
	enum event_kind kind;
	struct pmon_span machine; // empty: unknown
	pmon_time from;           // the sample before
	pmon_time to;
	pmon_time steady_from; // both, if the clock had not been set since the first sample
	pmon_time steady_to;
	int64_t length_100ns;      // of a gap or an absence, or by how much the clock was set
	struct pmon_span provider; // that was absent
	const struct pmon_series *series; // that tells a configuration, and its values
	const struct meaning *meaning;
	double before;
	double after;
};

struct events {
	struct event list[EVENTS_MOST];
	size_t n;
	size_t others;
};

void events_add(struct events *events, const struct event *event);

// In the order of their times, whatever the order of counters was.
void events_sort(struct events *events);

// Add the gap and the clock step of an interval, if any. The pace is that of the steady times of its stream, up to the end
// of the interval. Returns whether its values may be used: those that a clock set back falsified are already invalid.
bool events_of_interval(struct events *events, const struct pmon_pace *pace,
			const struct event *times);

// "machine-restarted"
const char *event_name(enum event_kind kind);

#endif
