// pairs.h - find the series of two logs that are the same counter
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_DIFF_PAIRS_H
#define PMON_VERBS_DIFF_PAIRS_H

#include "verbs/changes/differences.h"

// Compare each series of the logs of BEFORE with the same series of AFTER: that with the same path,
// without the machine if each side has one machine. Processes are the same if name and ID are; the
// others with the same name are matched in order of their averages, the largest with the largest.
// Returns an exit status.
int pairs_compare(struct differences *d, const struct logs *before, const struct logs *after);

// Compare two series by name: 0 if they are the same counter, of the same instance or of processes
// with the same name.
int pairs_order(const struct pmon_series *a, const struct pmon_series *b, bool with_machine);

#endif
