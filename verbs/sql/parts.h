// parts.h - the parts of pmon sql
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_SQL_PARTS_H
#define PMON_VERBS_SQL_PARTS_H

#include <sqlite3.h>

#include "shell/args/args.h"
#include "sql/sql.h"

// host.c: what opens the logs of the command line, again for each scan of a table. status is the worst of all: EXIT_DAMAGED
// if data was lost. is_told: the newest failure was printed.
struct sql_host {
	const struct args *args;
	int status;
	bool is_told;
	bool has_checked_patterns;
};
struct pmon_sql_host sql_host_of(struct sql_host *host);

// print.c: run a statement, and print its rows. Returns an exit status; false in *done: the statement failed.
int sql_print(sqlite3_stmt *statement, const struct args *args, bool *done);

// findings.c: the tables of what was wrong, which are empty until they are filled. Returns an exit status, after a message
// if it is not EXIT_DONE.
extern const char sql_judged_tables[];
int sql_judge(sqlite3 *db, const struct args *args);

// say.c: why a statement failed, with the nearest name if one is not known. Returns EXIT_FAILED.
int sql_say(sqlite3 *db);

#endif
