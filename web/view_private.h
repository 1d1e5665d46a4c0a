// view_private.h - what the parts of the server share
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_VIEW_PRIVATE_H
#define PMON_WEB_VIEW_PRIVATE_H

#include "web/set.h"

#define VIEW_SETS 2

struct view {
	struct set sets[VIEW_SETS];
	struct notifier notifier;
	struct pmon_calc_options calc;
	struct pmon_lock lock;
	unsigned streams; // event streams that are open, under the lock
};

// Set i, or NULL when it is not there.
struct set *view_set(struct view *view, size_t i);

#endif
