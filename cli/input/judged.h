// judged.h - logs that are read once and judged by rules
// SPDX-License-Identifier: MIT
//
//	status = rules_load(args, &j.rules);                       // or rules_parse_condition()
//	if (status == EXIT_DONE)
//		status = judged_ask(&j, args);
//	if (status == EXIT_DONE)
//		status = judged_read(&j, false);
//	... rules_judge_findings(j.judge, &n);
//	return judged_close(&j, status);

#ifndef PMON_CLI_INPUT_JUDGED_H
#define PMON_CLI_INPUT_JUDGED_H

#include "cli/input/logs.h"
#include "query/display.h"
#include "rules/judge.h"

// All zeros at the beginning.
struct judged {
	struct rules rules;
	struct args args; // those of the verb, with the counters of the rules
	struct logs logs;
	bool only_values; // set it where no statistics are asked for
	struct pmon_values values;
	struct pmon_statistics *statistics; // unless only_values
	struct rules_judge *judge;
	bool spans_days; // the samples are of several days
	char **patterns; // that args points to
	size_t n_patterns;
	bool is_open;
	// Called when the logs are open, and before processes are distinguished if args.identifies_later is set: then it
	// has to call logs_identify(). NULL: nothing else is done. Returns an exit status.
	int (*opened)(void *ctx);
	// Called with each sample and its values; NULL: nothing else is done with them. False when memory is
	// short.
	bool (*each)(void *ctx, const struct pmon_sample *sample, const struct pmon_value *values);
	void *ctx;
	// Of judged_rank():
	struct rules_finding *findings; // the gravest first
	size_t n_findings;
	size_t of_level[RULES_LEVELS]; // findings
	size_t within;                 // rules on a machine, and those that could not be judged
	size_t not_judged;
};

// Read only what the rules need. Returns an exit status, as the others. Without it, j->args is what is read.
int judged_ask(struct judged *j, const struct args *args);

// Open the logs, to be judged sample by sample.
int judged_open(struct judged *j, const struct rules_options *options);

// Judge a sample. *values are its displayed values.
int judged_add(struct judged *j, const struct pmon_sample *sample,
	       const struct pmon_value **values);

// Open the logs and read them to their end. keep_episodes: for rules_judge_episodes().
int judged_read(struct judged *j, bool keep_episodes);

// The findings in the order of their harm, and how many rules there are with each result.
int judged_rank(struct judged *j);

// Has the machine no counter of the pack that the rule is in? Such a pack is listed with the rules that could not be
// judged, in the place of its own: judged_lists() is true for its first rule, and for rules of other packs.
bool judged_lacks_pack(const struct judged *j, size_t rule, size_t machine);
bool judged_lists(const struct judged *j, size_t rule, size_t machine);

// Free everything, the rules too. Returns the exit status of the verb, which has come so far with status.
int judged_close(struct judged *j, int status);

#endif
