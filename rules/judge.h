// judge.h - what a source has to say to rules: which thresholds were crossed, for how long, how far
// SPDX-License-Identifier: MIT
//
// The samples are read once, with their displayed values; what is kept grows with the series that rules
// are for, never with the samples. A displayed value stands for the time from the value before it in its
// series; the first of a run stands for no time. What has no value breaks a run, and is not judged.
//
//	judge = rules_judge_new(&rules, pmon_source_schema(source));
//	... pmon_statistics_add(statistics, sample, &values, &err);
//	... rules_judge_add(judge, sample, values);
//	findings = rules_judge_findings(judge, &n);

#ifndef PMON_RULES_JUDGE_H
#define PMON_RULES_JUDGE_H

#include <pmon/model.h>

#include "rules/rules.h"

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
	int64_t longest_100ns; // without a break
	uint64_t longest_samples;
	pmon_time longest_from;
	struct pmon_value worst; // the displayed value that is farthest beyond
	pmon_time worst_time;
};

// The result of a rule.
enum rules_outcome {
	RULES_NO_COUNTER,   // the source has no such counter, or no values of it
	RULES_NO_UNIT,      // it has, but what that measures is not what the limit is in
	RULES_NO_REFERENCE, // what the limit refers to is missing: processors, or the counter of `of`
	RULES_KEPT,         // was judged, and not crossed
	RULES_CROSSED,
};

struct rules_judge;

// rules and schema must outlive it. NULL when memory is short.
struct rules_judge *rules_judge_new(const struct rules *rules, const struct pmon_schema *schema);
void rules_judge_free(struct rules_judge *judge); // NULL is fine

// Add a sample and its displayed values. False when memory is short.
bool rules_judge_add(struct rules_judge *judge, const struct pmon_sample *sample,
		     const struct pmon_value *values);

// The findings so far, critical ones first, then in the order of the rules, then by share. One for
// each series and rule: that of its highest level. NULL when memory is short; valid until the next call.
const struct rules_finding *rules_judge_findings(struct rules_judge *judge, size_t *n);

// The result of rule i, after rules_judge_findings(); *series is how many were judged.
enum rules_outcome rules_judge_outcome(const struct rules_judge *judge, size_t i, size_t *series);

// Processors of the machine of a series: instances of Processor, or Processor Information, that are no
// totals; 0 when it has none.
size_t rules_judge_processors(const struct rules_judge *judge, struct pmon_span machine);

#endif
