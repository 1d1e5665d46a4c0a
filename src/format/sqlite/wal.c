// wal.c - merge a database and its write-ahead log into one plain file
// SPDX-License-Identifier: MIT

#include "format/sqlite/sqlite.h"

#include <string.h>

// Does a pragma return this text? It does not while others have the database locked. Returns an
// SQLite status.
static int
says(sqlite3 *db, const char *sql, const char *want, bool *is_same)
{
	sqlite3_stmt *row;
	int rc = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
	const char *text = NULL;

	*is_same = false;
	if (rc == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
		text = (const char *)sqlite3_column_text(row, 0);
		*is_same = text != NULL && strcmp(text, want) == 0;
	}
	if (rc == SQLITE_OK)
		rc = sqlite3_finalize(row);
	return (rc & 0xFF) == SQLITE_BUSY || (rc & 0xFF) == SQLITE_LOCKED ? SQLITE_OK : rc;
}

int
pmon_sqlite_leave_wal(sqlite3 *db, bool *unmark)
{
	bool is_done;
	int rc = says(db, "PRAGMA wal_checkpoint(TRUNCATE)", "0", &is_done);

	*unmark = false;
	if (rc != SQLITE_OK || !is_done)
		return rc;
	rc = says(db, "PRAGMA journal_mode = DELETE", "delete", &is_done);
	if (rc != SQLITE_OK && sqlite3_extended_errcode(db) == SQLITE_READONLY_DBMOVED)
		rc = SQLITE_OK;
	*unmark = rc == SQLITE_OK && !is_done;
	return rc;
}
