// host.c - open the logs of the command line for a scan of a table
// SPDX-License-Identifier: MIT

#include "verbs/sql/parts.h"

#include <stdlib.h>

#include "base/err.h"
#include "shell/input/logs.h"
#include "shell/output/say.h"

// A scan that is open.
struct scan {
	struct logs logs;
	struct words patterns;
};

static void
note(struct sql_host *host, int status)
{
	if (status == EXIT_FAILED || host->status == EXIT_DONE)
		host->status = status;
}

// Names in the statement narrow what is read, with two exceptions. If the user chose counters, more patterns would only select
// more. In a window, a message that it has no samples would only be about the counters of the statement.
static bool
add_patterns(struct scan *scan, const struct pmon_sql_scope *scope, struct request *request)
{
	if (request_has_patterns(request) || request_has_window(request))
		return true;
	for (size_t i = 0; i < scope->n_patterns; i++)
		if (!words_add(&scan->patterns, scope->patterns[i]))
			return false;
	request->added = scan->patterns;
	return true;
}

// The rates that averages per operation need, if the user or the statement may select such an average.
static const char *const *
average_needs(const struct request *request)
{
	struct request asked = *request;

	if (!request_has_patterns(request))
		asked.patterns = request->added;
	return request_average_needs(&asked);
}

static void
free_scan(struct scan *scan)
{
	free(scan->patterns.list);
	free(scan);
}

static enum pmon_status
open_logs(void *ctx, const struct pmon_sql_scope *scope, struct pmon_sql_input *input,
	  struct pmon_err *err)
{
	struct sql_host *host = ctx;
	struct request request = request_from(host->args);
	struct scan *scan;
	int status;

	if (scope->n_files > 0)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "the tables of pmon sql are the logs of its command line; "
				    "name %s there",
				    scope->files[0]);
	scan = calloc(1, sizeof(*scan));
	if (scan == NULL || !add_patterns(scan, scope, &request)) {
		if (scan != NULL)
			free_scan(scan);
		return pmon_err_nomem(err);
	}
	request.also = average_needs(&request);
	if (!scope->averages)
		request.also = NULL;
	status = logs_open(&scan->logs, &request);
	if (status != EXIT_DONE) {
		host->is_reported = true;
		note(host, logs_close(&scan->logs, status));
		free_scan(scan);
		return pmon_err_set(err, PMON_E_IO, 0, "the logs cannot be read");
	}
	*input = (struct pmon_sql_input){.source = scan->logs.source,
					 .identity = scan->logs.identity.step,
					 .shown = request.also != NULL &&
								  request_has_patterns(&request)
							  ? scan->logs.patterns.select
							  : NULL,
					 .calc = scan->logs.request.calc,
					 .own = scan};
	return PMON_OK;
}

static void
close_logs(void *ctx, struct pmon_sql_input *input)
{
	struct sql_host *host = ctx;
	struct scan *scan = input->own;
	int status = EXIT_DONE;

	// Only a complete reading shows which patterns match nothing. Report them once.
	if (input->is_read && !host->has_checked_patterns) {
		host->has_checked_patterns = true;
		status = logs_check_patterns(&scan->logs);
	}
	note(host, logs_close(&scan->logs, status));
	free_scan(scan);
}

static void
report_failure(void *ctx, const struct pmon_sql_input *input, struct pmon_err *err)
{
	struct sql_host *host = ctx;
	struct scan *scan = input->own;

	host->is_reported = true;
	note(host, logs_say_err(&scan->logs, err));
	scan->logs.failed = true;
}

struct pmon_sql_host
sql_host_of(struct sql_host *host)
{
	return (struct pmon_sql_host){open_logs, close_logs, report_failure, host};
}
