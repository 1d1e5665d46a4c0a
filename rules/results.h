// results.h - what a judge finds: thresholds crossed, episodes, and the result of each rule
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_RESULTS_H
#define PMON_RULES_RESULTS_H

#include <pmon/model.h>

#include "rules/rules.h"

// An instance that was busy during an episode.
struct rules_busy {
	const struct pmon_series *series;
	double total;   // over the episode, in draw_total_unit(); NaN where the series has no total
	double average; // of displayed values, by the type of the counter
	double share;   // of the totals of all instances, 0..1
};

// Is a value of the series an average per operation, of which the raw values have the number?
bool rules_is_per_operation(const struct pmon_series *series);

// A run of intervals in which one series was beyond a limit, for as long as its rule asks. Runs that one
// interval within the limit separates are one; a gap in the data ends a run.
struct rules_episode {
	const struct rules_rule *rule;
	const struct pmon_series *series;
	enum rules_level level;
	double limit;              // as in struct rules_finding
	pmon_time from;            // the beginning of the first interval beyond the limit
	pmon_time to;              // the end of the last
	uint64_t samples;          // beyond the limit
	double operations;         // that the average is of; NAN: the type counts none
	double slope;              // the farthest beyond the limit, in an hour; NAN: not of a trend
	double excess_seconds;     // the integral of value / limit - 1, which says how bad it was
	struct pmon_value average; // the type's own, from the raw values at `from` and `to`
	bool from_queue; // average and operations follow from the queue length and the rate instead
	struct pmon_value worst;
	pmon_time worst_time;
	struct rules_busy
		*who; // the largest total first. As valid as what the episode was returned by
	size_t n_who;
};

// A threshold that one series has crossed for as long as its rule asks.
struct rules_finding {
	const struct rules_rule *rule;
	const struct pmon_series *series;
	enum rules_level level;
	double limit;     // in the quantity of the limit, for all processors where it is for each
	uint64_t samples; // that were judged, and those of them beyond the limit
	uint64_t beyond;
	int64_t time_100ns; // that the judged samples stand for
	int64_t beyond_100ns;
	double share;          // of the time, 0..1; of the samples if they cover no time
	uint64_t episodes;     // that last as long as the rule asks
	int64_t longest_100ns; // of the longest of them
	uint64_t longest_samples;
	pmon_time longest_from;
	struct pmon_value worst; // the displayed value that is farthest beyond
	pmon_time worst_time;
	const struct rules_episode
		*gravest; // the one with the greatest excess; NULL if there is none
};

// The result of a rule.
enum rules_outcome {
	RULES_ELSEWHERE,    // it is for other machines: those of `with`, or those not of `without`
	RULES_NO_COUNTER,   // the source has no such counter, or no values of it
	RULES_NO_UNIT,      // it has, but what that measures is not what the limit is in
	RULES_NO_REFERENCE, // what the limit refers to is missing: processors, or the counter of `of`
	RULES_NO_WHILE,     // the counter of `while` is missing, or has no values
	RULES_TOO_SHORT,    // there are too few values for a trend
	RULES_KEPT,         // was judged, and not crossed
	RULES_CROSSED,
};

// What happens to an episode while samples are added.
enum rules_event {
	RULES_BEGINS, // it has lasted as long as its rule asks
	RULES_ENDS, // one that has begun: a second interval within the limit, a gap, or rules_judge_end()
};

#define RULES_MACHINES 1024 // that are judged

struct rules_options {
	struct pmon_calc_options calc; // as the values that are judged were computed with
	bool episodes;                 // keep them all; memory then grows with their number
	// Called for each event; the episode is as far as it is known, and valid during the call. May be NULL.
	void (*on_event)(void *ctx, enum rules_event event, const struct rules_episode *episode);
	void *ctx;
};

#endif
