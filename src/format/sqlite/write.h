// write.h - the parts of the database writer (private)
// SPDX-License-Identifier: MIT
//
// write.c is the sink and writes series and samples; write_sets.c writes the log sets of the
// samples.

#ifndef PMON_FORMAT_SQLITE_WRITE_H
#define PMON_FORMAT_SQLITE_WRITE_H

#include "base/time.h"
#include "format/sqlite/cells.h"
#include "format/log_sets.h"
#include "format/sqlite/sqlite.h"
#include "model/sink.h"
#include "os/outfile.h"

// The position of a series in its newest sample, from which an absence is recognized.
struct sqlog_out_place {
	int64_t id; // CounterID
	uint64_t ordinal;
	uint32_t stream;
	uint32_t run;
	bool begun;
	bool has_start; // its next value is paired with a row of pmon_start
};

struct sqlog_writer {
	struct pmon_sink sink; // must be first
	const struct pmon_allocator *allocator;
	struct pmon_outfile *file;
	sqlite3 *db;
	sqlite3_stmt *insert[SQLOG_N_ROWS];
	const struct pmon_schema *schema;
	const struct pmon_source_info *info;
	bool live;
	struct sqlog_old old;     // for a database that is continued
	char stem[PMON_SET_STEM]; // of the name of the file
	struct pmon_log_set *sets;
	size_t n_sets;
	size_t sets_cap;
	struct sqlog_out_place *places; // by series
	size_t n_places;
	size_t places_cap;
	int64_t n_samples;
	uint64_t rows;  // since the last commit
	pmon_time time; // of the newest row of CounterData, as stored
	char time_text[PMON_TIME_SIZE];
};

// ---- write.c ----------------------------------------------------------------------------------

static inline struct sqlog_cells
sqlog_row_of(const struct sqlog_writer *w, enum sqlog_insert which)
{
	return (struct sqlog_cells){.stmt = w->insert[which], .column = 1, .rc = SQLITE_OK};
}

PMON_NODISCARD enum pmon_status pmon_sqlite_insert(const struct sqlog_writer *w,
						   struct sqlog_cells *row, struct pmon_err *err);

// ---- write_sets.c -------------------------------------------------------------------------------

// The log set of the sample's stream; created for its first sample.
PMON_NODISCARD enum pmon_status pmon_sqlite_out_set(struct sqlog_writer *w,
						    const struct pmon_sample *sample,
						    struct pmon_log_set **out,
						    struct pmon_err *err);

// Write the current facts about the log sets: their rows of DisplayToID.
PMON_NODISCARD enum pmon_status pmon_sqlite_tell_sets(const struct sqlog_writer *w,
						      struct pmon_err *err);

#endif
