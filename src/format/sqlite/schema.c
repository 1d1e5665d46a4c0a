// schema.c - the tables of a database that pmon writes
// SPDX-License-Identifier: MIT
//
// CounterData, CounterDetails and DisplayToID have PDH's columns in PDH's order; CounterData has
// four more after them. The key of CounterData is an index that is made at the end, which is faster
// than one that grows with each row.

#include "format/sqlite/sqlite.h"

#include "core/sql.h"

static const char tables[] =
	"CREATE TABLE CounterDetails (\n"
	" CounterID integer PRIMARY KEY NOT NULL,\n"
	" MachineName varchar(1024) NOT NULL,\n"
	" ObjectName varchar(1024) NOT NULL,\n"
	" CounterName varchar(1024) NOT NULL,\n"
	" CounterType int NOT NULL,\n"
	" DefaultScale int NOT NULL,\n"
	" InstanceName varchar(1024),\n"
	" InstanceIndex int,\n"
	" ParentName varchar(1024),\n"
	" ParentObjectID int,\n"
	" TimeBaseA int,\n"
	" TimeBaseB int);\n"
	"CREATE TABLE DisplayToID (\n"
	" GUID uniqueidentifier PRIMARY KEY NOT NULL,\n"
	" RunID int,\n"
	" DisplayString varchar(1024) NOT NULL UNIQUE,\n"
	" LogStartTime char(24),\n"
	" LogStopTime char(24),\n"
	" NumberOfRecords int,\n"
	" MinutesToUTC int,\n"
	" TimeZoneName char(32));\n"
	"CREATE TABLE CounterData (\n"
	" GUID uniqueidentifier NOT NULL,\n"
	" CounterID int NOT NULL,\n"
	" RecordIndex int NOT NULL,\n"
	" CounterDateTime char(24) NOT NULL,\n"
	" CounterValue float NOT NULL,\n"
	" FirstValueA int,\n"
	" FirstValueB int,\n"
	" SecondValueA int,\n"
	" SecondValueB int,\n"
	" MultiCount int,\n"
	" Sample int,\n"    // pmon_sample.id
	" Status int,\n"    // PDH_CSTATUS_* of the raw value
	" Time100ns int,\n" // FILETIME, UTC; NULL is not known
	" Run int);\n"      // goes up where the counter was absent
	"CREATE TABLE pmon_log (\n"
	" stream integer PRIMARY KEY NOT NULL,\n"
	" GUID uniqueidentifier NOT NULL,\n"
	" format text,\n"
	" writer text,\n"
	" machine text,\n"
	" zone text,\n"
	" utc_offset_min int,\n"
	" log_start_100ns int,\n"
	" log_end_100ns int,\n"
	" converter text,\n"
	" sampled_by_pmon int);\n"
	"CREATE TABLE pmon_series (\n"
	" id integer PRIMARY KEY NOT NULL,\n" // CounterDetails.CounterID
	" path text NOT NULL,\n"
	" type_word int NOT NULL,\n"
	" time_base int NOT NULL,\n"
	" size_bytes int NOT NULL,\n"
	" listed int NOT NULL,\n" // ascending in the order of the log
	" source int NOT NULL,\n"
	" wildcard int NOT NULL,\n"
	" formatted int NOT NULL,\n"
	" known_type int);\n"
	"CREATE TABLE pmon_sample (\n"
	" id integer PRIMARY KEY NOT NULL,\n"
	" stream int NOT NULL,\n"
	" RecordIndex int NOT NULL,\n"
	" ordinal int NOT NULL,\n"
	" time text NOT NULL,\n" // ISO 8601, UTC
	" time_100ns int NOT NULL,\n"
	" utc_offset_min int NOT NULL,\n"
	" lead_in int NOT NULL,\n"
	" n_values int);\n"           // rows of CounterData
	"CREATE TABLE pmon_start (\n" // what a counter was when its process began, in an interval
	" series int NOT NULL,\n"
	" sample int NOT NULL,\n" // pmon_sample.id, at the end of the interval
	" run int NOT NULL,\n"
	" time_100ns int NOT NULL,\n"
	" first int NOT NULL,\n"
	" second int NOT NULL,\n"
	" multi int NOT NULL);\n"
	"CREATE TABLE pmon_window (\n"
	" name text PRIMARY KEY NOT NULL,\n"
	" time_from text,\n" // ISO 8601, UTC; NULL: from the first sample
	" time_to text);\n"
	"INSERT INTO pmon_window VALUES ('all', NULL, NULL);\n"
	"CREATE TABLE pmon_group (\n"
	" name text NOT NULL,\n" // counters to average over together
	" series integer NOT NULL,\n"
	" PRIMARY KEY (name, series)) WITHOUT ROWID;\n"
	"CREATE TABLE pmon_type (\n"
	" word integer PRIMARY KEY NOT NULL,\n" PMON_SQL_TYPE_COLUMNS("int") ");\n";

// The indexes are made and dropped while there is nothing to index, so that the first pages have room
// for what describes them and a file that was cut at its end can still be opened.
static const char unmake_indexes[] = "DROP INDEX CounterData_key;"
				     "DROP INDEX CounterData_sample;"
				     "DROP INDEX pmon_series_path;";

#define KEY_INDEX                                                                                  \
	"CREATE UNIQUE INDEX CounterData_key ON CounterData (CounterID, RecordIndex, GUID);\n"

static const char live_indexes[] = "CREATE INDEX CounterData_sample ON CounterData (Sample);\n"
				   "CREATE INDEX pmon_series_path ON pmon_series (path);\n";

static int
insert_type(sqlite3_stmt *insert, const struct pmon_counter_type *type)
{
	struct pmon_sql_type t = pmon_sql_type(type);

	(void)sqlite3_bind_int64(insert, 1, type->word);
	(void)sqlite3_bind_text(insert, 2, type->name, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(insert, 3, type->unit, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(insert, 4, t.formula, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(insert, 5, type->formula_text, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(insert, 6, type->average_text, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(insert, 7, type->meaning, -1, SQLITE_STATIC);
	(void)sqlite3_bind_int(insert, 8, t.is_single);
	(void)sqlite3_bind_int(insert, 9, t.divides);
	(void)sqlite3_bind_int(insert, 10, t.by_base);
	(void)sqlite3_bind_int(insert, 11, t.needs_ticks);
	(void)sqlite3_bind_int(insert, 12, t.wraps);
	(void)sqlite3_bind_int(insert, 13, t.base_wraps);
	(void)sqlite3_step(insert);
	return sqlite3_reset(insert);
}

// The one table of counter types, a row for each word.
static int
insert_types(sqlite3 *db)
{
	sqlite3_stmt *insert;
	int rc = sqlite3_prepare_v2(
		db, "INSERT INTO pmon_type VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1,
		&insert, NULL);

	for (size_t i = 0; rc == SQLITE_OK && i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);

		if (type == pmon_type_by_word(type->word)) // two names have the same word
			rc = insert_type(insert, type);
	}
	(void)sqlite3_finalize(insert);
	return rc;
}

int
pmon_sqlite_make_tables(sqlite3 *db)
{
	int rc = sqlite3_exec(db, tables, NULL, NULL, NULL);

	if (rc == SQLITE_OK)
		rc = insert_types(db);
	if (rc == SQLITE_OK)
		rc = pmon_sqlite_make_views(db);
	if (rc == SQLITE_OK)
		rc = pmon_sqlite_make_indexes(db);
	return rc == SQLITE_OK ? sqlite3_exec(db, unmake_indexes, NULL, NULL, NULL) : rc;
}

int
pmon_sqlite_make_indexes(sqlite3 *db)
{
	int rc = sqlite3_exec(db, KEY_INDEX, NULL, NULL, NULL);

	return rc == SQLITE_OK ? pmon_sqlite_make_live_indexes(db) : rc;
}

int
pmon_sqlite_make_live_indexes(sqlite3 *db)
{
	return sqlite3_exec(db, live_indexes, NULL, NULL, NULL);
}

// ---- Rows -----------------------------------------------------------------------------------

// The machine is stored as Windows writes it, with its backslashes.
#define INSERT_DETAILS                                                                             \
	"INSERT INTO CounterDetails VALUES (?1, CASE WHEN ?2 IS NULL THEN '' ELSE '\\\\' || ?2 "   \
	"END,"                                                                                     \
	" ?3, ?4, ?5, ?6, ?7, ?8, ?9, NULL, ?10, ?11)"

const char *const pmon_sqlite_inserts[SQLOG_N_ROWS] = {
	INSERT_DETAILS,
	"INSERT INTO pmon_series VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	"INSERT INTO pmon_sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	"INSERT INTO CounterData VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	"INSERT INTO pmon_start VALUES (?, ?, ?, ?, ?, ?, ?)",
	"INSERT INTO pmon_log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	"INSERT OR REPLACE INTO DisplayToID VALUES (?, 0, ?, ?, ?, ?, ?, ?)",
};
