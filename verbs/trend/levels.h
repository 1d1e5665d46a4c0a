// levels.h - which counters can leak, in which direction, and up to which limit
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_TREND_LEVELS_H
#define PMON_VERBS_TREND_LEVELS_H

#include <pmon/model.h>

// Does the counter measure a current amount of something that can run out? Not a rate, an average
// or an identifier.
bool levels_can_leak(const struct pmon_series *series);

// Is it the name of a resource: memory, handles, threads? Windows uses the same types for levels
// and for running totals, which never fall and are no leaks. A counter that only grows is a leak
// only if it has such a name.
bool levels_is_resource(const struct pmon_series *series);

// Does it count what is left, so that a decrease matters?
bool levels_counts_free(const struct pmon_series *series);

// The limit of a counter: *limit, or the value of the counter *limit_counter of the same object.
// False if unknown.
bool levels_limit(const struct pmon_series *series, double *limit, const char **limit_counter);

// Patterns for counters that are limits of others. The last is NULL.
extern const char *const levels_limits[];

// How well a counter represents others of its instance that show the same: of those that leak, the
// one with the smallest order is listed. Counters in different groups are unrelated; counters in
// group 0 represent only themselves.
struct levels_choice {
	size_t group;
	size_t order;
};
struct levels_choice levels_choice(const struct pmon_series *series);

#endif
