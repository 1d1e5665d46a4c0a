// results.h - results of a judge: findings, episodes, and the outcome of each rule
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

// Is a value of the series an average per operation, with the number of operations in the raw values?
bool rules_is_per_operation(const struct pmon_series *series);

// A run of intervals in which one series was beyond a limit, for as long as its rule requires. A single
// interval within the limit does not split a run; a gap in the data ends it.
struct rules_episode {
	const struct rules_rule *rule;
	const struct pmon_series *series;
	enum rules_level level;
	double limit;          // as in struct rules_finding
	pmon_time from;        // the beginning of the first interval beyond the limit
	pmon_time to;          // the end of the last
	pmon_time steady_from; // both, if no clock had been set since the first sample
	pmon_time steady_to;
	int64_t length_100ns;      // less than `to` minus `from` where a clock was set in between
	uint64_t samples;          // beyond the limit
	double operations;         // behind the average; NAN: the type counts none
	double slope;              // the worst, per hour; NAN: not a trend rule
	double excess_seconds;     // the integral of value / limit - 1: severity
	double compared;           // mean and worst of the compared value, as a share of another
	double compared_worst;     // counter, in the limit's quantity
	struct pmon_value average; // as defined by the type, from the raw values at `from` and `to`
	bool from_queue; // average and operations follow from the queue length and the rate instead
	struct pmon_value worst;
	pmon_time worst_time;
	struct rules_busy *who; // the largest total first. Lives as long as the episode
	size_t n_who;
};

// A threshold that one series has crossed for as long as its rule requires.
struct rules_finding {
	const struct rules_rule *rule;
	const struct pmon_series *series;
	enum rules_level level;
	double limit; // in the limit's quantity; a per-processor limit is multiplied by the processors
	uint64_t samples; // judged samples, and those beyond the limit
	uint64_t beyond;
	int64_t time_100ns; // covered by the judged samples
	int64_t beyond_100ns;
	double share;          // of the time, 0..1; of the samples if they cover no time
	uint64_t episodes;     // that last as long as the rule requires
	int64_t longest_100ns; // of the longest of them
	uint64_t longest_samples;
	pmon_time longest_from;
	struct pmon_value worst; // the displayed value that is farthest beyond
	pmon_time worst_time;
	const struct rules_episode
		*gravest; // the one with the greatest excess; NULL if there is none
};

// A run that goes on at the newest sample and has not lasted as long as its rule requires.
struct rules_unfinished {
	struct rules_episode episode; // so far; the highest level that is exceeded
	bool may_be_longer;           // it may have begun before the first sample
};

// The result of a rule on a machine; with several series, the last in this order.
enum rules_outcome {
	RULES_ELSEWHERE,    // `with` or `without` excludes this machine
	RULES_NO_COUNTER,   // the source lacks the counter or has no values for it
	RULES_NO_UNIT,      // the counter's unit does not fit the limit
	RULES_NO_REFERENCE, // the reference is missing: processors, or the counter of `of`
	RULES_NO_WHILE,     // the counter of `while` is missing, or has no values
	RULES_TOO_SHORT,    // too few values for a trend
	RULES_KEPT,         // judged and not crossed
	RULES_UNSETTLED,    // beyond its limit at an edge of too short an observation
	RULES_BEYOND,       // beyond its limit throughout too short an observation
	RULES_CROSSED,
};

// Reported as samples are added.
enum rules_event {
	RULES_BEGINS, // it has lasted as long as its rule requires; a critical episode also begins a warning
	RULES_ENDS, // of a begun episode: a second interval within the limit, a gap, or rules_judge_end()
};

#define RULES_MACHINES 1024 // the most machines that are judged

struct rules_options {
	// The options that the judged values were computed with; NULL: none. Must outlive the judge.
	const struct pmon_calc_options *calc;
	bool episodes; // keep them all; memory then grows with their number
	// Called for each event; the episode has what is known so far and is valid during the call. May be NULL.
	void (*on_event)(void *ctx, enum rules_event event, const struct rules_episode *episode);
	void *ctx;
};

#endif
