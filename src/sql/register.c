// register.c - logs as tables of SQLite: everything that a connection gets
// SPDX-License-Identifier: MIT

#include "sql/parts.h"

int
pmon_sql_register(sqlite3 *db, const struct pmon_sql_host *host)
{
	int rc = pmon_sql_add_functions(db);

	return rc == SQLITE_OK ? pmon_sql_add_tables(db, host) : rc;
}
