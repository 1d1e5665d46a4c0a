// differences.h - series at two times, ranked by how much they differ
// SPDX-License-Identifier: MIT
//
//	status = differences_begin(&d, args);
//	... differences_add(&d, BEFORE, sample) for each sample, and differences_pair() for each series
//	status = differences_print(&d, logs);
//	differences_free(&d);

#ifndef PMON_VERBS_CHANGES_DIFFERENCES_H
#define PMON_VERBS_CHANGES_DIFFERENCES_H

#include "shell/input/judged.h"
#include "shell/input/logs.h"
#include "query/members.h"
#include "analyze/changed.h"

enum time_side {
	BEFORE = CHANGED_BEFORE,
	AFTER = CHANGED_AFTER
};

// Initialize with zeros.
struct differences {
	const struct args *args;
	const struct logs *logs[2];
	struct pmon_members members[2];
	struct pmon_statistics *statistics[2];
	struct changed changed;
	struct pmon_used used;
	size_t unpaired[2];             // series with values on one side only
	const struct judged *judged[2]; // NULL: incidents are not looked for
};

// Begin the statistics of a side. All of these return an exit status.
int differences_open(struct differences *d, enum time_side side, const struct logs *logs);
// values: set to the displayed values of the sample, valid until the next one; may be NULL.
int differences_add(struct differences *d, enum time_side side, const struct pmon_sample *sample,
		    const struct pmon_value **values);

// Should the series be compared? Not if it is an identifier or an elapsed time.
bool differences_is_wanted(const struct differences *d, const struct pmon_series *series);

bool differences_has(const struct differences *d, enum time_side side,
		     const struct pmon_series *series);

// Compare a series of BEFORE with one of AFTER; NULL if there is none. The idle process, and sums
// whose members are on both sides, are compared only if a pattern names them.
int differences_pair(struct differences *d, const struct pmon_series *before,
		     const struct pmon_series *after);

// Rank and print them. logs contain the series. what: "changed", "differ".
int differences_print(struct differences *d, struct logs *logs, const char *what);

void differences_free(struct differences *d);

#endif
