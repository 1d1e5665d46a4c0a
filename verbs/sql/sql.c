// sql.c - pmon sql: query logs with SQL
// SPDX-License-Identifier: MIT

#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/output/say.h"

#ifdef PMON_WITH_SQLITE
#include <stdlib.h>
#include <string.h>

#include "os/term.h"
#include "shell/input/progress.h"
#include "verbs/sql/parts.h"

static const char tables[] = "CREATE VIRTUAL TABLE log USING pmon_values;"
			     "CREATE VIRTUAL TABLE \"values\" USING pmon_values;"
			     "CREATE VIRTUAL TABLE raw USING pmon_raw;"
			     "CREATE VIRTUAL TABLE counters USING pmon_counters;"
			     "CREATE VIRTUAL TABLE machines USING pmon_machines;";

struct session {
	sqlite3 *db;
	const struct args *args;
	struct sql_host host;
	bool asks_judged; // a statement that is being prepared reads findings or incidents
	bool is_judged;   // ... and they are filled
	bool is_filling;
};

// ---- The database ---------------------------------------------------------------------------

static int
may(void *ctx, int action, const char *a, const char *b, const char *database, const char *trigger)
{
	struct session *s = ctx;

	(void)b, (void)database, (void)trigger;
	if (s->is_filling)
		return SQLITE_OK;
	switch (action) {
	case SQLITE_READ:
		if (strcmp(a, "findings") == 0 || strcmp(a, "incidents") == 0)
			s->asks_judged = true;
		return SQLITE_OK;
	case SQLITE_SELECT:
	case SQLITE_FUNCTION:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_PRAGMA: // table_info and others that list columns and tables
		return a != NULL && sqlite3_strnicmp(a, "table_", 6) == 0 ? SQLITE_OK : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

static int
open_database(struct session *s)
{
	struct pmon_sql_host host = sql_host_of(&s->host);

	if (sqlite3_open_v2(":memory:", &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, NULL) !=
		    SQLITE_OK ||
	    pmon_sql_register(s->db, &host) != SQLITE_OK ||
	    sqlite3_exec(s->db, tables, NULL, NULL, NULL) != SQLITE_OK ||
	    sqlite3_exec(s->db, sql_judged_tables, NULL, NULL, NULL) != SQLITE_OK ||
	    sqlite3_set_authorizer(s->db, may, s) != SQLITE_OK)
		return sql_say(s->db);
	return EXIT_DONE;
}

// ---- Statements -----------------------------------------------------------------------------

// A failure to read a log was reported where it happened.
static int
report(struct session *s)
{
	return s->host.is_reported ? EXIT_FAILED : sql_say(s->db);
}

// Fill the tables findings and incidents. Returns an exit status.
static int
judge(struct session *s)
{
	int status;

	s->is_filling = true;
	status = sql_judge(s->db, s->args);
	s->is_filling = false;
	if (status == EXIT_DAMAGED) {
		s->host.status = status;
		status = EXIT_DONE;
	}
	s->is_judged = status == EXIT_DONE;
	return status;
}

// Run the first statement in `text`, and set *rest to the text after it. Returns an exit status.
static int
run_one(struct session *s, const char *text, const char **rest)
{
	sqlite3_stmt *statement = NULL;
	int status = EXIT_DONE;
	bool done = true;

	s->host.is_reported = false;
	s->asks_judged = false;
	if (sqlite3_prepare_v2(s->db, text, -1, &statement, rest) != SQLITE_OK)
		return report(s);
	if (s->asks_judged && !s->is_judged) // it need not be prepared again
		status = judge(s);
	if (statement != NULL && status == EXIT_DONE)
		status = sql_print(statement, s->args, &done);
	if (!done)
		status = report(s);
	// This closes the logs, which may print messages.
	(void)sqlite3_finalize(statement);
	return status;
}

static int
run_text(struct session *s, const char *text)
{
	int status = EXIT_DONE;

	while (status == EXIT_DONE && *text != '\0')
		status = run_one(s, text, &text);
	return status;
}

// ---- Statements of standard input -----------------------------------------------------------

struct typed {
	char *text;
	size_t len;
	size_t cap;
};

#define MOST_TYPED ((size_t)1 << 20)

// Append the next line. False at the end of input, and after a failure, with *status set.
static bool
read_line(struct typed *typed, int *status)
{
	char part[1024];

	do {
		size_t len;

		if (fgets(part, sizeof(part), stdin) == NULL)
			return false;
		len = strlen(part);
		if (typed->len + len >= MOST_TYPED) {
			*status = say(EXIT_FAILED, "sql: a statement is longer than 1 MiB");
			return false;
		}
		if (typed->len + len + 1 > typed->cap) {
			char *text = realloc(typed->text, 2 * (typed->len + len + 1));

			if (text == NULL) {
				*status = say(EXIT_FAILED, "not enough memory");
				return false;
			}
			typed->text = text;
			typed->cap = 2 * (typed->len + len + 1);
		}
		memcpy(typed->text + typed->len, part, len + 1);
		typed->len += len;
	} while (typed->text[typed->len - 1] != '\n');
	return true;
}

static void
prompt(const struct typed *typed)
{
	if (!pmon_term_has_keys())
		return;
	(void)fflush(stdout);
	(void)fputs(typed->len == 0 ? "pmon> " : "  ...> ", stderr);
	(void)fflush(stderr);
}

// A failed statement ends a script, but not a session on a terminal.
static int
run_typed(struct session *s)
{
	struct typed typed = {.text = NULL};
	int status = EXIT_DONE;
	int worst = EXIT_DONE;

	if (pmon_term_has_keys())
		say(0, "tables: log, raw, counters, machines, findings, incidents; a statement "
		       "ends with ;, Ctrl-D leaves");
	for (prompt(&typed); read_line(&typed, &status); prompt(&typed)) {
		if (!sqlite3_complete(typed.text))
			continue;
		status = run_text(s, typed.text);
		typed.len = 0;
		if (status != EXIT_DONE && !pmon_term_has_keys())
			break;
		worst = pmon_term_has_keys() ? EXIT_DONE : status;
		status = EXIT_DONE;
	}
	if (status == EXIT_DONE && typed.len > 0) // the last one needs no semicolon
		status = run_text(s, typed.text);
	free(typed.text);
	return status != EXIT_DONE ? status : worst;
}

static bool
reads_stdin(const struct args *args)
{
	for (size_t i = 0; i < args->operands.n; i++)
		if (strcmp(args->operands.list[i], "-") == 0)
			return true;
	return false;
}

static int
sql_run(const struct args *args)
{
	struct session s = {.args = args, .host = {.args = args}};
	int status;

	if (args->operands.n == 0)
		return say(EXIT_USAGE, "sql: no log file given; example: pmon sql 'SELECT * FROM "
				       "counters' server.blg");
	if (reads_stdin(args))
		return say(EXIT_USAGE, "sql: standard input can be read only once, and a statement "
				       "may read its logs several times; write the log to a "
				       "file: pmon relog - -o FILE.blg");
	progress_never();
	status = open_database(&s);
	if (status == EXIT_DONE)
		status = args->condition != NULL ? run_text(&s, args->condition) : run_typed(&s);
	(void)sqlite3_close(s.db);
	return status != EXIT_DONE ? status : s.host.status;
}
#else
static int
sql_run(const struct args *args)
{
	(void)args;
	return say(EXIT_FAILED, "sql: this pmon was built without SQLite (Debian package "
				"libsqlite3-dev)");
}
#endif

// ---- The verb -------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),   GROUP(options_window), GROUP(options_format),
	GROUP(options_digits),   GROUP(options_calc),   GROUP(options_read),
	GROUP(options_identity), GROUP(options_table),  OPTION_END,
};

const struct verb verb_sql = {
	.name = "sql",
	.operands = "[SELECT] FILE...",
	.summary = "query logs with SQL",
	.details =
		"The logs are tables of an SQLite database in memory, which can only be read:\n"
		"  log       a row for each value: time machine object instance parent counter "
		"path\n"
		"            pid process_start type value status n d \"add\" mul; operands for "
		"pmon_*\n"
		"  raw       a row for each raw value: the names, status first second multi "
		"time_base\n"
		"  counters  a row for each counter: the names, type unit samples first_time "
		"last_time\n"
		"  machines  a row for each machine: machine id counters samples first_time "
		"last_time\n"
		"  findings, incidents: crossed limits and what was wrong, as in pmon health\n"
		"pmon_avg(operands), pmon_total(operands) and pmon_percentile(operands, 95)\n"
		"compute what the type of the counter requires, for any GROUP BY; avg(value) does\n"
		"not. Statements are read from standard input if none is given. docs/sql.md has\n"
		"more, and the extension for sqlite3.\n\nExamples:\n  pmon sql \"SELECT instance, "
		"pmon_avg(operands) FROM log\n      WHERE counter = 'Avg. Disk sec/Read' GROUP BY "
		"instance\" server.blg\n  pmon sql 'SELECT * FROM counters' server.blg\n  pmon sql "
		"--format csv 'SELECT time, value FROM log' -c '\\System\\Threads' server.blg\n",
	.options = options,
	.run = sql_run,
	.live = LIVE_NONE,
	.traits = VERB_STATEMENT,
	.series_bytes = 3584, // with two functions over all series
};
