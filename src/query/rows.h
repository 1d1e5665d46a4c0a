// rows.h - the statistics of series, each for itself
// SPDX-License-Identifier: MIT
//
// Adds raw values to the statistics of series one by one.

#ifndef PMON_QUERY_ROWS_H
#define PMON_QUERY_ROWS_H

#include <pmon/model.h>

#include "base/arena.h"
#include "base/step.h"
#include "core/run.h"
#include "model/pace.h"
#include "query/spread.h"

// One series. `stream` and `ordinal` are those of its newest sample: if the next sample is not its
// successor in the same stream, the series was absent in between. Rows are contiguous, so that
// adding a sample walks memory in one direction.
struct pmon_row {
	uint64_t ordinal;
	uint32_t stream;
	uint32_t life; // of its series
	struct pmon_run run;
	struct pmon_stats *stats; // NULL before the first value; in the arena: callers point to it
};

struct pmon_rows {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_calc_options options;
	struct pmon_arena arena;
	struct pmon_row *list;
	uint64_t *first;              // parallel to list: the ordinal of the first sample of each
	unsigned keep;                // PMON_KEEP_*
	struct pmon_spread *spreads;  // parallel to list, if anything is kept
	struct pmon_paces paces;      // the same
	const struct pmon_pace *pace; // of the stream of the sample being added
	size_t n;
	size_t cap;
	size_t first_cap;
	size_t spreads_cap;
};

void pmon_rows_free(struct pmon_rows *rows);

// Add rows for new series. False when memory is short.
bool pmon_rows_grow(struct pmon_rows *rows);

// The slow path of pmon_rows_add().
bool pmon_rows_add_plain(struct pmon_rows *rows, const struct pmon_sample *sample, size_t i,
			 struct pmon_value *value_out);

// pmon_rows_add() if `keep` is set.
bool pmon_rows_add_kept(struct pmon_rows *rows, const struct pmon_sample *sample, size_t i,
			struct pmon_value *value_out);

// Append the statistics of the next window to those of row i. is_next: no sample lies between the
// two. jumps_100ns: the time that a gap or a clock change adds between them. *status is that of
// pmon_stats_merge(). False when memory is short.
bool pmon_rows_merge(struct pmon_rows *rows, size_t i, const struct pmon_stats *next,
		     const struct pmon_spread *spread, bool is_next, int64_t jumps_100ns,
		     enum pmon_status *status);

// The fast path, for a raw value right after the previous one. False: use the slow path.
STEP bool
pmon_row_add_to_run(struct pmon_row *row, const struct pmon_sample *sample,
		    const struct pmon_raw *raw)
{
	if (row->ordinal + 1 != sample->ordinal || row->stream != sample->stream ||
	    sample->preceding || !pmon_run_add(&row->run, row->stats, raw))
		return false;
	row->ordinal = sample->ordinal;
	return true;
}

// Add value i of a sample, and return its displayed value. False when memory is short.
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
