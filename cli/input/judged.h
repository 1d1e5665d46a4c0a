// judged.h - logs that are read once and judged by rules
// SPDX-License-Identifier: MIT
//
//	status = rules_load(name, &j.rules);                       // or rules_parse_condition()
//	if (status == EXIT_DONE)
//		status = judged_ask(&j, args);
//	if (status == EXIT_DONE)
//		status = judged_read(&j, false);
//	... rules_judge_findings(j.judge, &n);
//	return judged_close(&j, status);

#ifndef PMON_CLI_INPUT_JUDGED_H
#define PMON_CLI_INPUT_JUDGED_H

#include "cli/input/logs.h"
#include "rules/judge.h"

// All zeros at the beginning.
struct judged {
	struct rules rules;
	struct args args; // those of the verb, with the counters of the rules
	struct logs logs;
	struct pmon_statistics *statistics;
	struct rules_judge *judge;
	bool spans_days; // the samples are of several days
	char **patterns; // that args points to
	size_t n_patterns;
	bool is_open;
};

// Read only what the rules need. Returns an exit status, as the others.
int judged_ask(struct judged *j, const struct args *args);

// Open the logs and read them to their end. keep_episodes: for rules_judge_episodes().
int judged_read(struct judged *j, bool keep_episodes);

// Free everything, the rules too. Returns the exit status of the verb, which has come so far with status.
int judged_close(struct judged *j, int status);

#endif
