// episode.h - runs of intervals in which a series was beyond a limit
// SPDX-License-Identifier: MIT
//
// A run begins with an interval beyond the limit and ends before the second interval within it, or at a gap.
// A single interval within the limit does not split a run. The judge feeds each open run:
//
//	if (run.samples == 0)
//		rules_run_begin(&run, &calc, &raw_before, &from);
//	rules_run_beyond(&run, &interval, below);      // or rules_run_within(), true: it has ended
//	rules_run_result(&run, &episode);

#ifndef PMON_RULES_EPISODE_H
#define PMON_RULES_EPISODE_H

#include "rules/results.h"

struct rules_readings; // busy.c

// Running totals of a queue-length meter and a rate meter: latency.c.
struct rules_flow {
	double busy_s;  // busy time summed over all operations
	double queue_s; // time covered by the queue-length values
	double operations;
	double rate_s;
};

struct rules_moment {
	pmon_time time;
	pmon_time steady;      // the same on a clock without steps
	int64_t elapsed_100ns; // time covered by the stream's values so far
};

// One interval of a series: the value at its end, and how far it is beyond the limit.
struct rules_interval {
	const struct pmon_raw *raw;
	const struct pmon_value *value;
	pmon_time from;
	pmon_time time; // of its end, as a struct rules_moment
	pmon_time steady;
	int64_t elapsed_100ns;
	int64_t length_100ns; // covered by this value; 0: the first value of a run of samples
	bool is_apart;        // from the value before: the first one, or after a gap
	double measure;       // the value as it is compared
	double excess;        // measure / limit - 1, or 1 - measure / limit; the distance from 0
};

struct rules_run {
	struct rules_moment from;
	struct rules_moment to; // the end of the last interval beyond the limit
	uint64_t samples;       // beyond the limit; 0: there is no run
	int64_t beyond_100ns;
	double excess_seconds;
	double measured_seconds; // the integral of the compared value
	double measure;          // the worst
	struct pmon_value worst;
	pmon_time worst_time;
	bool is_raised;   // it has lasted as long as its rule requires: set by the judge
	bool is_reported; // ... and on_event() was called
	bool is_within;   // the newest interval was within the limit
	bool is_cut;      // the data before or after it is missing: set by the judge
	struct rules_readings
		*began; // readings of the rule's meters at `from` and `to`, kept by the judge
	struct rules_readings *ended;
	struct rules_flow flow_from; // at `from` and `to`, kept by the judge
	struct rules_flow flow_to;
	struct pmon_stats stats;  // from the raw value at `from` to that at `to` ...
	struct pmon_stats beyond; // ... while is_within, and stats has one more
};

// From the first interval beyond the limit to the last.
static inline int64_t
rules_run_length(const struct rules_run *run)
{
	return run->to.elapsed_100ns - run->from.elapsed_100ns;
}

// before: the raw value at the beginning of the first interval; NULL if there is none.
void rules_run_begin(struct rules_run *run, const struct pmon_calc *calc,
		     const struct pmon_raw *before, const struct rules_moment *from);
void rules_run_beyond(struct rules_run *run, const struct rules_interval *interval, bool below);

// An interval without a value: it neither ends nor extends the run.
void rules_run_skip(struct rules_run *run, const struct pmon_raw *raw);

// An interval within the limit, but not within the level that ends the episode.
void rules_run_hold(struct rules_run *run, const struct rules_interval *interval);

// Returns whether the run has ended: this is the second interval within the limit.
bool rules_run_within(struct rules_run *run, const struct rules_interval *interval);

// Fill in the episode, except for rule, series, level and limit.
void rules_run_result(const struct rules_run *run, struct rules_episode *out);

#endif
