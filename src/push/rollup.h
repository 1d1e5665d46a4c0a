// rollup.h - hourly sums: what engines share
// SPDX-License-Identifier: MIT
//
// A rollup has a row for each series and hour with the exact sums that averages are computed from, so
// that adding up hours yields the same digits as the raw rows. A pair belongs to the hour of its newer
// sample, even if its older sample is in an earlier hour, so it counts once.
//
// Sums are not updated on insert, since a batch that is sent twice would count twice. Hours whose raw rows
// changed are recomputed, and the newer row of an hour replaces the older one.

#ifndef PMON_PUSH_ROLLUP_H
#define PMON_PUSH_ROLLUP_H

#include "push/push.h"

#define PMON_HOUR_100NS (60 * PMON_TIME_PER_MIN)
#define PMON_DAY_100NS  (24 * PMON_HOUR_100NS)

// The range of a run in whole hours, without days that have partly expired: the rest of such a day would yield
// different sums.
void pmon_rollup_bounds(const struct pmon_rollup_options *options, pmon_time keep_from,
			pmon_time *begin, pmon_time *end);

// Counts for one day. At its end they are reported, added to the totals and reset.
struct pmon_rollup_day {
	struct pmon_rollup_counts counts;
	uint32_t hours; // a bit for each
};

// numbers: sums, series, raw rows, and a bit for each hour.
void pmon_rollup_day_add(struct pmon_rollup_day *day, const uint64_t numbers[4]);
void pmon_rollup_day_end(struct pmon_rollup_day *day, pmon_time begin,
			 const struct pmon_rollup_options *options, struct pmon_rollup_counts *all);

#endif
