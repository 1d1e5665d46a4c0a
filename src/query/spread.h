// spread.h - distribution of the values of a series, and their integral over time
// SPDX-License-Identifier: MIT
//
// Extends struct pmon_stats on demand (PMON_KEEP_*). Each displayed value has a weight: the time
// since the previous raw value; for averages per operation, the number of operations; 1 if the log
// holds displayed values. A value computed from two raw values covers all of the time between them,
// even across a gap; an instantaneous value counts for at most one usual interval. All sums are
// exact or integers, so parts can be merged in any grouping; merging assigns the first value of the
// second part its weight.

#ifndef PMON_QUERY_SPREAD_H
#define PMON_QUERY_SPREAD_H

#include <pmon/query.h>

#include "query/quantile.h"

// All zero bytes: no values.
struct pmon_spread {
	struct pmon_quantile quantile;
	int64_t jumps_100ns;      // of the stream up to the newest raw value: pmon_pace_jumps()
	struct pmon_sum integral; // of levels, in value times seconds
	uint8_t weight;           // enum in spread.c; 0 before pmon_spread_begin()
	uint8_t level;            // the formula of a level, or PMON_FORMULA_NONE
	bool is_whole;            // values cover the time since the previous one, not one instant
	bool has_value;
	bool is_waiting; // the first value has no weight until the preceding part is merged
	bool has_time;   // integral covers some time
	bool is_over;    // integral overflowed
};

// Call this before the first value.
void pmon_spread_begin(struct pmon_spread *spread, const struct pmon_series *series);

// The newest raw value, with which the next one is paired; for levels only its time, usable or not.
// False if there is none.
bool pmon_spread_older(const struct pmon_stats *stats, struct pmon_raw *out);

// Add a numeric displayed value, computed from raw value `newer`. older is the previous raw value,
// or NULL if the value covers no time. False when memory is short.
PMON_NODISCARD bool pmon_spread_add(struct pmon_spread *spread, struct pmon_arena *arena,
				    unsigned keep, const struct pmon_raw *older,
				    const struct pmon_raw *newer, double value);

// Assign the first value of a part its weight; `older` is the last raw value of the preceding part.
// False when memory is short.
PMON_NODISCARD bool pmon_spread_boundary(struct pmon_spread *spread, struct pmon_arena *arena,
					 unsigned keep, const struct pmon_raw *older,
					 const struct pmon_raw *newer, double value);

// Add the values of another part, or of another series of the same type. False when memory is
// short.
PMON_NODISCARD bool pmon_spread_merge(struct pmon_spread *spread, struct pmon_arena *arena,
				      const struct pmon_spread *other);

void pmon_spread_restart(struct pmon_spread *spread);

// pmon_statistics_total() and pmon_statistics_percentile(). stats covers the same values; spread is
// NULL without PMON_KEEP_*.
struct pmon_value pmon_spread_total(const struct pmon_spread *spread,
				    const struct pmon_series *series,
				    const struct pmon_stats *stats);
struct pmon_value pmon_spread_percentile(const struct pmon_spread *spread,
					 const struct pmon_stats *stats, uint32_t p);

// The divisor that turns the time integral of displayed values into the total of their type; 0 if
// there is no meaningful total, such as for averages whose operation counts are unknown.
double pmon_spread_divisor(const struct pmon_counter_type *type);

// The spread of series i; NULL without PMON_KEEP_*.
const struct pmon_spread *pmon_statistics_spread(const struct pmon_statistics *statistics,
						 size_t i);

#endif
