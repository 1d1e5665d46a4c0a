// logs_patterns.c - the counters that a command line chooses
// SPDX-License-Identifier: MIT

#include <string.h>

#include "cli/args/paths.h"
#include "cli/args/textfile.h"
#include "cli/input/live.h"
#include "cli/input/logs.h"
#include "cli/output/say.h"
#include "rules/disks.h"

static int
add_path(struct logs *logs, struct pmon_span text)
{
	struct pmon_err err;
	enum pmon_status status;

	if (logs->args->operands.n == 0)
		text = live_local_path(text);
	status = pmon_select_add(logs->select, text, &err);
	if (status == PMON_OK)
		return EXIT_DONE;
	return say(status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "%s", err.msg);
}

// Several paths in one argument are one pattern each: paths.h.
static int
add_pattern(struct logs *logs, struct pmon_span text)
{
	struct pmon_span path;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && paths_next(&text, &path))
		status = add_path(logs, path);
	return status;
}

// A file of patterns as typeperf and relog take it: one a line, quotes allowed, ';' comments.
static int
add_pattern_file(struct logs *logs, const char *name)
{
	struct textfile file;
	struct pmon_span line;
	int status = textfile_read(name, TEXTFILE_BYTES, &file);

	while (status == EXIT_DONE && textfile_line(&file, &line)) {
		line = textfile_trimmed(line);
		if (memchr(line.ptr, '\0', line.len) != NULL)
			status = say(EXIT_FAILED,
				     "%s: contains NUL bytes; a list in UTF-16 must begin with a "
				     "byte order mark",
				     file_name(name));
		else if (line.len > 0 && line.ptr[0] != ';')
			status = add_pattern(logs, line);
	}
	textfile_free(&file);
	return status;
}

int
logs_make_select(struct logs *logs)
{
	const struct args *args = logs->args;
	struct pmon_err err;
	int status = EXIT_DONE;

	if (pmon_select_new(NULL, &logs->select, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	if (args->names_table != NULL &&
	    pmon_select_add_names(logs->select, args->names_table, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	for (size_t i = 0; status == EXIT_DONE && i < args->patterns.n; i++)
		status = add_pattern(logs, (struct pmon_span){args->patterns.list[i],
							      strlen(args->patterns.list[i])});
	for (size_t i = 0; status == EXIT_DONE && i < args->pattern_files.n; i++)
		status = add_pattern_file(logs, args->pattern_files.list[i]);
	// An empty set would select everything.
	if (status == EXIT_DONE && args->pattern_files.n > 0 &&
	    pmon_select_count(logs->select) == 0)
		status = say(EXIT_USAGE, "%s: the list of patterns is empty",
			     args->pattern_files.list[0]);
	return status == EXIT_DONE ? logs_widen(logs) : status;
}

bool
logs_ranks(const struct logs *logs, const struct pmon_series *series)
{
	bool ranks = pmon_path_ranks(&series->path);

	for (size_t i = 0; !ranks && i < pmon_select_count(logs->select); i++) {
		const char *text = pmon_select_pattern(logs->select, i);
		struct pmon_path pattern;

		ranks = pmon_pattern_parse((struct pmon_span){text, strlen(text)}, &pattern,
					   NULL) &&
			!pmon_path_ranks(&pattern) && pmon_series_match(&pattern, series);
	}
	return ranks;
}

int
logs_select(struct logs *logs, const struct args *args)
{
	*logs = (struct logs){.args = args};
	return logs_make_select(logs);
}

const char *const *
logs_latency_needs(const struct args *args)
{
	static const char *const needs[] = {RULES_LATENCY_NEEDS, NULL};
	struct pmon_path pattern;

	for (size_t i = 0; args->operands.n > 0 && i < args->patterns.n; i++) {
		const char *text = args->patterns.list[i];

		if (pmon_pattern_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL) &&
		    rules_may_be_latency(&pattern))
			return needs;
	}
	return NULL;
}
