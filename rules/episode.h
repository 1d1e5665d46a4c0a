// episode.h - when a series was beyond a limit: runs of intervals, and what is known of each
// SPDX-License-Identifier: MIT
//
// A run begins with an interval beyond the limit and ends before the second interval within it, or at a gap. So
// runs that one interval separates are one. The judge feeds each run that goes on:
//
//	if (run.samples == 0)
//		rules_run_begin(&run, &calc, &raw_before, from);
//	rules_run_beyond(&run, &interval, below);      // or rules_run_within(), true: it has ended
//	rules_run_result(&run, &episode);

#ifndef PMON_RULES_EPISODE_H
#define PMON_RULES_EPISODE_H

#include "rules/results.h"

struct rules_readings; // busy.c

// What the meters of a queue length and of a rate have come to: latency.c.
struct rules_flow {
	double busy_s;  // of all operations together
	double queue_s; // that values of the queue length stand for
	double operations;
	double rate_s;
};

// One interval of a series: the value at its end, and how far it is beyond the limit.
struct rules_interval {
	const struct pmon_raw *raw;
	const struct pmon_value *value;
	pmon_time time;
	int64_t length_100ns; // 0: the first value of a run of samples
	double measure;       // the value as it is compared
	double excess;        // measure / limit - 1, or 1 - measure / limit; the distance from 0
};

struct rules_run {
	pmon_time from;
	pmon_time to;     // the end of the last interval beyond the limit
	uint64_t samples; // beyond the limit; 0: there is no run
	int64_t beyond_100ns;
	double excess_seconds;
	double measure; // the worst
	struct pmon_value worst;
	pmon_time worst_time;
	bool is_raised;   // it has lasted as long as its rule asks: set by the judge
	bool is_reported; // ... and on_event() was called
	bool is_within;   // the newest interval was within the limit
	struct rules_readings
		*began; // of the meters of the rule at `from` and `to`, kept by the judge
	struct rules_readings *ended;
	struct rules_flow flow_from; // at `from` and `to`, kept by the judge
	struct rules_flow flow_to;
	struct pmon_stats stats;  // from the raw value at `from` to that at `to` ...
	struct pmon_stats beyond; // ... while is_within, and stats has one more
};

// before: the raw value at the beginning of the first interval; NULL if there is none.
void rules_run_begin(struct rules_run *run, const struct pmon_calc *calc,
		     const struct pmon_raw *before, pmon_time from);
void rules_run_beyond(struct rules_run *run, const struct rules_interval *interval, bool below);

// An interval that is within the limit, but not yet within the level at which the episode ends.
void rules_run_hold(struct rules_run *run, const struct rules_interval *interval);

// Returns whether the run has ended: this is the second interval within the limit.
bool rules_run_within(struct rules_run *run, const struct rules_interval *interval);

// What is known of the run: all but rule, series, level and limit.
void rules_run_result(const struct rules_run *run, struct rules_episode *out);

#endif
