// sql.c - run SQL on a test's database
// SPDX-License-Identifier: MIT

#include "sql.h"

#ifdef PMON_WITH_SQLITE

#include <sqlite3.h>
#include <unistd.h>

#include "t.h"

#include "odd_log.h"
#include "write_fault.h"

void
run_sql(const char *path, const char *sql)
{
	char *why = NULL;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

char *
changed_database(const char *sql, size_t *len)
{
	const char *path = in_folder("changed.db");
	char *bytes;

	write_over(odd_log(7), path, "sqlite");
	run_sql(path, sql);
	bytes = t_read_file(path, len);
	assert_non_null(bytes);
	assert_int_equal(unlink(path), 0);
	return bytes;
}

#endif
