// rows.h - the statistics of series, each for itself
// SPDX-License-Identifier: MIT
//
// This path adds raw values to the statistics of a series one by one.

#ifndef PMON_QUERY_ROWS_H
#define PMON_QUERY_ROWS_H

#include <pmon/model.h>

#include "base/arena.h"
#include "base/step.h"
#include "core/run.h"
#include "query/spread.h"

// One series. `stream` and `ordinal` are those of its newest sample: when the next one does not
// follow it in the same stream, the series was absent in between. Rows are adjacent, so that a
// sample goes through memory in one direction.
struct pmon_row {
	uint64_t ordinal;
	uint32_t stream;
	uint32_t life; // of its series
	struct pmon_run run;
	struct pmon_stats
		*stats; // NULL before the first value; in the arena, as users have pointers to it
};

struct pmon_rows {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_calc_options options;
	struct pmon_arena arena;
	struct pmon_row *list;
	uint64_t *first;             // beside list: the ordinal of the first sample of each
	unsigned keep;               // PMON_KEEP_*
	struct pmon_spread *spreads; // beside list, if anything is kept
	size_t n;
	size_t cap;
	size_t first_cap;
	size_t spreads_cap;
};

void pmon_rows_free(struct pmon_rows *rows);

// Rows for the series that have come since. False when memory is short.
bool pmon_rows_grow(struct pmon_rows *rows);

// The slow path of pmon_rows_add().
bool pmon_rows_add_plain(struct pmon_rows *rows, const struct pmon_sample *sample, size_t i,
			 struct pmon_value *value_out);

// pmon_rows_add() where something is kept.
bool pmon_rows_add_kept(struct pmon_rows *rows, const struct pmon_sample *sample, size_t i,
			struct pmon_value *value_out);

// Put the statistics of the window that follows after those of row i. is_next: no sample lies between
// the two. *status is that of pmon_stats_merge(). False when memory is short.
bool pmon_rows_merge(struct pmon_rows *rows, size_t i, const struct pmon_stats *next,
		     const struct pmon_spread *spread, bool is_next, enum pmon_status *status);

// The short way, for a raw value that follows on the one before. False when it has to go the plain one.
STEP bool
pmon_row_add_to_run(struct pmon_row *row, const struct pmon_sample *sample,
		    const struct pmon_raw *raw)
{
	if (row->ordinal + 1 != sample->ordinal || row->stream != sample->stream ||
	    sample->lead_in || !pmon_run_add(&row->run, row->stats, raw))
		return false;
	row->ordinal = sample->ordinal;
	return true;
}

// Add value i of a sample, and give its displayed value. False when memory is short.
STEP bool
pmon_rows_add(struct pmon_rows *rows, const struct pmon_sample *sample, size_t i,
	      struct pmon_value *value_out)
{
	struct pmon_row *row = &rows->list[sample->series[i]];

	if (!pmon_row_add_to_run(row, sample, &sample->raw[i]))
		return pmon_rows_add_plain(rows, sample, i, value_out);
	*value_out = pmon_run_last(&row->run);
	return true;
}

#endif
