// trial.h - rules over a log that a test builds series by series and sample by sample
// SPDX-License-Identifier: MIT
//
//	struct trial t = trial_of(rules text);          or trial_of_condition("\\A\\B > 5")
//	series = mem_source_series(t.m, ...);
//	mem_source_sample(t.m, ...); mem_source_raw(t.m, series, ...);
//	trial_judge(&t);                                reads the log, fills in findings and episodes
//	trial_end(&t);

#ifndef PMON_TESTS_TRIAL_H
#define PMON_TESTS_TRIAL_H

#include "memsource.h"
#include "rules/judge.h"

struct trial {
	struct mem_source *m;
	struct rules rules;
	struct rules_options options; // all episodes are kept
	struct pmon_source *source;
	struct pmon_statistics *statistics;
	struct rules_judge *judge;
	const struct rules_finding *findings;
	size_t n_findings;
	const struct rules_episode *episodes;
	size_t n_episodes;
	struct rules_unfinished *now; // at the last sample
	size_t n_now;
};

// The test fails if the text is not accepted.
struct trial trial_of(const char *rules_text);
struct trial trial_of_condition(const char *condition);

void trial_judge(struct trial *t);
void trial_end(struct trial *t);

#endif
