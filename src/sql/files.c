// files.c - open the files that a table names
// SPDX-License-Identifier: MIT

#include "sql/parts.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "query/rates.h"

#define MOST_FILES 1024

// A scan that is open.
struct scan {
	struct pmon_select *select; // NULL: everything is read
	struct pmon_select
		*reading; // select and the counters that identify processes; NULL: select
	char *name;       // of the file in messages
};

static void
free_scan(struct scan *scan)
{
	pmon_select_free(scan->select);
	pmon_select_free(scan->reading);
	sqlite3_free(scan->name);
	sqlite3_free(scan);
}

// A program may have a log of its own for this (SQLITE_CONFIG_LOG).
static void
note_damage(void *ctx, const struct pmon_notice *notice)
{
	const struct scan *scan = ctx;

	if (notice->is_loss)
		sqlite3_log(SQLITE_WARNING, "pmon: %s: %s", scan->name, notice->text);
}

static enum pmon_status
add_all(struct pmon_select *select, const char *const *patterns, size_t n, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < n; i++)
		status = pmon_select_add(select,
					 (struct pmon_span){patterns[i], strlen(patterns[i])}, err);
	return status;
}

static bool
may_be_average(const struct pmon_sql_scope *scope)
{
	struct pmon_path pattern;

	for (size_t i = 0; scope->averages && i < scope->n_patterns; i++)
		if (pmon_search_parse(
			    (struct pmon_span){scope->patterns[i], strlen(scope->patterns[i])},
			    &pattern, NULL) &&
		    pmon_may_be_average(&pattern))
			return true;
	return false;
}

// This may select more than the statement uses; SQLite drops the rest.
static enum pmon_status
make_select(struct scan *scan, const struct pmon_sql_scope *scope, struct pmon_err *err)
{
	enum pmon_status status;
	size_t needs = 0;

	if (scope->n_patterns == 0)
		return PMON_OK;
	while (may_be_average(scope) && pmon_average_needs[needs] != NULL)
		needs++;
	status = pmon_select_new(NULL, &scan->select, err);
	if (status == PMON_OK)
		status = add_all(scan->select, scope->patterns, scope->n_patterns, err);
	if (status == PMON_OK)
		status = add_all(scan->select, pmon_average_needs, needs, err);
	return status == PMON_OK ? pmon_identity_select(scan->select, NULL, &scan->reading, err)
				 : status;
}

// Add the name of the file to the message, and the byte if it is known.
static enum pmon_status
name_failure(const char *name, struct pmon_err *err)
{
	struct pmon_err why = *err;

	if (why.offset > 0)
		return pmon_err_set(err, why.status, why.offset, "%s: %s (byte %llu)", name,
				    why.msg, (unsigned long long)why.offset);
	return pmon_err_set(err, why.status, 0, "%s: %s", name, why.msg);
}

static enum pmon_status
open_one(struct scan *scan, const char *name, struct pmon_source **source, struct pmon_err *err)
{
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = note_damage, .notice_ctx = scan};

	if (scan->select != NULL) {
		options.want = pmon_select_want;
		options.want_ctx = scan->reading != NULL ? scan->reading : scan->select;
	}
	if (pmon_log_open(name, &options, source, err) == PMON_OK)
		return PMON_OK;
	return name_failure(name, err);
}

// All logs, merged if there are several. On failure none is open.
static enum pmon_status
open_all(struct scan *scan, const struct pmon_sql_scope *scope, struct pmon_source **out,
	 struct pmon_err *err)
{
	struct pmon_source **sources = sqlite3_malloc64(scope->n_files * sizeof(*sources));
	enum pmon_status status = PMON_OK;
	size_t n = 0;

	if (sources == NULL)
		return pmon_err_nomem(err);
	while (status == PMON_OK && n < scope->n_files) {
		status = open_one(scan, scope->files[n], &sources[n], err);
		n += status == PMON_OK;
	}
	if (status == PMON_OK && n > 1)
		status = pmon_merge_open(sources, n, NULL, out, err);
	else if (status == PMON_OK)
		*out = sources[0];
	else
		while (n > 0)
			pmon_source_close(sources[--n]);
	sqlite3_free(sources);
	return status;
}

static enum pmon_status
open_files(void *ctx, const struct pmon_sql_scope *scope, struct pmon_sql_input *input,
	   struct pmon_err *err)
{
	struct pmon_identity_options identity = {.size = sizeof(identity)};
	struct pmon_source *source = NULL;
	struct scan *scan;
	enum pmon_status status;

	(void)ctx;
	if (scope->n_files == 0)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "no log is named; example: pmon_values('server.blg')");
	if (scope->n_files > MOST_FILES)
		return pmon_err_set(err, PMON_E_ARG, 0, "a table has at most %d logs", MOST_FILES);
	scan = sqlite3_malloc64(sizeof(*scan));
	if (scan == NULL)
		return pmon_err_nomem(err);
	*scan = (struct scan){.name = sqlite3_mprintf(scope->n_files > 1 ? "%s and others" : "%s",
						      scope->files[0])};
	status = scan->name != NULL ? make_select(scan, scope, err) : pmon_err_nomem(err);
	if (status == PMON_OK)
		status = open_all(scan, scope, &source, err);
	if (status == PMON_OK) {
		identity.shown = scan->select;
		identity.from_start = pmon_source_info(source)->sampled_by_pmon;
		status = pmon_identity_open(source, &identity, &source, err);
	}
	if (status != PMON_OK) {
		free_scan(scan);
		return status;
	}
	*input = (struct pmon_sql_input){.source = source,
					 .identity = source,
					 .calc = {.size = sizeof(input->calc)},
					 .own = scan};
	return PMON_OK;
}

static void
close_files(void *ctx, struct pmon_sql_input *input)
{
	(void)ctx;
	pmon_source_close(input->source);
	free_scan(input->own);
}

static void
report_failure(void *ctx, const struct pmon_sql_input *input, struct pmon_err *err)
{
	const struct scan *scan = input->own;

	(void)ctx;
	(void)name_failure(scan->name, err);
}

const struct pmon_sql_host pmon_sql_files = {open_files, close_files, report_failure, NULL};
