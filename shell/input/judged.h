// judged.h - read logs once and evaluate rules on them
// SPDX-License-Identifier: MIT
//
//	status = rules_load(args, &j.rules);                       // or rules_parse_condition()
//	if (status == EXIT_DONE)
//		status = judged_ask(&j, args);
//	if (status == EXIT_DONE)
//		status = judged_read(&j, false);
//	... rules_judge_findings(j.judge, &n);
//	return judged_close(&j, status);

#ifndef PMON_SHELL_INPUT_JUDGED_H
#define PMON_SHELL_INPUT_JUDGED_H

#include "analyze/incidents.h"
#include "base/text.h"
#include "shell/input/logs.h"
#include "query/display.h"
#include "rules/judge.h"

struct json;

// Initialize with zeros.
struct judged {
	struct rules rules;
	const struct args *args; // the verb's command line
	struct request request;  // with the counters of the rules
	bool finds_incidents;    // set it to have them after judged_rank()
	struct incidents incidents;
	// the verb, not the user, selects the counters: do not report those that match nothing
	bool may_lack;
	struct logs logs;
	bool only_values; // set if no statistics are needed
	struct pmon_values values;
	struct pmon_statistics *statistics; // unless only_values
	struct rules_judge *judge;
	pmon_time first; // sample, and the last one; PMON_TIME_NONE: there was none
	pmon_time last;
	bool spans_days; // the samples are from several days
	char **patterns; // that the request points to
	size_t n_patterns;
	bool is_open;
	// Writes more keys of the JSON document, at its end; NULL: not called. False if out of memory.
	bool (*more_json)(struct json *json, const struct judged *j);
	// Called after the logs are opened and, if request.identifies_later is set, before
	// processes are distinguished: then it must call logs_identify(). NULL: not called. Returns
	// an exit status.
	int (*opened)(void *ctx);
	// Called with each sample and its values; NULL: not called. False if out of memory.
	bool (*each)(void *ctx, const struct pmon_sample *sample, const struct pmon_value *values);
	void *ctx;
	// Set by judged_rank():
	struct rules_finding *findings; // the most severe first
	size_t n_findings;
	size_t of_level[RULES_LEVELS]; // findings
	// limits that are exceeded at the end of the samples of this machine; not for logs
	struct rules_unfinished *now;
	size_t n_now;
	// rules per machine that are within limits, RULES_BEYOND, or could not be evaluated
	size_t within;
	size_t beyond;
	size_t not_judged;
};

// Read only what the rules need. Without this call, the verb sets j->args and j->request. Returns
// an exit status, like the functions below.
int judged_ask(struct judged *j, const struct args *args);

// Open the logs, to be evaluated sample by sample.
int judged_open(struct judged *j, const struct rules_options *options);

// Evaluate a sample. *values are its displayed values.
int judged_add(struct judged *j, const struct pmon_sample *sample,
	       const struct pmon_value **values);

// Open the logs and read them to their end. keep_episodes: for rules_judge_episodes().
int judged_read(struct judged *j, bool keep_episodes);

// Sort the findings by severity, and count the rules by result.
int judged_rank(struct judged *j);

// Does the machine lack every counter of the rule's pack? Such a pack is listed as one entry among
// the rules that could not be evaluated: judged_lists() is true for its first rule, and for rules
// of other packs.
bool judged_lacks_pack(const struct judged *j, size_t rule, size_t machine);
bool judged_lists(const struct judged *j, size_t rule, size_t machine);

// How a rule counts on a machine.
enum judged_as {
	JUDGED_CROSSED,
	JUDGED_WITHIN,
	JUDGED_BEYOND,
	JUDGED_NOT,
	JUDGED_IN_PACK, // not evaluated either, and counted with the first rule of its pack
};
enum judged_as judged_as(const struct judged *j, size_t rule, size_t machine);

// Why a rule was not judged on a machine, with the time that it requires; nothing if it was judged.
void judged_put_reason(const struct judged *j, struct pmon_text *t, size_t rule, size_t machine);

// The rules of RULES_BEYOND: "Processor time (SRV1), Processor queue (SRV1)".
void judged_put_beyond(const struct judged *j, struct pmon_text *t);

// Find the incidents of some logs, for a verb that does something else with them; close it with judged_close() in any
// case.
int judged_logs(struct judged *j, const struct args *args, const struct words *logs);

// Find an incident by its ID, or print that there is none. Returns an exit status.
int judged_find(const struct judged *j, const char *id, const struct incident **out);

// The exit status with --fail-on: 1 if there is such an incident. A limit that was exceeded throughout a log too
// short for its rule counts as a warning.
int judged_fail(const struct judged *j, int status);

// Free what judged_rank() found, of judged logs that other functions opened.
void judged_free_ranking(struct judged *j);

// Free everything, including the rules. Returns the verb's exit status, given the status so far.
int judged_close(struct judged *j, int status);

#endif
