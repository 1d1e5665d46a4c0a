// machines.c - machine ids: a table that exists only in logs with such ids
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/mem.h"
#include "format/sqlite/sqlite.h"
#include "format/sqlite/sql.h"
#include "model/machine.h"

#define MOST "4096" // PMON_MACHINES_MOST

// ---- Writing --------------------------------------------------------------------------------

static int
insert_all(sqlite3_stmt *insert, const struct pmon_source_info *info)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < info->n_machines; i++) {
		(void)sqlite3_bind_text(insert, 1, info->machines[i].name, -1, SQLITE_STATIC);
		(void)sqlite3_bind_text(insert, 2, info->machines[i].id, -1, SQLITE_STATIC);
		(void)sqlite3_step(insert);
		rc = sqlite3_reset(insert);
	}
	return rc;
}

int
pmon_sqlite_make_machines(sqlite3 *db, const struct pmon_source_info *info)
{
	sqlite3_stmt *insert = NULL;
	int rc;

	if (info->n_machines == 0)
		return SQLITE_OK;
	rc = sqlite3_exec(db, pmon_sqlite_sql_machines, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO pmon_machine VALUES (?, ?)", -1,
					&insert, NULL);
	if (rc == SQLITE_OK)
		rc = insert_all(insert, info);
	(void)sqlite3_finalize(insert);
	return rc;
}

// ---- Reading --------------------------------------------------------------------------------

static struct pmon_span
text_at(sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);

	return (struct pmon_span){text, text != NULL ? strlen(text) : 0};
}

static enum pmon_status
read_all(struct sqlog *log, sqlite3_stmt *row, struct pmon_machines *machines, struct pmon_err *err)
{
	int rc;

	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		struct pmon_span name = text_at(row, 0);
		struct pmon_span id = text_at(row, 1);

		if (name.len <= log->string_limit && !pmon_machines_add(machines, name, id))
			return pmon_err_nomem(err);
	}
	return rc == SQLITE_DONE ? PMON_OK : pmon_sqlite_failure(log, rc, err);
}

enum pmon_status
pmon_sqlite_read_machines(struct sqlog *log, struct pmon_err *err)
{
	static const char *const name[] = {"pmon_machine"};
	struct pmon_machines machines = {.arena = &log->arena};
	sqlite3_stmt *row;
	struct pmon_err why;
	int64_t n = 0;
	bool is_there;
	enum pmon_status status = pmon_sqlite_has_tables(log, name, 1, &is_there, err);

	if (status == PMON_OK && is_there)
		status = pmon_sqlite_ask(log,
					 "SELECT count(*) FROM pragma_table_info('pmon_machine')"
					 " WHERE name IN ('name', 'id')",
					 0, &n, err);
	if (status != PMON_OK || n != 2)
		return status;
	status = pmon_sqlite_prepare(log, "SELECT name, id FROM pmon_machine LIMIT " MOST, &row,
				     err);
	if (status != PMON_OK)
		return status;
	status = read_all(log, row, &machines, &why);
	(void)sqlite3_finalize(row);
	pmon_machines_give(&machines, &log->source.info);
	if (status == PMON_E_FORMAT) {
		pmon_report_loss(&log->report, 0, 0, "the ids of machines: %s", why.msg);
		status = PMON_OK;
	}
	if (status != PMON_OK && err != NULL)
		*err = why;
	return status;
}
