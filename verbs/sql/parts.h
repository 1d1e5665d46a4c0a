// parts.h - the parts of pmon sql
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_SQL_PARTS_H
#define PMON_VERBS_SQL_PARTS_H

#include <sqlite3.h>

#include "shell/args/args.h"
#include "sql/sql.h"

// host.c: opens the logs of the command line, again for each scan of a table. status is the worst of all scans:
// EXIT_DAMAGED if data was lost. is_reported: a message about the failure of this statement was printed.
struct sql_host {
	const struct args *args;
	int status;
	bool is_reported;
	bool has_checked_patterns;
};
struct pmon_sql_host sql_host_of(struct sql_host *host);

// print.c: run a statement and print its rows. Returns an exit status; *done is false if the statement failed.
int sql_print(sqlite3_stmt *statement, const struct args *args, bool *done);

// findings.c: the tables findings and incidents, which are empty until sql_judge() fills them. It returns an exit status,
// after a message if that is not EXIT_DONE.
extern const char sql_judged_tables[];
int sql_judge(sqlite3 *db, const struct args *args);

// say.c: print why a statement failed, and suggest a name for an unknown one. Returns EXIT_FAILED.
int sql_say(sqlite3 *db);

#endif
