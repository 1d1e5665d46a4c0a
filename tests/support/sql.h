// sql.h - SQL on a database of a test
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_SQL_H
#define PMON_TESTS_SQL_H

#include <stddef.h>

// Run statements on the database, which is created when it does not exist. The test fails when one fails.
void run_sql(const char *path, const char *sql);

// The bytes of a database that pmon writes of odd_log(7), after the statements. Free them. It is made in the
// folder of folder.h and is not left there.
char *changed_database(const char *sql, size_t *len);

#endif
