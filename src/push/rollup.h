// rollup.h - sums of whole hours: what engines share
// SPDX-License-Identifier: MIT
//
// A rollup has a row for each series and hour: the sums that averages are made of, as they are, so that
// hours can be added up and give the digits that the raw rows give. A pair belongs to the hour of its
// newer sample, and so does the pair whose older sample is in an hour before: it counts once.
//
// Nothing is added up on the way in, since a batch that came twice would count twice. Hours whose raw rows
// changed are computed anew, and a newer row of an hour takes the place of an older one.

#ifndef PMON_PUSH_ROLLUP_H
#define PMON_PUSH_ROLLUP_H

#include "base/text.h"
#include "push/push.h"

#define PMON_HOUR_100NS (60 * PMON_TIME_PER_MIN)
#define PMON_DAY_100NS  (24 * PMON_HOUR_100NS)

// ---- A run ----------------------------------------------------------------------------------

#define PMON_ROLLUP_CHUNK ((uint64_t)4000000) // raw values whose sums are made at once, about

// From when to when, in whole hours and without days of which something has expired: what is left of them would not
// give the same sums.
void pmon_rollup_bounds(const struct pmon_rollup_options *options, pmon_time keep_from,
			pmon_time *begin, pmon_time *end);

// What was done for a day. At its end it is reported, added to all that was done, and empty again.
struct pmon_rollup_day {
	struct pmon_rollup_counts counts;
	uint32_t hours; // a bit for each
};

// Sums, series, raw rows, and the bits of hours.
void pmon_rollup_day_add(struct pmon_rollup_day *day, const uint64_t numbers[4]);
void pmon_rollup_day_end(struct pmon_rollup_day *day, pmon_time begin,
			 const struct pmon_rollup_options *options, struct pmon_rollup_counts *all);

// ---- Statements from templates --------------------------------------------------------------

// A name in a template, "{run}", and what stands for it: a text, or a number where text is NULL.
struct pmon_rollup_name {
	const char *name;
	const char *text;
	int64_t number;
};

// Write the template with each name replaced; the last one of the list has no name.
void pmon_rollup_fill(struct pmon_text *sql, const char *template,
		      const struct pmon_rollup_name *names);

#endif
