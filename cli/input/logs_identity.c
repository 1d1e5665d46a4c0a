// logs_identity.c - which process a value is of
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "cli/args/verb.h"
#include "cli/input/logs.h"
#include "cli/input/notices.h"
#include "cli/output/say.h"

#define PROCESSORS "\\Processor(*)\\% Processor Time"

// How a series of a process is shown.
struct label {
	char *text;
	uint32_t life; // of the series
};

bool
logs_by_process(const struct args *args)
{
	return args->by != NULL && strcmp(args->by, "process") == 0;
}

bool
logs_tells_processes(const struct args *args)
{
	static const char option[] = "--identity";

	if (option_find(args->verb->options, option, strlen(option)) == OPTION_NONE)
		return args->tells_processes;
	return args->identity == IDENTITY_PROCESS || logs_by_process(args);
}

// Also read what a pattern matches, which the user did not choose.
static enum pmon_status
read_beside(struct logs *logs, const char *pattern, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (pmon_select_count(logs->select) == 0)
		return PMON_OK; // everything is read
	if (logs->reading == NULL) {
		status = pmon_select_new(NULL, &logs->reading, err);
		for (size_t i = 0; status == PMON_OK && i < pmon_select_count(logs->select); i++) {
			const char *text = pmon_select_pattern(logs->select, i);

			status = pmon_select_add(logs->reading,
						 (struct pmon_span){text, strlen(text)}, err);
		}
	}
	if (status == PMON_OK)
		status = pmon_select_add(logs->reading,
					 (struct pmon_span){pattern, strlen(pattern)}, err);
	return status;
}

int
logs_widen(struct logs *logs)
{
	enum pmon_status status = PMON_OK;
	struct pmon_err err;

	if (logs_tells_processes(logs->args))
		status = pmon_identity_select(logs->select, NULL, &logs->reading, &err);
	if (status == PMON_OK && args_flag(logs->args, "--per-cpu"))
		status = read_beside(logs, PROCESSORS, &err);
	if (status == PMON_OK && args_flag(logs->args, "--per-cpu"))
		status = read_beside(logs, "\\Processor Information(*)\\% Processor Time", &err);
	for (size_t i = 0;
	     status == PMON_OK && logs->args->beside != NULL && logs->args->beside[i] != NULL; i++)
		status = read_beside(logs, logs->args->beside[i], &err);
	return status == PMON_OK ? EXIT_DONE : say(EXIT_FAILED, "%s", err.msg);
}

// ---- --per-cpu ------------------------------------------------------------------------------

// Does the counter measure time of all processors together?
static bool
is_processor_time(const struct pmon_series *series)
{
	static const char *const counters[] = {"% Processor Time", "% User Time",
					       "% Privileged Time"};
	const struct pmon_path *path = pmon_series_english(series);

	if (!pmon_text_same(path->object, PMON_SPAN("Process")) &&
	    !pmon_text_same(path->object, PMON_SPAN("Process V2")) &&
	    !pmon_text_same(path->object, PMON_SPAN("Thread")))
		return false;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		if (pmon_text_same(path->counter,
				   (struct pmon_span){counters[i], strlen(counters[i])}))
			return true;
	return false;
}

static void
say_processors(const struct logs *logs, const struct rules_processors_of *p)
{
	if (notices_are_muted())
		return;
	if (p->n == 0)
		say(0,
		    "%s: --per-cpu: the number of processors of %.*s is not known: its log has no "
		    "\"%s\"",
		    logs->args->verb->name, (int)p->machine.len, p->machine.ptr, PROCESSORS);
	else
		say(0,
		    "note: --per-cpu: time of processes is divided by the %zu processor%s of %.*s",
		    p->n, p->n == 1 ? "" : "s", (int)p->machine.len, p->machine.ptr);
}

int
logs_check_per_cpu(const struct args *args)
{
	if (!args_flag(args, "--per-cpu") ||
	    (args->identity != IDENTITY_WINDOWS && (args->by == NULL || logs_by_process(args))))
		return EXIT_DONE;
	return say(EXIT_USAGE,
		   "%s: --per-cpu does not go with --by machine and the like, or with "
		   "--identity windows",
		   args->verb->name);
}

size_t
logs_divisor(struct logs *logs, const struct pmon_series *series)
{
	struct rules_processors_of *p;

	if (!args_flag(logs->args, "--per-cpu") || !is_processor_time(series))
		return 1;
	if (!rules_processors_take(&logs->processors, pmon_source_schema(logs->input)))
		return 0;
	p = rules_processors_at(&logs->processors, series->path.machine);
	if (p == NULL)
		return 0;
	if (!p->is_told)
		say_processors(logs, p);
	p->is_told = true;
	return p->n;
}

// ---- Telling them apart ---------------------------------------------------------------------

struct pmon_identity_options
logs_identity_options(const struct logs *logs)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);

	return (struct pmon_identity_options){
		.shown = logs->reading != NULL && !logs->shows_tellers && logs->args->beside == NULL
				 ? logs->select
				 : NULL,
		.hides = logs->hides,
		.hides_ctx = logs->hides_ctx,
		.by_process = logs_by_process(logs->args),
		.forget_after = logs->args->forget_after,
		.from_start = (info->live || info->sampled_by_pmon) && !logs->args->no_starts,
		.tells_owners = (logs->args->verb->traits & VERB_OWNERS) != 0};
}

int
logs_identify(struct logs *logs)
{
	struct pmon_identity_options options = logs_identity_options(logs);
	struct pmon_err err;

	logs->input = logs->source;
	if (!logs_tells_processes(logs->args))
		return EXIT_DONE;
	logs->source = NULL;
	if (pmon_identity_open(logs->input, &options, &logs->source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	logs->identity = logs->source;
	if (logs->labels != NULL)
		return EXIT_DONE;
	logs->labels = malloc(sizeof(*logs->labels));
	if (logs->labels == NULL)
		return say(EXIT_FAILED, "not enough memory");
	*logs->labels = BY_SERIES_OF(struct label);
	return EXIT_DONE;
}

// A machine counts hits by all patterns that it was given.
void
logs_count_hits(struct logs *logs)
{
	const struct pmon_schema *schema;

	if (logs->reading == NULL || !pmon_source_info(logs->source)->live)
		return;
	schema = pmon_source_schema(logs->input);
	for (size_t i = logs->n_counted; i < pmon_schema_count(schema); i++)
		(void)pmon_select_want(logs->select, &pmon_schema_at(schema, i)->path);
	logs->n_counted = pmon_schema_count(schema);
}

void
logs_say_unknown_processes(struct logs *logs)
{
	static bool is_said; // for the whole program, which may read two logs
	bool unknown = logs->unknown_processes;

	if (logs->identity != NULL && logs->source != NULL)
		unknown = pmon_identity_is_unknown(logs->identity);
	if (!unknown || is_said || ferror(stdout))
		return;
	is_said = true;
	say(0, "note: without `ID Process`, processes of the same name cannot be "
	       "distinguished");
}

void
logs_free_identity(struct logs *logs)
{
	for (size_t i = 0; logs->labels != NULL && i < logs->labels->n; i++)
		free(((struct label *)by_series_find(logs->labels, i))->text);
	if (logs->labels != NULL)
		by_series_free(logs->labels);
	free(logs->labels);
	pmon_select_free(logs->reading);
	rules_processors_free(&logs->processors);
	logs->labels = NULL;
	logs->reading = NULL;
}

// "rundll32 (3320)", of a thread "rundll32/0 (3324)". To be freed.
static char *
make_label(const struct pmon_series *series)
{
	struct pmon_path path = series->path;
	long long number = series->thread_id >= 0 ? series->thread_id : series->process_id;
	size_t size = path.instance.len + 32;
	char *instance = malloc(size);
	char *label = NULL;

	if (instance == NULL)
		return NULL;
	(void)snprintf(instance, size, "%.*s (%lld)", (int)path.instance.len, path.instance.ptr,
		       number);
	path.instance = (struct pmon_span){instance, strlen(instance)};
	path.index = 0;
	label = out_path_text(&path, false);
	free(instance);
	return label;
}

struct pmon_span
logs_process_path(const struct logs *logs, const struct pmon_series *series)
{
	struct label *label = NULL; // made when it is asked for

	if (series->of_process && logs->labels != NULL)
		label = by_series_get(logs->labels, series->id);
	if (label == NULL)
		return series->name;
	if (label->text == NULL || label->life != series->life) {
		free(label->text);
		*label = (struct label){make_label(series), series->life};
	}
	if (label->text == NULL)
		return series->name;
	return (struct pmon_span){label->text, strlen(label->text)};
}
