// tables.h - the modules of SQLite that show logs as tables (private)
// SPDX-License-Identifier: MIT
//
// A table is planned and filtered (plan.c), scanned (scan.c), and its cells are set (cells.c); tables.c registers all that.

#ifndef PMON_SQL_TABLES_H
#define PMON_SQL_TABLES_H

#include "base/mem.h"
#include "model/pace.h"
#include "query/latency.h"
#include "query/tidy.h"
#include "sql/parts.h"

enum sql_kind {
	SQL_VALUES,
	SQL_RAW,
	SQL_COUNTERS,
	SQL_MACHINES,
};

// The columns of pmon_values are those of a tidy row, and then these.
enum {
	SQL_VALUES_FILE = PMON_TIDY_COLUMNS, // the first hidden one: the argument of pmon_values()
	SQL_VALUES_OPERANDS,
	SQL_VALUES_AHEAD,
};

// The columns of pmon_raw and pmon_counters begin with those of a tidy row.
#define SQL_RAW_TIDY 10
enum {
	SQL_RAW_STATUS = SQL_RAW_TIDY,
	SQL_RAW_FIRST,
	SQL_RAW_SECOND,
	SQL_RAW_MULTI,
	SQL_RAW_TIME_BASE,
	SQL_RAW_FILE,
};

#define SQL_COUNTERS_TIDY 7
enum {
	SQL_COUNTERS_UNIT = SQL_COUNTERS_TIDY,
	SQL_COUNTERS_SAMPLES,
	SQL_COUNTERS_FIRST,
	SQL_COUNTERS_LAST,
	SQL_COUNTERS_FILE,
};

enum {
	SQL_MACHINES_MACHINE,
	SQL_MACHINES_ID,
	SQL_MACHINES_COUNTERS,
	SQL_MACHINES_SAMPLES,
	SQL_MACHINES_FIRST,
	SQL_MACHINES_LAST,
	SQL_MACHINES_FILE,
};

struct sql_schema {
	const char *module;
	const char *schema;
	int file; // the hidden column that is the argument of a table-valued function
};

extern const struct sql_schema pmon_sql_schemas[];

// A module of a connection, with the host's functions.
struct sql_module {
	struct pmon_sql_host host;
	enum sql_kind kind;
};

struct sql_table {
	sqlite3_vtab base;
	const struct sql_module *module;
	char **files; // quotes removed
	size_t n_files;
};

// The state of a series in a scan.
struct sql_seen {
	uint64_t hash; // of its identity
	uint32_t life;
	uint32_t stream;
	uint64_t ordinal;
	bool is_begun;
	bool is_hidden;
	bool needs_two;
	bool is_whole;  // as in struct pmon_spread
	pmon_time time; // of its newest raw value
	int64_t jumps_100ns;
	uint64_t samples;
	pmon_time first;
};

// A machine of pmon_machines.
struct sql_machine {
	struct pmon_span name;
	uint64_t counters;
	uint64_t samples; // of the counter that has most
	pmon_time first;
	pmon_time last;
};

// A condition on the time, in the bytewise order of texts.
struct sql_bound {
	unsigned char op; // SQLITE_INDEX_CONSTRAINT_*
	char *text;
};

struct sql_cursor {
	sqlite3_vtab_cursor base;
	bool is_open;
	struct pmon_sql_input input;
	struct pmon_tidy tidy;
	struct pmon_paces paces;
	const struct pmon_pace *pace;
	struct pmon_latencies latencies;
	struct sql_seen *seen;
	size_t n_seen;
	size_t seen_cap;
	struct sql_machine *machines;
	size_t n_machines;
	size_t machines_cap;
	struct sql_bound *bounds;
	size_t n_bounds;
	const struct pmon_sample *sample;
	size_t i; // in the sample; or of the series or machine
	bool is_at_end;
	sqlite3_int64 rowid;
	struct pmon_tidy_row row;
	bool has_span;
	pmon_time span_time;
	struct pmon_tidy_cell cell;
};

// The tidy column that a column of a table shows. False if it shows another value.
bool pmon_sql_tidy_column(enum sql_kind kind, int column, enum pmon_tidy_column *tidy);

// ---- plan.c ----

int pmon_sql_best_index(sqlite3_vtab *base, sqlite3_index_info *info);
int pmon_sql_filter(sqlite3_vtab_cursor *base, int number, const char *plan, int argc,
		    sqlite3_value **argv);

// ---- scan.c: each int is a status of SQLite ----

// Open the log and go to the first row. `file` is the argument of a table-valued function, or NULL. Without patterns all
// counters are read.
int pmon_sql_scan_begin(struct sql_cursor *cursor, const char *file, const char *const *patterns,
			size_t n_patterns);
int pmon_sql_scan_next(sqlite3_vtab_cursor *base);
void pmon_sql_scan_end(struct sql_cursor *cursor);

// ---- cells.c ----

int pmon_sql_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column);

#endif
