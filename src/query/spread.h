// spread.h - how the values of a series are spread, and what they add up to over time
// SPDX-License-Identifier: MIT
//
// This is what struct pmon_stats has no room for, kept on demand (PMON_KEEP_*). Each displayed value has a
// weight: the time since the raw value before it; for averages per operation the operations; and 1 where
// the log holds displayed values. All sums are exact or of whole numbers, so that parts can be merged in
// any grouping: where two parts meet, the first value of the second gets its weight.

#ifndef PMON_QUERY_SPREAD_H
#define PMON_QUERY_SPREAD_H

#include <pmon/query.h>

#include "query/quantile.h"

// All zero bytes are the spread of nothing.
struct pmon_spread {
	struct pmon_quantile quantile;
	struct pmon_sum integral; // of what is a level here, in value times seconds
	uint8_t weight;           // enum in spread.c; 0 before pmon_spread_begin()
	uint8_t level;            // the formula of a level, or PMON_FORMULA_NONE
	bool has_value;
	bool is_waiting; // the first value has no weight, which a part before this one may give it
	bool has_time;   // integral is over some time
	bool is_over;    // ... and has no room for it
};

// Before the first value.
void pmon_spread_begin(struct pmon_spread *spread, const struct pmon_series *series);

// The newest raw value, which the next one is paired with; of levels just the time of the newest, usable or not.
// False when there is none.
bool pmon_spread_older(const struct pmon_stats *stats, struct pmon_raw *out);

// Add a displayed value, which has a number, of raw value `newer`. older is the raw value before it, or
// NULL when it stands for no time. False when memory is short.
PMON_NODISCARD bool pmon_spread_add(struct pmon_spread *spread, struct pmon_arena *arena,
				    unsigned keep, const struct pmon_raw *older,
				    const struct pmon_raw *newer, double value);

// Give the first value of a part that follows on `older` its weight. False when memory is short.
PMON_NODISCARD bool pmon_spread_seam(struct pmon_spread *spread, struct pmon_arena *arena,
				     unsigned keep, const struct pmon_raw *older,
				     const struct pmon_raw *newer, double value);

// Add the values of another part, or of another series of the same type. False when memory is short.
PMON_NODISCARD bool pmon_spread_merge(struct pmon_spread *spread, struct pmon_arena *arena,
				      const struct pmon_spread *other);

// Forget all values.
void pmon_spread_restart(struct pmon_spread *spread);

// pmon_statistics_total() and pmon_statistics_percentile(). stats are those of the same values; spread is
// NULL where nothing is kept.
struct pmon_value pmon_spread_total(const struct pmon_spread *spread,
				    const struct pmon_series *series,
				    const struct pmon_stats *stats);
struct pmon_value pmon_spread_percentile(const struct pmon_spread *spread,
					 const struct pmon_stats *stats, uint32_t p);

// What the integral of displayed values over time has to be divided by to be the total of their type; 0 where it
// means nothing, as the operations that averages are of are not known.
double pmon_spread_divisor(const struct pmon_counter_type *type);

// The spread of series i; NULL without PMON_KEEP_*.
const struct pmon_spread *pmon_statistics_spread(const struct pmon_statistics *statistics,
						 size_t i);

#endif
