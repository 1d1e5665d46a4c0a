// patterns.c - the patterns of a request, and which of them matched
// SPDX-License-Identifier: MIT

#include "shell/input/patterns.h"

#include <string.h>

#include "query/processors.h"
#include "shell/args/paths.h"
#include "shell/args/textfile.h"
#include "shell/output/say.h"

// ---- Those of the command line and of the verb ------------------------------------------------

static int
add_path(struct patterns *patterns, const struct request *request, struct pmon_span text)
{
	struct pmon_err err;
	enum pmon_status status;

	if (request->logs.n == 0)
		text = live_local_path(text);
	status = pmon_select_add(patterns->select, text, &err);
	if (status == PMON_OK)
		return EXIT_DONE;
	return say(status == PMON_E_ARG ? EXIT_USAGE : EXIT_FAILED, "%s", err.msg);
}

// Several paths in one argument are separate patterns (paths.h).
static int
add_pattern(struct patterns *patterns, const struct request *request, struct pmon_span text)
{
	struct pmon_span path;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && paths_next(&text, &path))
		status = add_path(patterns, request, path);
	return status;
}

// Read a file of patterns in the format of typeperf and relog: one per line, optionally quoted, ';'
// begins a comment.
static int
add_pattern_file(struct patterns *patterns, const struct request *request, const char *name)
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
			status = add_pattern(patterns, request, line);
	}
	textfile_free(&file);
	return status;
}

static int
add_patterns(struct patterns *patterns, const struct request *request, const struct words *list)
{
	int status = EXIT_DONE;

	for (size_t i = 0; status == EXIT_DONE && i < list->n; i++)
		status = add_pattern(patterns, request,
				     (struct pmon_span){list->list[i], strlen(list->list[i])});
	return status;
}

// ---- What else is read ------------------------------------------------------------------------

// Also read counters that match a pattern, although the user did not select them.
static enum pmon_status
also_read(struct patterns *patterns, const char *pattern, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (pmon_select_count(patterns->select) == 0)
		return PMON_OK; // everything is read
	if (patterns->reading == NULL) {
		status = pmon_select_new(NULL, &patterns->reading, err);
		for (size_t i = 0; status == PMON_OK && i < pmon_select_count(patterns->select);
		     i++) {
			const char *text = pmon_select_pattern(patterns->select, i);

			status = pmon_select_add(patterns->reading,
						 (struct pmon_span){text, strlen(text)}, err);
		}
	}
	if (status == PMON_OK)
		status = pmon_select_add(patterns->reading,
					 (struct pmon_span){pattern, strlen(pattern)}, err);
	return status;
}

static int
widen(struct patterns *patterns, const struct request *request)
{
	static const char *const of_processors[] = {
		PMON_PROCESSOR_PATTERN, PMON_INFORMATION_PATTERN, PMON_HYPERVISOR_PATTERN};
	const size_t n = sizeof(of_processors) / sizeof(of_processors[0]);
	enum pmon_status status = PMON_OK;
	struct pmon_err err;

	if (request->tells_processes || request->delivers_identity)
		status = pmon_identity_select(patterns->select, NULL, &patterns->reading, &err);
	for (size_t i = 0; status == PMON_OK && request->per_cpu && i < n; i++)
		status = also_read(patterns, of_processors[i], &err);
	for (size_t i = 0; status == PMON_OK && request->also != NULL && request->also[i] != NULL;
	     i++)
		status = also_read(patterns, request->also[i], &err);
	return status == PMON_OK ? EXIT_DONE : say(EXIT_FAILED, "%s", err.msg);
}

int
patterns_open(struct patterns *patterns, const struct request *request)
{
	const char *table = request->reading.names_table;
	struct pmon_err err;
	int status;

	if (pmon_select_new(NULL, &patterns->select, &err) != PMON_OK ||
	    (table != NULL && pmon_select_add_names(patterns->select, table, &err) != PMON_OK))
		return say(EXIT_FAILED, "%s", err.msg);
	status = add_patterns(patterns, request, &request->patterns);
	for (size_t i = 0; status == EXIT_DONE && i < request->pattern_files.n; i++)
		status = add_pattern_file(patterns, request, request->pattern_files.list[i]);
	patterns->n_asked = pmon_select_count(patterns->select);
	// An empty set would select everything.
	if (status == EXIT_DONE && request->pattern_files.n > 0 && patterns->n_asked == 0)
		status = say(EXIT_USAGE, "%s: the list of patterns is empty",
			     request->pattern_files.list[0]);
	if (status == EXIT_DONE)
		status = add_patterns(patterns, request, &request->added);
	return status == EXIT_DONE ? widen(patterns, request) : status;
}

void
patterns_free(struct patterns *patterns)
{
	pmon_select_free(patterns->select);
	pmon_select_free(patterns->reading);
	*patterns = (struct patterns){.select = NULL};
}

struct pmon_select *
patterns_read(const struct patterns *patterns)
{
	return patterns->reading != NULL ? patterns->reading : patterns->select;
}

// ---- What they match --------------------------------------------------------------------------

bool
patterns_want(const struct patterns *patterns, const struct pmon_path *path)
{
	return pmon_select_want(patterns->select, path) ||
	       (patterns->reading != NULL && pmon_select_matches(patterns->reading, path));
}

// On a live machine, hits are counted for all given patterns.
void
patterns_count_hits(struct patterns *patterns, const struct pmon_source *input)
{
	const struct pmon_schema *schema;

	if (patterns->reading == NULL || !pmon_source_info(input)->live)
		return;
	schema = pmon_source_schema(input);
	for (size_t i = patterns->n_counted; i < pmon_schema_count(schema); i++)
		(void)pmon_select_want(patterns->select, &pmon_schema_at(schema, i)->path);
	patterns->n_counted = pmon_schema_count(schema);
}

size_t
patterns_unmatched(const struct patterns *patterns)
{
	size_t n = 0;

	for (size_t i = 0; i < patterns->n_asked; i++)
		n += pmon_select_hits(patterns->select, i) == 0;
	return n;
}

bool
patterns_rank(const struct patterns *patterns, const struct pmon_series *series)
{
	bool ranks = pmon_path_ranks(&series->path);

	for (size_t i = 0; !ranks && i < pmon_select_count(patterns->select); i++) {
		const char *text = pmon_select_pattern(patterns->select, i);
		struct pmon_path pattern;

		ranks = pmon_search_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL) &&
			!pmon_path_ranks(&pattern) && pmon_series_match(&pattern, series);
	}
	return ranks;
}
