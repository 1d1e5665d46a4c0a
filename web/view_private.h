// view_private.h - what the parts of the server share
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_VIEW_PRIVATE_H
#define PMON_WEB_VIEW_PRIVATE_H

#include "web/set.h"

#define VIEW_SETS 2

struct view {
	struct notifier notifier;
	struct pmon_calc_options calc;
	struct set_opener opener;
	struct pmon_lock lock; // of all below
	struct set *sets[VIEW_SETS];
	uint64_t opened;  // sets so far
	unsigned streams; // event streams that are open
};

// Set i for as long as it is used, or NULL when it is not there. Another one may take its place meanwhile.
struct set *view_take(struct view *view, size_t i);
struct set *view_keep(struct view *view, struct set *set); // that was taken: once more
void view_give(struct view *view, struct set *set);        // back; NULL is fine

// The second set becomes the log in a file that was sent, which is at its beginning. In case of failure it stays
// what it was.
PMON_NODISCARD enum pmon_status view_take_log(struct view *view, int fd, const char *name,
					      struct pmon_err *err);

// There is no second set any more; opening one is cancelled.
PMON_NODISCARD enum pmon_status view_remove_log(struct view *view, struct pmon_err *err);

#endif
