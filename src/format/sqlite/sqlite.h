// sqlite.h - performance logs in SQLite databases
// SPDX-License-Identifier: MIT
//
// docs/reference/formats/sqlite.md has the tables and the views. A log is read in one of two ways: exactly, by
// the tables that pmon adds, or by the tables of PDH's own SQL logs alone.

#ifndef PMON_FORMAT_SQLITE_H
#define PMON_FORMAT_SQLITE_H

#include <sqlite3.h>

#include "base/map.h"
#include "format/format.h"
#include "model/gather.h"
#include "model/report.h"
#include "query/places.h"

#define SQLOG_MAGIC          "SQLite format 3" // with its NUL the first 16 bytes
#define SQLOG_APPLICATION_ID 0x706D6F6E        // "pmon"
#define SQLOG_VERSION        1                 // of our tables: user_version

// ---- schema.c, views.c: what pmon writes ----------------------------------------------------

// Make the tables and views of an empty database, and fill in the counter types; make the views alone;
// and index the database once it is full. Each returns an SQLite status.
int pmon_sqlite_make_tables(sqlite3 *db);
int pmon_sqlite_make_views(sqlite3 *db);
int pmon_sqlite_make_indexes(sqlite3 *db);

// The indexes that a database can have while it grows. Values come in the order of samples: an index by
// counter would have each of them write a page of its own.
int pmon_sqlite_make_live_indexes(sqlite3 *db);

// The rows that are written, each by its statement.
enum sqlog_insert {
	SQLOG_ROW_COUNTER,
	SQLOG_ROW_SERIES,
	SQLOG_ROW_SAMPLE,
	SQLOG_ROW_DATA,
	SQLOG_ROW_START,
	SQLOG_ROW_LOG,
	SQLOG_ROW_SET,
	SQLOG_N_ROWS
};

extern const char *const pmon_sqlite_inserts[SQLOG_N_ROWS];

// ---- wal.c ------------------------------------------------------------------------------------

// Make one plain file of the database and its write-ahead log. *unmark when all is in the file, and yet
// SQLite left the mark of such a log in it: so it does when the file has been moved. While others
// read the database the log stays with it. An SQLite status.
int pmon_sqlite_leave_wal(sqlite3 *db, bool *unmark);

// ---- machines.c -------------------------------------------------------------------------------

// Make the table of the ids of machines, if any are known. An SQLite status.
int pmon_sqlite_make_machines(sqlite3 *db, const struct pmon_source_info *info);

// ---- continue.c: a database that is written further --------------------------------------------

#define SQLOG_GUID_TEXT 37

// A recording that is there: one log set of one machine.
struct sqlog_old {
	bool is_there;
	char guid[SQLOG_GUID_TEXT];
	int64_t samples;  // highest pmon_sample.id
	uint64_t records; // highest RecordIndex
	uint64_t next_ordinal;
	int64_t next_series; // first free CounterID
	pmon_time first;
	pmon_time last;
	int32_t utc_offset_min; // of the first sample
	sqlite3_stmt *find;
	int rc; // the first failure of SQLite
	const struct pmon_allocator *allocator;
	bool is_joined;            // pmon_sqlite_old_join() was called
	struct pmon_schema schema; // of its newest sample and the first new one
	int64_t *ids;              // CounterID of those of the newest sample, ascending
	size_t n_ids;
	size_t ids_cap;
	uint32_t *numbers; // of the values of the first new sample, in that schema
	size_t numbers_cap;
	struct pmon_places places;
	struct pmon_gather gather;
	struct pmon_gather starts; // what processes of the first new sample counted from
};

// PMON_E_STATE when the database is something else.
PMON_NODISCARD enum pmon_status pmon_sqlite_old_open(struct sqlog_old *old, sqlite3 *db,
						     const struct pmon_allocator *allocator,
						     struct pmon_err *err);

// The id of a series that is there already, and its run in the newest sample; -1 when it is not in that.
// PMON_E_NOTFOUND, which sets nothing, when it is not there.
PMON_NODISCARD enum pmon_status pmon_sqlite_old_series(const struct sqlog_old *old,
						       const struct pmon_series *series,
						       int64_t *id, int64_t *run,
						       struct pmon_err *err);

// The first sample that is added, compared with the newest one in the database: where the process
// is another one the raw value is PMON_RAW_CHANGED, and old->starts has the initial values of
// processes that began in between or had another place.
PMON_NODISCARD enum pmon_status pmon_sqlite_old_join(struct sqlog_old *old,
						     const struct pmon_schema *schema,
						     const struct pmon_sample **sample,
						     struct pmon_err *err);

// After that: is value i of that sample of another process?
bool pmon_sqlite_old_changed(const struct sqlog_old *old, size_t i);
void pmon_sqlite_old_close(struct sqlog_old *old); // before the database

// ---- vfs.c: a database inside of a struct pmon_file -----------------------------------------

// SQLite's view of the file. It is registered under a name of its own while it is open.
struct sqlog_vfs {
	sqlite3_vfs vfs; // first: SQLite hands it back
	sqlite3_vfs *os; // for temporary files, when something must be sorted
	struct pmon_file *file;
	struct pmon_file *wal; // its write-ahead log, when there is one that is to be read
	uint64_t size;         // what the database should have; where the file is shorter are zeros
	uint64_t read_left;    // bytes that may still be read
	uint64_t spool_left;   // ... and written to temporary files
	bool is_over;          // more was asked for
	struct pmon_err err;   // of the last read that failed
	char name[40];
};

bool pmon_sqlite_vfs_register(struct sqlog_vfs *vfs, struct pmon_file *file);

// From now on, allow as many bytes as reading a database of `size` bytes once may read and spool.
void pmon_sqlite_vfs_allow(struct sqlog_vfs *vfs, uint64_t size);
void pmon_sqlite_vfs_unregister(struct sqlog_vfs *vfs);

// The name of a file as SQLite takes it for nothing else: neither "file:a.db?mode=memory", an URI, nor
// ":memory:". Freed with its size; NULL when memory is short.
char *pmon_sqlite_name(const char *path, const struct pmon_allocator *allocator, size_t *size);

// ---- counters.c: what is known of the counters ----------------------------------------------

// A row of CounterDetails. Texts are in the arena of the log.
struct sqlog_counter {
	int64_t id;
	struct pmon_path path;
	struct pmon_counter counter;
	uint64_t order;
	uint32_t source;
	bool wildcard;
	bool formatted;
	bool type_known;
	uint32_t known_type;
};

// Which series the values of a counter in a stream belong to.
struct sqlog_known {
	int64_t id;
	uint32_t stream;
	uint32_t series; // PMON_SERIES_NONE: not wanted, or not known
	bool unnamed;    // not known: CounterDetails has no such counter
};

// ---- read.c: the source ---------------------------------------------------------------------

#define SQLOG_GUID_SIZE 64

// Values of counters that CounterDetails does not name.
struct sqlog_unnamed {
	uint64_t n;
	uint64_t n_counters;
	int64_t first; // of these counters
};

// A log set of PDH, which is a stream.
struct sqlog_set {
	uint8_t guid[SQLOG_GUID_SIZE];
	size_t guid_len;
	int32_t utc_offset_min;
	uint64_t ordinal; // of the next sample
};

struct sqlog {
	struct pmon_source source; // first, as every source has it
	const struct pmon_allocator *allocator;
	size_t series_limit; // asked for
	size_t wanted_limit;
	size_t string_limit;
	uint64_t path_bytes_left;
	pmon_want_fn want;
	void *want_ctx;
	struct pmon_file *file;
	struct sqlog_vfs vfs;
	bool registered;
	sqlite3 *db;
	struct pmon_report report;
	struct pmon_arena arena;
	bool exact;           // by pmon's own tables
	bool ignores_changes; // of processes
	bool tells_values;    // how many a sample has
	bool cut;             // the file is shorter than the database says
	bool has_wal;         // is read together with its write-ahead log ...
	bool is_shared;       // ... by SQLite's own means, as others have it open
	uint64_t steps_left;
	uint64_t cpu_ns;      // of this thread since the log was opened
	uint64_t cpu_ns_seen; // of it when that was added to; 0: never

	struct sqlog_counter *counters; // by id; of PDH's tables alone
	size_t n_counters;
	size_t counters_cap;
	struct sqlog_known *known;
	size_t n_known;
	size_t known_cap;
	struct pmon_map known_map;
	uint64_t seed; // of its hashes
	struct sqlog_set *sets;
	size_t n_sets;
	size_t sets_cap;
	bool unknown_set_told;

	sqlite3_stmt *rows;
	bool has_row; // the statement is at a row that is not taken yet
	bool done;
	bool is_checked;   // whether rows are missing
	int64_t last_id;   // number of the last sample, for the progress
	uint64_t n_values; // rows of CounterData that were read
	struct sqlog_unnamed unnamed;
	struct pmon_gather gather;
};

// Read CounterDetails. All are added to the schema at once when the log is exact.
PMON_NODISCARD enum pmon_status pmon_sqlite_counters_load(struct sqlog *log, struct pmon_err *err);

// The series of a counter in a stream; of PDH's tables alone it is added when it is new.
PMON_NODISCARD enum pmon_status pmon_sqlite_series(struct sqlog *log, uint32_t stream, int64_t id,
						   uint32_t *series_out, struct pmon_err *err);

// Are these real tables, all of them? read.c
PMON_NODISCARD enum pmon_status pmon_sqlite_has_tables(struct sqlog *log, const char *const *names,
						       size_t n, bool *out, struct pmon_err *err);

// Take the ids of machines into the facts of the source, if the log has any. machines.c
PMON_NODISCARD enum pmon_status pmon_sqlite_read_machines(struct sqlog *log, struct pmon_err *err);

// Prepare a statement of our own. PMON_E_FORMAT and others as SQLite says.
PMON_NODISCARD enum pmon_status pmon_sqlite_prepare(struct sqlog *log, const char *sql,
						    sqlite3_stmt **out, struct pmon_err *err);

// The answer of a query of one number; `none` when there is no row.
PMON_NODISCARD enum pmon_status pmon_sqlite_ask(struct sqlog *log, const char *sql, int64_t none,
						int64_t *out, struct pmon_err *err);

// What SQLite said last, as a status of ours.
enum pmon_status pmon_sqlite_failure(struct sqlog *log, int rc, struct pmon_err *err);

// ---- rows.c: values -------------------------------------------------------------------------

// Begin to read the values from the first; and the next sample, in log->sample.
PMON_NODISCARD enum pmon_status pmon_sqlite_rows_begin(struct sqlog *log, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_sqlite_rows_next(struct sqlog *log, struct pmon_err *err);

// ---- missing.c: rows that are missing -------------------------------------------------------

// Report counters of which one of our tables says what another does not know; after they were loaded.
PMON_NODISCARD enum pmon_status pmon_sqlite_unmatched(struct sqlog *log, struct pmon_err *err);

// Report values without their sample, and samples that are missing; after the last value was read.
PMON_NODISCARD enum pmon_status pmon_sqlite_missing(struct sqlog *log, struct pmon_err *err);

extern const struct pmon_format pmon_format_sqlite;
extern const struct pmon_writer pmon_sqlite_writer; // write.c

#endif
