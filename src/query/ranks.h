// ranks.h - the statistics of series that stand in ranks
// SPDX-License-Identifier: MIT
//
// While samples of a stream follow one another, their series stand in ranks of eight (core/rank.h), which
// take a sample in one sweep; few come, go or change their position from one sample to the next. A
// raw value that is not plain goes to the row of its series, which then falls in again.

#ifndef PMON_QUERY_RANKS_H
#define PMON_QUERY_RANKS_H

#include "query/rows.h"

struct pmon_ranks_line;

// A series that goes the plain way.
struct pmon_ranks_plain {
	uint32_t series;
	uint32_t at; // position in the sample
};

// The lines of one formula, and of all that goes with it.
struct pmon_ranks_kind {
	uint32_t line; // one of them
	uint32_t open; // the first with an empty lane
};

#define PMON_RANKS_KINDS 32 // that are told apart: series of others go the plain way

struct pmon_ranks {
	const struct pmon_allocator *allocator;
	bool is_open;     // series stand here, or will
	unsigned n_alike; // samples that have followed one another before
	uint32_t stream;  // of the newest sample of which that was so
	uint64_t ordinal;
	uint32_t n_samples; // since they stand here
	uint32_t *series;   // of the newest sample
	size_t n;
	size_t series_cap;
	uint32_t *others; // positions at which it has other series than the one before
	size_t n_others;
	size_t others_cap;
	struct pmon_ranks_line *lines;
	size_t n_lines;
	size_t lines_cap;
	void *memory; // that the lines are in
	size_t memory_size;
	struct pmon_ranks_kind kinds[PMON_RANKS_KINDS];
	size_t n_kinds;
	uint32_t *places; // by series: where it stands
	size_t n_places;
	size_t places_cap;
	struct pmon_ranks_plain *plain;
	size_t n_plain;
	size_t plain_cap;
};

// Frees the struct itself too.
void pmon_ranks_free(struct pmon_ranks *ranks);

// Add a sample; there is a row of each of its series. PMON_E_STATE when it has to go to the rows, which
// are then as they are to be for that; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_ranks_add(struct pmon_ranks *ranks, struct pmon_rows *rows,
					       const struct pmon_sample *sample);

// All go back to their rows.
void pmon_ranks_leave(struct pmon_ranks *ranks, const struct pmon_rows *rows);

#endif
