// judge.h - evaluate rules on a source: which thresholds were crossed, for how long, by how much
// SPDX-License-Identifier: MIT
//
// Samples are read once, with their displayed values. Memory grows with the number of judged series, not of
// samples. A displayed value covers the time since the previous value of its series; the first of a run
// covers no time. A missing value ends the run and is not judged.
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

// The findings so far, critical ones first, then in the order of the rules, then by share. One per series and
// rule, at the highest level that was crossed. NULL if memory runs out; valid until the next call.
const struct rules_finding *rules_judge_findings(struct rules_judge *judge, size_t *n);

// Call after the last sample. All episodes, the greatest excess first, then the earliest. Ends open runs.
// NULL when memory is short.
const struct rules_episode *rules_judge_episodes(struct rules_judge *judge, size_t *n);

// Look up an open episode by rule, series and level, and fill in what is known so far. The caller frees
// `who`. False when memory is short.
bool rules_judge_going_on(const struct rules_judge *judge, struct rules_episode *episode,
			  bool *ended);

// What is beyond a limit at the newest sample of its machine, but not yet for as long as the rule requires: critical
// limits first, then the greatest excess. Trends are left out. Call before rules_judge_findings() and
// rules_judge_episodes(), which end all runs. NULL when memory is short; else free it with the function below.
struct rules_unfinished *rules_judge_unfinished(const struct rules_judge *judge, size_t *n);
void rules_free_unfinished(struct rules_unfinished *list, size_t n); // NULL is fine

// Compute the results so far without ending runs, for callers that continue to read.
void rules_judge_look(struct rules_judge *judge);

// The result of rule i, after rules_judge_findings(); *series is the number of judged series.
enum rules_outcome rules_judge_outcome(const struct rules_judge *judge, size_t i, size_t *series);

// The machines that have series, by index, and the result of rule i on one of them.
// Are there more than RULES_MACHINES? The others are not judged.
bool rules_judge_has_more_machines(const struct rules_judge *judge);
size_t rules_judge_machines(const struct rules_judge *judge);
struct pmon_span rules_judge_machine(const struct rules_judge *judge, size_t machine);
enum rules_outcome rules_judge_outcome_on(const struct rules_judge *judge, size_t i,
					  size_t machine);

// Was the rule judged? If not, why, as a clause about the machine; of RULES_BEYOND RULES_ALL_BEYOND.
#define RULES_ALL_BEYOND "beyond the limit throughout, but too short for the rule"
bool rules_is_judged(enum rules_outcome outcome);
const char *rules_reason(enum rules_outcome outcome);

// Does the machine lack the counters of all rules in rule i's pack? False if rule i is in no pack.
bool rules_judge_lacks_pack(const struct rules_judge *judge, const struct rules *rules, size_t i,
			    size_t machine);

bool rules_begins_pack(const struct rules *rules, size_t i);

// Register a machine without series, so that it gets a result for each rule. The name must outlive the judge.
// False when memory is short.
bool rules_judge_note_machine(struct rules_judge *judge, struct pmon_span name);

// The number of processors of a series' machine (processors.h); 0 if unknown.
size_t rules_judge_processors(const struct rules_judge *judge, struct pmon_span machine);

// Why the object Processor does not cover all processors of a machine, as a phrase; *seen is the number that
// it covers. NULL if it covers all or is missing.
const char *rules_judge_unseen(const struct rules_judge *judge, struct pmon_span machine,
			       size_t *seen);

#endif
