// entry.c - the entry point of the loadable extension of SQLite: .load pmon
// SPDX-License-Identifier: MIT

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "sql/sql.h"

// What SQLite calls for a file of the name pmon.
__attribute__((visibility("default"))) int sqlite3_pmon_init(sqlite3 *db, char **error,
							     const sqlite3_api_routines *api);

int
sqlite3_pmon_init(sqlite3 *db, char **error, const sqlite3_api_routines *api)
{
	(void)error;
	SQLITE_EXTENSION_INIT2(api);
	return pmon_sql_register(db, &pmon_sql_files);
}
