// differences.h - series of two times, ranked by how much they differ
// SPDX-License-Identifier: MIT
//
//	status = differences_begin(&d, args);
//	... differences_add(&d, BEFORE, sample) for each sample, and differences_pair() for each series
//	status = differences_print(&d, logs);
//	differences_free(&d);

#ifndef PMON_APPS_CHANGES_DIFFERENCES_H
#define PMON_APPS_CHANGES_DIFFERENCES_H

#include "cli/input/logs.h"
#include "text/changed.h"

enum time_side {
	BEFORE = CHANGED_BEFORE,
	AFTER = CHANGED_AFTER
};

// All zeros at the beginning.
struct differences {
	const struct args *args;
	const struct logs *logs; // those that were opened last
	struct pmon_statistics *statistics[2];
	struct changed changed;
	size_t unpaired[2]; // series with values on one side only
};

// Begin the statistics of a side. All of these return an exit status.
int differences_open(struct differences *d, enum time_side side, const struct logs *logs);
// values: where to put the displayed values of the sample, valid until the next one; NULL: nowhere.
int differences_add(struct differences *d, enum time_side side, const struct pmon_sample *sample,
		    const struct pmon_value **values);

// Is the series one to compare: not a sum, the idle process, a name or a time since the start? Sums and the
// idle process are, where a pattern names them.
bool differences_is_wanted(const struct differences *d, const struct pmon_series *series);

// Has the series values on this side?
bool differences_has(const struct differences *d, enum time_side side,
		     const struct pmon_series *series);

// Compare a series of BEFORE with one of AFTER. NULL: there is none.
int differences_pair(struct differences *d, const struct pmon_series *before,
		     const struct pmon_series *after);

// Rank and print them. logs are those that the series are of. what: "changed", "differ".
int differences_print(struct differences *d, struct logs *logs, const char *what);

void differences_free(struct differences *d);

#endif
