// pairs.h - the series of two logs that are the same counter
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_DIFF_PAIRS_H
#define PMON_APPS_DIFF_PAIRS_H

#include "apps/changes/differences.h"

// Compare each series of the logs of BEFORE with that of AFTER that is the same: of the same path, without the
// machine if each side has one machine. Processes are the same if name and ID are; the others of a name are
// taken in the order of their averages, the largest with the largest. An exit status.
int pairs_compare(struct differences *d, const struct logs *before, const struct logs *after);

// The order of two series by their names: 0 if they are the same counter, of processes of one name or of the same
// instance.
int pairs_order(const struct pmon_series *a, const struct pmon_series *b, bool with_machine);

#endif
