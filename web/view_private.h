// view_private.h - state of a view, shared by the server's files
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_VIEW_PRIVATE_H
#define PMON_WEB_VIEW_PRIVATE_H

#include "web/set.h"

#define VIEW_SETS 2

struct view {
	struct notifier notifier;
	struct pmon_calc_options calc;
	struct set_opener opener;
	struct pmon_lock lock; // protects the fields below
	struct set *sets[VIEW_SETS];
	uint64_t opened;  // number of sets opened so far
	unsigned streams; // event streams open event streams
};

// Acquire set i, or NULL if there is none. It stays valid if another set replaces it.
struct set *view_take(struct view *view, size_t i);
struct set *view_keep(struct view *view, struct set *set); // acquire a held set again
void view_give(struct view *view, struct set *set);        // back; NULL is fine

// Replace the second set with an uploaded log, whose file is at its beginning. On failure, the set is unchanged.
PMON_NODISCARD enum pmon_status view_take_log(struct view *view, int fd, const char *name,
					      struct pmon_err *err);

// Remove the second set and cancel opening one.
PMON_NODISCARD enum pmon_status view_remove_log(struct view *view, struct pmon_err *err);

#endif
