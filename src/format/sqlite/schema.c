// schema.c - the tables of a database that pmon writes
// SPDX-License-Identifier: MIT
//
// The key of CounterData is an index that is created at the end, which is faster than updating it
// with each row.

#include "format/sqlite/sqlite.h"
#include "format/sqlite/sql.h"

#include "core/sql.h"

static const char type_table[] =
	"CREATE TABLE pmon_type (\n"
	" word integer PRIMARY KEY NOT NULL,\n" PMON_SQL_TYPE_COLUMNS("int") ");\n";

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

// Fill in the table of counter types, one row per word.
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

// Create the indexes while the tables are empty, and drop them again: this reserves room for their definitions in the
// first pages, so that a truncated file can still be opened.
int
pmon_sqlite_make_tables(sqlite3 *db)
{
	int rc = sqlite3_exec(db, pmon_sqlite_sql_tables, NULL, NULL, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, type_table, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = insert_types(db);
	if (rc == SQLITE_OK)
		rc = pmon_sqlite_make_views(db);
	if (rc == SQLITE_OK)
		rc = pmon_sqlite_make_indexes(db);
	return rc == SQLITE_OK ? sqlite3_exec(db, pmon_sqlite_sql_drop_indexes, NULL, NULL, NULL)
			       : rc;
}

int
pmon_sqlite_make_indexes(sqlite3 *db)
{
	int rc = sqlite3_exec(db, pmon_sqlite_sql_key_index, NULL, NULL, NULL);

	return rc == SQLITE_OK ? pmon_sqlite_make_live_indexes(db) : rc;
}

int
pmon_sqlite_make_live_indexes(sqlite3 *db)
{
	return sqlite3_exec(db, pmon_sqlite_sql_live_indexes, NULL, NULL, NULL);
}

// ---- Rows -----------------------------------------------------------------------------------

// The machine is stored as Windows writes it, with its backslashes.
#define INSERT_DETAILS                                                                             \
	"INSERT INTO CounterDetails VALUES (?1, CASE WHEN ?2 IS NULL THEN '' ELSE '\\\\' || ?2 "   \
	"END,"                                                                                     \
	" ?3, ?4, ?5, ?6, ?7, ?8, ?9, NULL, ?10, ?11)"

const char *const pmon_sqlite_inserts[SQLOG_N_ROWS] = {
	INSERT_DETAILS,
	"INSERT INTO pmon_series VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	"INSERT INTO pmon_sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	"INSERT INTO CounterData VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	"INSERT INTO pmon_start VALUES (?, ?, ?, ?, ?, ?, ?)",
	"INSERT INTO pmon_log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	"INSERT OR REPLACE INTO DisplayToID VALUES (?, 0, ?, ?, ?, ?, ?, ?)",
};
