// findings.h - what rules find in logs, the worst first
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_HEALTH_FINDINGS_H
#define PMON_APPS_HEALTH_FINDINGS_H

#include "cli/input/logs.h"
#include "rules/judge.h"

// A counter that was beyond the limit of a rule.
struct health_finding {
	const struct rules_episode *worst; // of the highest level, the one with the greatest excess
	uint64_t episodes;                 // of that level
};

struct health_summary {
	size_t of_level[RULES_LEVELS]; // findings
	size_t within;                 // rules on a machine, and those that could not be judged
	size_t not_judged;
};

struct health {
	struct args args; // with the counters of the rules
	struct rules rules;
	struct logs logs;
	bool is_open; // the logs
	struct pmon_statistics *statistics;
	struct rules_judge *judge;
	struct health_finding *findings;
	size_t n;
	struct health_summary summary;
	bool spans_days;
	char **patterns; // that args points to
	size_t n_patterns;
};

// Read the rules and the logs. Returns an exit status after saying what is wrong; health_close() is called in any
// case, with the status so far.
int health_find(struct health *h, const struct args *args);
int health_close(struct health *h, int status);

#endif
