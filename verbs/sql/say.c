// say.c - why a statement failed, with suggestions for unknown names
// SPDX-License-Identifier: MIT

#include "verbs/sql/parts.h"

#include <string.h>

#include "query/tidy.h"
#include "shell/args/suggest.h"
#include "shell/output/say.h"

// Names to suggest.
static const char *const tables[] = {"log",      "values",   "raw",       "counters",
				     "machines", "findings", "incidents", NULL};
static const char *const functions[] = {
	"pmon_avg", "pmon_total", "pmon_percentile", "avg",    "sum",      "count",
	"min",      "max",        "round",           "substr", "strftime", NULL};
static const char *const columns[] = {"operands",   "first",     "second",  "multi",
				      "time_base",  "unit",      "samples", "counters",
				      "first_time", "last_time", "id",      NULL};

struct nearest {
	const char *name;
	size_t distance;
};

static void
look_at(struct nearest *nearest, struct pmon_span word, const char *name)
{
	size_t distance = suggest_distance(word, (struct pmon_span){name, strlen(name)});

	if (distance == 0 || (nearest->name != NULL && distance >= nearest->distance))
		return;
	*nearest = (struct nearest){name, distance};
}

static const char *
nearest_to(struct pmon_span word, const char *const *names, bool are_columns)
{
	struct nearest nearest = {.name = NULL};

	for (; *names != NULL; names++)
		look_at(&nearest, word, *names);
	for (unsigned i = 0; are_columns && i < PMON_TIDY_COLUMNS; i++)
		look_at(&nearest, word, pmon_tidy_name((enum pmon_tidy_column)i));
	return nearest.name != NULL && nearest.distance <= 1 + word.len / 3 ? nearest.name : NULL;
}

// A name to suggest for the unknown one in a message of SQLite, such as "no such column: l.instanec"; NULL: none is near.
static const char *
suggestion(const char *message)
{
	static const struct {
		const char *begin;
		const char *const *names;
	} known[] = {
		{"no such table: ", tables},
		{"no such function: ", functions},
		{"no such column: ", columns},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		size_t len = strlen(known[i].begin);
		const char *word = message + len;
		const char *dot;

		if (strncmp(message, known[i].begin, len) != 0)
			continue;
		dot = strrchr(word, '.');
		word = dot != NULL ? dot + 1 : word;
		return nearest_to((struct pmon_span){word, strlen(word)}, known[i].names,
				  known[i].names == columns);
	}
	return NULL;
}

int
sql_say(sqlite3 *db)
{
	const char *message = sqlite3_errmsg(db);
	const char *nearest = suggestion(message);

	if (sqlite3_errcode(db) == SQLITE_AUTH)
		return say(EXIT_FAILED, "sql: statements may only read: SELECT, WITH, VALUES and "
					"EXPLAIN");
	// The name of a module, such as pmon_values, is not a table here: creating one is denied too.
	if (strstr(message, "vtable constructor failed") != NULL)
		return say(EXIT_FAILED,
			   "sql: the tables are the logs of the command line: log, raw, "
			   "counters and machines");
	return say(EXIT_FAILED, "sql: %s%s%s%s", message, nearest != NULL ? "; did you mean " : "",
		   nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
}
