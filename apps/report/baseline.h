// baseline.h - the log that a report compares with
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_REPORT_BASELINE_H
#define PMON_APPS_REPORT_BASELINE_H

#include "apps/diff/pairs.h"
#include "apps/report/report.h"

// Worse ones first, as they are listed.
enum verdict {
	WORSE,
	BETTER,
	OTHER, // a counter that no rule limits; a finding that is as it was
	VERDICTS
};

// A finding of one log or of both.
struct compared_finding {
	const struct rules_finding *sides[2]; // BEFORE, AFTER; NULL: not on this side
	size_t rank;                          // by harm
	enum verdict verdict;
};

struct report_baseline {
	struct differences differences;
	struct args args; // those of the report, but for its logs
	struct logs logs;
	struct judged judged; // its rules belong to the report
	struct compared_finding *findings;
	size_t n_findings;
	bool is_open;
	char name[256]; // without the folder
	pmon_time from;
	pmon_time to;
};

// Compare the findings of both logs, after both were ranked. An exit status.
int baseline_compare_findings(struct report *r);
size_t baseline_count_findings(const struct report_baseline *b, enum verdict verdict);
void baseline_put_findings(const struct report *r, struct html *html);

#endif
