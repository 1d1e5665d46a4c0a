// sqlite.h - performance logs in SQLite databases
// SPDX-License-Identifier: MIT
//
// docs/reference/formats/sqlite.md describes the tables and views. A log is read either exactly,
// from the tables that pmon adds, or only from the tables of PDH's SQL logs.

#ifndef PMON_FORMAT_SQLITE_H
#define PMON_FORMAT_SQLITE_H

#include <sqlite3.h>

#include "base/map.h"
#include "format/format.h"
#include "format/log_sets.h"
#include "model/gather.h"
#include "model/pace.h"
#include "model/report.h"
#include "model/streams.h"
#include "query/slots.h"

#define SQLOG_MAGIC          "SQLite format 3" // with its NUL, the first 16 bytes
#define SQLOG_APPLICATION_ID 0x706D6F6E        // "pmon"
#define SQLOG_VERSION        1                 // version of pmon's tables: user_version

// ---- schema.c, views.c: what pmon writes ----------------------------------------------------

// Create the tables and views of an empty database, and fill in the counter types; create only the
// views; index the complete database. Each returns an SQLite status.
int pmon_sqlite_make_tables(sqlite3 *db);
int pmon_sqlite_make_views(sqlite3 *db);
int pmon_sqlite_make_indexes(sqlite3 *db);

// The indexes that a growing database can have. Values arrive in sample order: with an index by
// counter, each value would write a separate page.
int pmon_sqlite_make_live_indexes(sqlite3 *db);

// The kinds of rows, each written by its own statement.
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

// ---- means.c ----------------------------------------------------------------------------------

// Write the rows that qualify the means of displayed values, for the views. An SQLite status.
int pmon_sqlite_make_means(sqlite3 *db, const struct pmon_schema *schema,
			   const struct pmon_allocator *allocator);

// ---- wal.c ------------------------------------------------------------------------------------

// Merge the database and its write-ahead log into one file. *unmark: all is in the file, but SQLite
// left its WAL mark, as it does if the file was moved. While others read the database, the log
// stays. An SQLite status.
int pmon_sqlite_leave_wal(sqlite3 *db, bool *unmark);

// ---- machines.c -------------------------------------------------------------------------------

// Create the table of machine IDs, if any are known. An SQLite status.
int pmon_sqlite_make_machines(sqlite3 *db, const struct pmon_source_info *info);

// ---- continue.c: appending to a database --------------------------------------------

// An existing recording: one log set of one machine.
struct sqlog_old {
	bool is_there;
	char guid[PMON_GUID_TEXT];
	int64_t samples;  // highest pmon_sample.id
	uint64_t records; // highest RecordIndex
	uint64_t next_ordinal;
	int64_t next_series; // first free CounterID
	pmon_time first;
	pmon_time last;
	int32_t utc_offset_min; // of the first sample
	sqlite3_stmt *find;
	int rc; // SQLite's first failure
	const struct pmon_allocator *allocator;
	bool is_joined;            // pmon_sqlite_old_join() was called
	struct pmon_schema schema; // of its newest sample and the first new one
	int64_t *ids;              // CounterIDs of the newest sample, ascending
	size_t n_ids;
	size_t ids_cap;
	uint32_t *numbers; // series of the first new sample's values, in that schema
	size_t numbers_cap;
	struct pmon_slots places;
	struct pmon_gather gather;
	struct pmon_gather starts; // initial values of processes in the first new sample
};

// PMON_E_STATE if the database is something else.
PMON_NODISCARD enum pmon_status pmon_sqlite_old_open(struct sqlog_old *old, sqlite3 *db,
						     const struct pmon_allocator *allocator,
						     struct pmon_err *err);

// The ID of an existing series, and its run in the newest sample; -1 if it is missing from that.
// PMON_E_NOTFOUND, which sets nothing, if there is no such series.
PMON_NODISCARD enum pmon_status pmon_sqlite_old_series(const struct sqlog_old *old,
						       const struct pmon_series *series,
						       int64_t *id, int64_t *run,
						       struct pmon_err *err);

// Compare the first added sample with the newest one in the database: if the process differs, the
// raw value is PMON_RAW_CHANGED, and old->starts has the initial values of processes that began in
// between or had a different slot.
PMON_NODISCARD enum pmon_status pmon_sqlite_old_join(struct sqlog_old *old,
						     const struct pmon_schema *schema,
						     const struct pmon_sample **sample,
						     struct pmon_err *err);

// After that: whether value i of that sample belongs to a different process.
bool pmon_sqlite_old_changed(const struct sqlog_old *old, size_t i);
void pmon_sqlite_old_close(struct sqlog_old *old); // before the database

// ---- vfs.c: a database inside of a struct pmon_file -----------------------------------------

// registered under a unique name while open
struct sqlog_vfs {
	sqlite3_vfs vfs; // first: SQLite passes it back
	sqlite3_vfs *os; // for temporary files when sorting
	struct pmon_file *file;
	struct pmon_file *wal; // its write-ahead log, if there is one to read
	uint64_t size;         // expected size of the database; a shorter file is padded with zeros
	uint64_t read_left;    // bytes that may still be read
	uint64_t spool_left;   // ... and written to temporary files
	bool is_over;          // a limit was exceeded
	struct pmon_err err;   // of the last read that failed
	char name[40];
};

bool pmon_sqlite_vfs_register(struct sqlog_vfs *vfs, struct pmon_file *file);

// Set the limits to what one pass over a database of `size` bytes may read and spool.
void pmon_sqlite_vfs_allow(struct sqlog_vfs *vfs, uint64_t size);
void pmon_sqlite_vfs_unregister(struct sqlog_vfs *vfs);

// A file name that SQLite cannot mistake for a URI such as "file:a.db?mode=memory", or for
// ":memory:". Free it with its size; NULL when memory is short.
char *pmon_sqlite_name(const char *path, const struct pmon_allocator *allocator, size_t *size);

// ---- counters.c: the counters of a log ----------------------------------------------

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

// The series for the values of a counter in a stream.
struct sqlog_known {
	int64_t id;
	uint32_t stream;
	uint32_t series; // PMON_SERIES_NONE: not wanted, or unknown
	bool unnamed;    // unknown: CounterDetails has no such counter
};

// ---- read.c: the source ---------------------------------------------------------------------

#define SQLOG_GUID_SIZE 64

// Values of counters missing from CounterDetails.
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
	struct pmon_source source; // must be first
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
	bool exact;           // read from pmon's own tables
	bool ignores_changes; // of processes
	bool tells_values;    // samples have their number of values
	bool cut;             // the file is shorter than the database header states
	bool has_wal;         // is read together with its write-ahead log ...
	bool is_shared;       // ... by SQLite's own locking, because others have it open
	uint64_t steps_left;
	uint64_t cpu_ns;      // of this thread since the log was opened
	uint64_t cpu_ns_seen; // CPU clock of the thread at the last update; 0: never

	struct sqlog_counter *counters; // by ID; only for PDH's tables
	size_t n_counters;
	size_t counters_cap;
	struct sqlog_known *known;
	size_t n_known;
	size_t known_cap;
	struct pmon_map known_map;
	uint64_t seed;               // of its hashes
	struct pmon_streams streams; // of its own tables
	struct sqlog_set *sets;
	size_t n_sets;
	size_t sets_cap;
	bool unknown_set_told;

	sqlite3_stmt *rows;
	bool has_row; // the statement is at an unprocessed row
	bool done;
	bool is_checked;   // whether rows are missing
	int64_t last_id;   // number of the last sample, for the progress
	uint64_t n_values; // rows read from CounterData
	struct sqlog_unnamed unnamed;
	struct pmon_gather gather;
	struct pmon_perf_place perf;
};

// Read CounterDetails. If the log is exact, add all counters to the schema at once.
PMON_NODISCARD enum pmon_status pmon_sqlite_counters_load(struct sqlog *log, struct pmon_err *err);

// The series of a counter in a stream; with only PDH's tables, a new one is added.
PMON_NODISCARD enum pmon_status pmon_sqlite_series(struct sqlog *log, uint32_t stream, int64_t id,
						   uint32_t *series_out, struct pmon_err *err);

// Whether all of these are real tables. read.c
PMON_NODISCARD enum pmon_status pmon_sqlite_has_tables(struct sqlog *log, const char *const *names,
						       size_t n, bool *out, struct pmon_err *err);

// Add the machine IDs to the source info, if the log has any. machines.c
PMON_NODISCARD enum pmon_status pmon_sqlite_read_machines(struct sqlog *log, struct pmon_err *err);

// Prepare one of pmon's own statements. PMON_E_FORMAT, and others depending on SQLite.
PMON_NODISCARD enum pmon_status pmon_sqlite_prepare(struct sqlog *log, const char *sql,
						    sqlite3_stmt **out, struct pmon_err *err);

// The result of a query for one number; `none` if there is no row.
PMON_NODISCARD enum pmon_status pmon_sqlite_ask(struct sqlog *log, const char *sql, int64_t none,
						int64_t *out, struct pmon_err *err);

// Convert SQLite's last error to a pmon status.
enum pmon_status pmon_sqlite_failure(struct sqlog *log, int rc, struct pmon_err *err);

// ---- rows.c: values -------------------------------------------------------------------------

// Start reading values from the first; read the next sample into log->sample.
PMON_NODISCARD enum pmon_status pmon_sqlite_rows_begin(struct sqlog *log, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_sqlite_rows_next(struct sqlog *log, struct pmon_err *err);

// ---- missing.c: rows that are missing -------------------------------------------------------

// After loading, report counters on which our tables are inconsistent.
PMON_NODISCARD enum pmon_status pmon_sqlite_unmatched(struct sqlog *log, struct pmon_err *err);

// After the last value, report values without a sample, and missing samples.
PMON_NODISCARD enum pmon_status pmon_sqlite_missing(struct sqlog *log, struct pmon_err *err);

extern const struct pmon_format pmon_format_sqlite;
extern const struct pmon_writer pmon_sqlite_writer; // write.c

#endif
