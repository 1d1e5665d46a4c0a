// baseline.h - the log to compare a report with
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_REPORT_BASELINE_H
#define PMON_VERBS_REPORT_BASELINE_H

#include "verbs/diff/pairs.h"
#include "verbs/report/report.h"

// In the order in which they are listed.
enum verdict {
	WORSE,
	BETTER,
	OTHER, // a counter that no rule limits; a finding that did not change
	VERDICTS
};

// A finding in one log or both.
struct compared_finding {
	const struct rules_finding *sides[2]; // BEFORE, AFTER; NULL: not on this side
	size_t rank;                          // by severity
	enum verdict verdict;
};

struct report_baseline {
	struct differences differences;
	struct logs logs;
	struct judged judged; // its rules belong to the report
	struct compared_finding *findings;
	size_t n_findings;
	bool is_open;
	char name[256]; // without the folder
	pmon_time from;
	pmon_time to;
};

// Compare the findings of both logs, after both were ranked. Returns an exit status.
int baseline_compare_findings(struct report *r);
size_t baseline_count_findings(const struct report_baseline *b, enum verdict verdict);
void baseline_put_findings(const struct report *r, struct html *html);

#endif
