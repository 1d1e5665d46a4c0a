// intervals.h - what each raw value of a source adds to an average (pmon/increments.h)
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_INTERVALS_H
#define PMON_QUERY_INTERVALS_H

#include <pmon/increments.h>
#include <pmon/model.h>

// The state of a series.
struct pmon_interval {
	struct pmon_increments rows;
	struct pmon_increment_form form;
	uint64_t ordinal; // of the newest sample that has it
	uint32_t stream;
	uint32_t life; // of the series
	bool is_begun;
};

// Those of a source, by the numbers of its series.
struct pmon_intervals {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_calc_options options;
	struct pmon_interval *list;
	size_t n;
	size_t cap;
};

// options may be NULL, and is copied.
void pmon_intervals_init(struct pmon_intervals *intervals, const struct pmon_schema *schema,
			 const struct pmon_calc_options *options,
			 const struct pmon_allocator *allocator);
void pmon_intervals_free(struct pmon_intervals *intervals);

// The state of the series of raw value i of a sample, ready for pmon_increments_next() with that value. NULL: out of
// memory.
struct pmon_interval *pmon_intervals_at(struct pmon_intervals *intervals,
					const struct pmon_sample *sample, size_t i);

// The row of raw value i of a sample, and the constants of its series. Call it for each raw value, those of
// preceding samples too. false: out of memory.
PMON_NODISCARD bool pmon_intervals_next(struct pmon_intervals *intervals,
					const struct pmon_sample *sample, size_t i,
					struct pmon_increment *row,
					struct pmon_increment_form *form);

#endif
