// tables.c - the modules of SQLite that show logs as tables: what there is, and how SQLite calls it
// SPDX-License-Identifier: MIT

#include "sql/tables.h"

#include <string.h>

// The columns of pmon_raw and pmon_counters begin with names.
static const enum pmon_tidy_column raw_tidy[] = {
	PMON_TIDY_TIME,          PMON_TIDY_MACHINE, PMON_TIDY_OBJECT, PMON_TIDY_INSTANCE,
	PMON_TIDY_PARENT,        PMON_TIDY_COUNTER, PMON_TIDY_PATH,   PMON_TIDY_PID,
	PMON_TIDY_PROCESS_START, PMON_TIDY_TYPE,
};
_Static_assert(sizeof(raw_tidy) / sizeof(raw_tidy[0]) == SQL_RAW_TIDY,
	       "as many as the header says");

static const enum pmon_tidy_column counters_tidy[] = {
	PMON_TIDY_MACHINE, PMON_TIDY_OBJECT, PMON_TIDY_INSTANCE, PMON_TIDY_PARENT,
	PMON_TIDY_COUNTER, PMON_TIDY_PATH,   PMON_TIDY_TYPE,
};
_Static_assert(sizeof(counters_tidy) / sizeof(counters_tidy[0]) == SQL_COUNTERS_TIDY,
	       "as many as the header says");

const struct sql_schema pmon_sql_schemas[] = {
	[SQL_VALUES] = {"pmon_values",
			"CREATE TABLE x(time TEXT, machine TEXT, object TEXT, instance TEXT, "
			"parent TEXT, counter TEXT, path TEXT, pid INTEGER, process_start TEXT, "
			"type TEXT, value REAL, status TEXT, n, d INTEGER, \"add\" REAL, mul REAL, "
			"file TEXT HIDDEN, operands BLOB HIDDEN, utc_offset INTEGER HIDDEN)",
			SQL_VALUES_FILE},
	[SQL_RAW] =
		{"pmon_raw",
		 "CREATE TABLE x(time TEXT, machine TEXT, object TEXT, instance TEXT, parent TEXT, "
		 "counter TEXT, path TEXT, pid INTEGER, process_start TEXT, type TEXT, "
		 "status TEXT, first, second INTEGER, multi INTEGER, time_base INTEGER, "
		 "file TEXT HIDDEN)",
		 SQL_RAW_FILE},
	[SQL_COUNTERS] = {"pmon_counters",
			  "CREATE TABLE x(machine TEXT, object TEXT, instance TEXT, parent TEXT, "
			  "counter TEXT, path TEXT, type TEXT, unit TEXT, samples INTEGER, "
			  "first_time TEXT, last_time TEXT, file TEXT HIDDEN)",
			  SQL_COUNTERS_FILE},
	[SQL_MACHINES] =
		{"pmon_machines",
		 "CREATE TABLE x(machine TEXT, id TEXT, counters INTEGER, samples INTEGER, "
		 "first_time TEXT, last_time TEXT, file TEXT HIDDEN)",
		 SQL_MACHINES_FILE},
};

bool
pmon_sql_tidy_column(enum sql_kind kind, int column, enum pmon_tidy_column *tidy)
{
	if (kind == SQL_VALUES && column < PMON_TIDY_COLUMNS)
		*tidy = (enum pmon_tidy_column)column;
	else if (kind == SQL_RAW && (size_t)column < SQL_RAW_TIDY)
		*tidy = raw_tidy[column];
	else if (kind == SQL_COUNTERS && (size_t)column < SQL_COUNTERS_TIDY)
		*tidy = counters_tidy[column];
	else
		return false;
	return true;
}

// ---- Tables -----------------------------------------------------------------------------------

static void
free_table(struct sql_table *table)
{
	for (size_t i = 0; i < table->n_files; i++)
		sqlite3_free(table->files[i]);
	sqlite3_free(table->files);
	sqlite3_free(table);
}

// The text of an SQL literal: 'it''s' is it's.
static char *
unquoted(const char *text)
{
	size_t len = strlen(text);
	char quote = text[0];
	char *out = sqlite3_malloc64(len + 1);
	size_t n = 0;

	if (out == NULL)
		return NULL;
	if (len < 2 || (quote != '\'' && quote != '"') || text[len - 1] != quote) {
		memcpy(out, text, len + 1);
		return out;
	}
	for (size_t i = 1; i + 1 < len; i++) {
		out[n++] = text[i];
		i += text[i] == quote && text[i + 1] == quote && i + 2 < len;
	}
	out[n] = '\0';
	return out;
}

static int
connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **error)
{
	const struct sql_module *module = aux;
	struct sql_table *table = sqlite3_malloc64(sizeof(*table));
	size_t n = argc > 3 ? (size_t)argc - 3 : 0;
	int rc;

	(void)error;
	if (table == NULL)
		return SQLITE_NOMEM;
	*table = (struct sql_table){.module = module};
	table->files = n > 0 ? sqlite3_malloc64(n * sizeof(*table->files)) : NULL;
	for (size_t i = 0; i < n && table->files != NULL; i++) {
		table->files[i] = unquoted(argv[3 + i]);
		if (table->files[i] == NULL)
			break;
		table->n_files++;
	}
	rc = table->n_files == n ? sqlite3_declare_vtab(db, pmon_sql_schemas[module->kind].schema)
				 : SQLITE_NOMEM;
	// Files are opened by name: not from within a view or trigger of a database that came from elsewhere.
	if (rc == SQLITE_OK)
		rc = sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
	if (rc != SQLITE_OK)
		free_table(table);
	else
		*out = &table->base;
	return rc;
}

static int
disconnect(sqlite3_vtab *base)
{
	free_table((struct sql_table *)base);
	return SQLITE_OK;
}

// ---- Cursors ----

static int
open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
	struct sql_cursor *cursor = sqlite3_malloc64(sizeof(*cursor));

	(void)base;
	if (cursor == NULL)
		return SQLITE_NOMEM;
	*cursor = (struct sql_cursor){.is_open = false};
	*out = &cursor->base;
	return SQLITE_OK;
}

static int
close_cursor(sqlite3_vtab_cursor *base)
{
	pmon_sql_scan_end((struct sql_cursor *)base);
	sqlite3_free(base);
	return SQLITE_OK;
}

static int
at_end(sqlite3_vtab_cursor *base)
{
	return ((struct sql_cursor *)base)->is_at_end;
}

static int
rowid_of(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = ((struct sql_cursor *)base)->rowid;
	return SQLITE_OK;
}

// ---- Modules ----------------------------------------------------------------------------------

static const sqlite3_module module = {
	.iVersion = 1,
	.xCreate = connect,
	.xConnect = connect,
	.xBestIndex = pmon_sql_best_index,
	.xDisconnect = disconnect,
	.xDestroy = disconnect,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = pmon_sql_filter,
	.xNext = pmon_sql_scan_next,
	.xEof = at_end,
	.xColumn = pmon_sql_column,
	.xRowid = rowid_of,
};

int
pmon_sql_add_tables(sqlite3 *db, const struct pmon_sql_host *host)
{
	int rc = SQLITE_OK;

	for (size_t i = 0;
	     rc == SQLITE_OK && i < sizeof(pmon_sql_schemas) / sizeof(pmon_sql_schemas[0]); i++) {
		struct sql_module *own = sqlite3_malloc64(sizeof(*own));

		if (own == NULL)
			return SQLITE_NOMEM;
		*own = (struct sql_module){.host = *host, .kind = (enum sql_kind)i};
		// SQLite frees it, also when this fails.
		rc = sqlite3_create_module_v2(db, pmon_sql_schemas[i].module, &module, own,
					      sqlite3_free);
	}
	return rc;
}
