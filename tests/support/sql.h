// sql.h - run SQL on a test's database
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_SQL_H
#define PMON_TESTS_SQL_H

#include <stddef.h>

// Run statements on the database, which is created if it does not exist. Errors fail the test.
void run_sql(const char *path, const char *sql);

// The bytes of a database that pmon writes from odd_log(7), changed by the statements. Release with
// free(). Its file in the folder of folder.h is removed.
char *changed_database(const char *sql, size_t *len);

#endif
