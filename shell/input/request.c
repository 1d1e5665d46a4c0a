// request.c - what a verb reads: logs or this machine, which counters, when, and how
// SPDX-License-Identifier: MIT

#include "shell/input/request.h"

#include <string.h>

#include "query/rates.h"
#include "shell/args/verb.h"
#include "shell/process/memory.h"

// Options for this machine do not apply to logs, and vice versa.
static const struct option *
find_misplaced(const struct args *args)
{
	enum option_scope other = args->operands.n == 0 ? OPTION_LOGS : OPTION_MACHINE;
	const struct option *option;

	for (size_t i = 0; (option = option_at(args->verb->options, i)) != NULL; i++)
		if (option->scope == other && args_has(args, i))
			return option;
	return NULL;
}

struct request
request_from(const struct args *args)
{
	bool by_process = args->by != NULL && strcmp(args->by, "process") == 0;

	return (struct request){
		.verb = args->verb,
		.logs = args->operands,
		.misplaced = find_misplaced(args),
		.patterns = args->patterns,
		.pattern_files = args->pattern_files,
		.from = args->from,
		.to = args->to,
		.at = args->at,
		.tz = args->tz,
		.sampling = args->sampling,
		.machines = args->machines,
		.tells_processes = OPTION_IS_OFFERED(args->verb, identity) &&
				   (args->identity == IDENTITY_PROCESS || by_process),
		.by_process = by_process,
		.per_cpu = args->per_cpu,
		.reading = args->reading,
		.inputs = args->inputs,
		.has_groups = args->by != NULL && !by_process,
		.calc = args->calc,
		.format = args->format,
		.verbose = args->verbose,
	};
}

struct request
request_of_log(const struct args *args, const char *const *name)
{
	struct request request = request_from(args);

	request.logs = (struct words){.list = (const char **)(uintptr_t)name, .n = 1, .cap = 1};
	return request;
}

bool
request_has_patterns(const struct request *request)
{
	return request->patterns.n > 0 || request->pattern_files.n > 0;
}

bool
request_has_window(const struct request *request)
{
	return request->from != NULL || request->to != NULL || request->at != NULL;
}

bool
request_has_columns(const struct request *request)
{
	return (request->verb->traits & VERB_COLUMNS) != 0 && request->format == OUT_CSV;
}

size_t
request_series_bytes(const struct request *request)
{
	const struct verb *verb = request->verb;
	// They need memory in addition to series.
	bool has_more = (request->has_groups || request->by_process) &&
			(verb->traits & VERB_BY_PROCESS) == 0;

	if (request->series_bytes != 0)
		return request->series_bytes;
	if (verb->series_bytes == 0 || (verb->series_bytes < MEMORY_MOST && has_more))
		return MEMORY_MOST;
	return verb->series_bytes;
}

const char *
request_begin_option(const struct request *request)
{
	return request->verb->run_words != NULL ? "-b" : "--from";
}

// For pmon push, --to names the engine.
const char *
request_end_option(const struct request *request)
{
	if (request->verb->run_words != NULL)
		return "-e";
	return request->verb->traits & VERB_UNTIL ? "--until" : "--to";
}

const char *const *
request_average_needs(const struct request *request)
{
	struct pmon_path pattern;

	for (size_t i = 0; request->logs.n > 0 && i < request->patterns.n; i++) {
		const char *text = request->patterns.list[i];

		if (pmon_search_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL) &&
		    pmon_may_be_average(&pattern))
			return pmon_average_needs;
	}
	return NULL;
}
