// judge.h - what a source has to say to rules: which thresholds were crossed, for how long, how far
// SPDX-License-Identifier: MIT
//
// The samples are read once, with their displayed values; what is kept grows with the series that rules
// are for, never with the samples. A displayed value stands for the time from the value before it in its
// series; the first of a run stands for no time. What has no value breaks a run, and is not judged.
//
//	judge = rules_judge_new(&rules, pmon_source_schema(source), &options);
//	... pmon_statistics_add(statistics, sample, &values, &err);
//	... rules_judge_add(judge, sample, values);
//	findings = rules_judge_findings(judge, &n);

#ifndef PMON_RULES_JUDGE_H
#define PMON_RULES_JUDGE_H

#include <pmon/model.h>

#include "rules/results.h"

struct rules_judge;

// rules and schema must outlive it. NULL when memory is short.
struct rules_judge *rules_judge_new(const struct rules *rules, const struct pmon_schema *schema,
				    const struct rules_options *options);
void rules_judge_free(struct rules_judge *judge); // NULL is fine

// Add a sample and its displayed values. False when memory is short.
bool rules_judge_add(struct rules_judge *judge, const struct pmon_sample *sample,
		     const struct pmon_value *values);

// The findings so far, critical ones first, then in the order of the rules, then by share. One for
// each series and rule: that of its highest level. NULL when memory is short; valid until the next call of the judge.
const struct rules_finding *rules_judge_findings(struct rules_judge *judge, size_t *n);

// All episodes, after the last sample: the greatest excess first, then the earliest. A run that goes on ends
// here. NULL when memory is short.
const struct rules_episode *rules_judge_episodes(struct rules_judge *judge, size_t *n);

// An episode by its rule, series and level: fill in the rest, as far as it is known, unless it has ended. `who` is to
// be freed. False when memory is short.
bool rules_judge_going_on(const struct rules_judge *judge, struct rules_episode *episode,
			  bool *ended);

// The results of the rules so far, for those who read on: then none of them was crossed yet, and no run ends.
void rules_judge_look(struct rules_judge *judge);

// The result of rule i, after rules_judge_findings(); *series is how many were judged.
enum rules_outcome rules_judge_outcome(const struct rules_judge *judge, size_t i, size_t *series);

// The machines that have series, by number, and the result of rule i on one of them.
// Are there more than RULES_MACHINES? The others are not judged.
bool rules_judge_has_more_machines(const struct rules_judge *judge);
size_t rules_judge_machines(const struct rules_judge *judge);
struct pmon_span rules_judge_machine(const struct rules_judge *judge, size_t machine);
enum rules_outcome rules_judge_outcome_on(const struct rules_judge *judge, size_t i,
					  size_t machine);

// Why a rule was not judged, as a clause about the machine; NULL if it was.
const char *rules_reason(enum rules_outcome outcome);

// Has the machine no counter of any rule of the pack that rule i is in? False for a rule in none.
bool rules_judge_lacks_pack(const struct rules_judge *judge, const struct rules *rules, size_t i,
			    size_t machine);

// Is rule i the first of its pack?
bool rules_begins_pack(const struct rules *rules, size_t i);

// Take a machine that has no series, so that it has a result of each rule. The name must outlive the judge. False when
// memory is short.
bool rules_judge_note_machine(struct rules_judge *judge, struct pmon_span name);

// Processors of the machine of a series: instances of Processor, or Processor Information, that are no
// totals; 0 when it has none.
size_t rules_judge_processors(const struct rules_judge *judge, struct pmon_span machine);

#endif
