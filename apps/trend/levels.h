// levels.h - which counters can leak, which way that is, and where it ends
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_TREND_LEVELS_H
#define PMON_APPS_TREND_LEVELS_H

#include <pmon/model.h>

// Does the counter say how much there is now, of something that can run out? Not a rate, an average or a
// number that only names something.
bool levels_can_leak(const struct pmon_series *series);

// Is it the name of a resource: memory, handles, threads? Windows gives running totals, which never fall and
// leak nothing, the same types as levels. What only grows is a leak if its name is one of these.
bool levels_is_resource(const struct pmon_series *series);

// Does it count what is left, so that a fall is what matters?
bool levels_counts_free(const struct pmon_series *series);

// Where the counter ends: at *limit, or at the value of the counter *limit_counter of the same object. False if
// nothing is known.
bool levels_limit(const struct pmon_series *series, double *limit, const char **limit_counter);

// Patterns of the counters that are limits of others. The last is NULL.
extern const char *const levels_limits[];

// How well a counter stands for others of its instance that show the same: of those that leak, the one with the
// smallest order is listed. Counters of different groups have nothing to do with each other; group 0 is of
// those that stand for themselves.
struct levels_choice {
	size_t group;
	size_t order;
};
struct levels_choice levels_choice(const struct pmon_series *series);

#endif
