// parts.h - the parts of src/sql
// SPDX-License-Identifier: MIT

#ifndef PMON_SQL_PARTS_H
#define PMON_SQL_PARTS_H

#include "sql/sql.h"
#include "sql/sqlite.h"

// functions.c: pmon_avg() and the others. Returns an SQLite status.
int pmon_sql_add_functions(sqlite3 *db);

// tables.c: the modules. host is copied.
int pmon_sql_add_tables(sqlite3 *db, const struct pmon_sql_host *host);

#endif
