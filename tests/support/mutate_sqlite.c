// mutate_sqlite.c - mutate databases by their tables, rows and columns
// SPDX-License-Identifier: MIT

#include "mutate.h"

#ifdef PMON_WITH_SQLITE

#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#define NAME_SIZE 128

// The values as SQL literals.
static const char *const values[] = {
	"NULL",
	"0",
	"1",
	"-1",
	"9223372036854775807",
	"-9223372036854775808",
	"2147483648",
	"1e308",
	"9e999",
	"'x'",
	"''",
	"zeroblob(100)",
	"x'00ff'",
	"'2026-02-30 25:61:61.999'",
	"'9999-12-31 23:59:59.999'",
	"printf('%.*c', 5000, 'a')",
	"char(27) || '[31m'",
};

// Appended to the old value.
static const char *const changes[] = {" + 1", " - 1", " * 2", " / 2", " | 4096", " || 'x'"};

// A text from a random row of a statement's result.
static bool
pick_text(struct mutate *m, sqlite3 *db, const char *sql, char out[NAME_SIZE])
{
	sqlite3_stmt *stmt;
	size_t n = 0;
	bool is_found = false;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return false;
	while (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_text(stmt, 0) != NULL) {
		if (mutate_random(m, ++n) != 0)
			continue;
		(void)snprintf(out, NAME_SIZE, "%s", (const char *)sqlite3_column_text(stmt, 0));
		is_found = strpbrk(out, "\"%'") == NULL;
	}
	sqlite3_finalize(stmt);
	return is_found;
}

static bool
run(sqlite3 *db, const char *sql)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

// A condition for one random row, or for several.
static void
some_rows(struct mutate *m, const char *table, char *where, size_t size)
{
	if (mutate_random(m, 4) == 0)
		(void)snprintf(where, size, "rowid %% %zu = 0", 2 + mutate_random(m, 5));
	else
		(void)snprintf(where, size,
			       "rowid = (select min(rowid) + %zu %% (1 + max(rowid) - min(rowid)) "
			       "from \"%s\")",
			       mutate_random(m, 1 << 20), table);
}

static bool
change_rows(struct mutate *m, sqlite3 *db, const char *table)
{
	char sql[1024];
	char where[256];
	char column[NAME_SIZE];
	const char *value = values[mutate_random(m, sizeof(values) / sizeof(values[0]))];
	const char *change = changes[mutate_random(m, sizeof(changes) / sizeof(changes[0]))];

	some_rows(m, table, where, sizeof(where));
	(void)snprintf(sql, sizeof(sql), "select name from pragma_table_info('%s')", table);
	if (!pick_text(m, db, sql, column))
		return false;
	if (mutate_random(m, 3) == 0)
		(void)snprintf(sql, sizeof(sql),
			       "update or ignore \"%s\" set \"%s\" = \"%s\"%s where %s", table,
			       column, column, change, where);
	else
		(void)snprintf(sql, sizeof(sql), "update or ignore \"%s\" set \"%s\" = %s where %s",
			       table, column, value, where);
	return run(db, sql);
}

static bool
change_table(struct mutate *m, sqlite3 *db)
{
	char table[NAME_SIZE];
	char where[256];
	char sql[1024];

	if (!pick_text(m, db, "select name from sqlite_schema where type = 'table'", table))
		return false;
	some_rows(m, table, where, sizeof(where));
	switch (mutate_random(m, 12)) {
	case 0:
	case 1:
		(void)snprintf(sql, sizeof(sql), "delete from \"%s\" where %s", table, where);
		return run(db, sql);
	case 2:
		(void)snprintf(sql, sizeof(sql),
			       "insert or ignore into \"%s\" select * from \"%s\" where %s", table,
			       table, where);
		return run(db, sql);
	case 3:
		(void)snprintf(sql, sizeof(sql), "%s \"%s\"",
			       mutate_random(m, 2) ? "drop table" : "delete from", table);
		return run(db, sql);
	default:
		return change_rows(m, db, table);
	}
}

bool
mutate_sqlite(struct mutate *m)
{
	unsigned flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE;
	sqlite3_int64 size = (sqlite3_int64)m->size;
	unsigned char *copy = sqlite3_malloc64(m->size);
	unsigned char *made = NULL;
	sqlite3 *db = NULL;
	bool is_done = false;

	if (copy == NULL || sqlite3_open(":memory:", &db) != SQLITE_OK) {
		sqlite3_free(copy);
		sqlite3_close(db);
		return false;
	}
	memcpy(copy, m->data, m->size);
	// The header of a database with a write-ahead log says so, which an in-memory database does
	// not support.
	if (m->size > 20)
		copy[18] = copy[19] = 1;
	if (sqlite3_deserialize(db, "main", copy, size, size, flags) == SQLITE_OK) {
		(void)run(db, "pragma journal_mode = off");
		is_done = change_table(m, db);
		made = is_done ? sqlite3_serialize(db, "main", &size, 0) : NULL;
	}
	is_done = made != NULL && (size_t)size <= m->max;
	if (is_done) {
		memcpy(m->data, made, (size_t)size);
		m->size = (size_t)size;
	}
	sqlite3_free(made);
	sqlite3_close(db);
	return is_done;
}

#else

bool
mutate_sqlite(struct mutate *m)
{
	(void)m;
	return false;
}

#endif
