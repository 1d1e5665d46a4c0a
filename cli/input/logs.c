// logs.c - the logs of a command line, opened, selected, merged and cut
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/time.h"
#include "cli/args/verb.h"
#include "cli/input/live.h"
#include "cli/input/machines.h"
#include "cli/input/logs.h"
#include "cli/input/progress.h"
#include "cli/output/line.h"
#include "cli/output/say.h"
#include "cli/process/memory.h"
#include "os/threads.h"
#include "text/machines.h"

#define PROGRESS_SAMPLES 16 // so many samples between two looks at the clock
#define SOME_SAMPLES     10 // of this machine, where an end is needed and none is given
#define MINUTE_SAMPLES   60 // the same where they are drawn over time

// ---- Opening --------------------------------------------------------------------------------

static bool
bounds_window(const struct args *args, const struct option *option)
{
	return strcmp(option_name(option), logs_begin_option(args)) == 0 ||
	       strcmp(option_name(option), logs_end_option(args)) == 0;
}

// Options of this machine say nothing of logs, and those of logs nothing of this machine.
static int
check_options(const struct args *args)
{
	const struct option *option;
	enum option_scope other = args->operands.n == 0 ? OPTION_LOGS : OPTION_MACHINE;

	for (size_t i = 0; (option = option_at(args->verb->options, i)) != NULL; i++) {
		if (args->is_side || option->scope != other || !args_has(args, i))
			continue;
		if (other == OPTION_MACHINE)
			return say(EXIT_USAGE,
				   "%s: %s applies to sampling this machine, not to the log %s",
				   args->verb->name, option_name(option), args->operands.list[0]);
		return say(EXIT_USAGE, "%s: %s applies to logs, and no file was given%s",
			   args->verb->name, option_name(option),
			   bounds_window(args, option) ? "; --duration ends sampling" : "");
	}
	return EXIT_DONE;
}

int
logs_open_machine(struct logs *logs, const struct args *args, const struct live_plan *plan)
{
	int status;

	*logs = (struct logs){.args = args};
	status = logs_make_select(logs);
	if (status == EXIT_DONE)
		status = live_open(args, plan, logs->reading != NULL ? logs->reading : logs->select,
				   &logs->source);
	logs->input = logs->source;
	if (status == EXIT_DONE)
		status = logs_set_clock(logs);
	// What is played back is read to its end in no time.
	if (status == EXIT_DONE && args->replay == NULL && !args->own_patterns) {
		logs->patience = (int)plan->patience;
		status = logs_check_patterns(logs);
		logs->checked = true;
	}
	if (status == EXIT_DONE && logs->waiting && plan->patience >= LIVE_AWAIT)
		status = live_await(logs->input);
	// After the first sample, so that the series it brought are known to whoever looks at the schema.
	return status == EXIT_DONE ? logs_identify(logs) : status;
}

// What runs until it is interrupted waits for counters that may come. Where an end was asked for, that
// end comes. Without either the user did not mean to wait.
static enum live_patience
patience_of_verb(const struct args *args)
{
	if (args->verb->live == LIVE_ONE)
		return LIVE_NOW;
	if (args->count != NULL)
		return LIVE_LATER;
	if (args->verb->traits & VERB_STREAMS)
		return logs_has_columns(args) ? LIVE_AWAIT_COLUMNS : LIVE_AWAIT;
	return args->verb->live == LIVE_ENDLESS || args->verb->live == LIVE_PACED ||
			       args->duration != NULL
		       ? LIVE_LATER
		       : LIVE_NOW;
}

// Where no file is named, verbs that can sample this machine do. They end by themselves, but for
// those that show samples as they come.
static int
plan_of_verb(const struct args *args, struct live_plan *plan)
{
	int status = live_plan(args, plan);

	if (args->verb->live == LIVE_ONE)
		plan->count = 1;
	else if ((args->verb->live == LIVE_SOME || args->verb->live == LIVE_MINUTE) &&
		 args->replay == NULL && plan->count == 0 && plan->duration_100ns == 0)
		plan->count = args->verb->live == LIVE_MINUTE ? MINUTE_SAMPLES : SOME_SAMPLES;
	if (args->verb->live == LIVE_PACED)
		plan->interval_100ns = 0;
	plan->first_shown = args->verb->live == LIVE_ONE || args->verb->live == LIVE_PACED ||
			    (args->verb->traits & VERB_RAW) != 0 || args->replay != NULL;
	plan->everything = args->verb->live == LIVE_ONE;
	plan->patience = patience_of_verb(args);
	return status;
}

static int
open_all(struct logs *logs, const struct args *args, bool plain, bool once)
{
	struct live_plan plan;
	bool is_fleet;
	int status = EXIT_DONE;

	*logs = (struct logs){.args = args};
	logs->streams = once && args->operands.n == 1 && args->from == NULL && args->to == NULL;
	if (args->operands.n == 0 && args->verb->live == LIVE_NONE)
		return say(EXIT_USAGE, "%s: name a log file; see pmon %s --help", args->verb->name,
			   args->verb->name);
	status = check_options(args);
	if (status == EXIT_DONE)
		status = machines_check(args);
	if (status == EXIT_DONE && args->operands.n == 0)
		status = plan_of_verb(args, &plan);
	if (status == EXIT_DONE && args->operands.n == 0)
		return logs_open_machine(logs, args, &plan);
	if (status == EXIT_DONE && !plain)
		status = logs_make_select(logs);
	if (status == EXIT_DONE)
		status = logs_open_files(logs);
	if (status == EXIT_DONE)
		status = logs_set_clock(logs);
	is_fleet = once && logs->merge != NULL && !logs_by_process(args);
	// Statistics of several logs are read by many threads, which are not to wait for a look before.
	if (status == EXIT_DONE && !plain)
		status = logs_set_window(logs, is_fleet);
	if (status == EXIT_DONE && !plain && !is_fleet && !args->identifies_later)
		status = logs_identify(logs);
	return status;
}

int
logs_open(struct logs *logs, const struct args *args)
{
	return open_all(logs, args, false, false);
}

int
logs_open_plain(struct logs *logs, const struct args *args)
{
	return open_all(logs, args, true, false);
}

int
logs_open_once(struct logs *logs, const struct args *args, bool plain)
{
	return open_all(logs, args, plain, true);
}

bool
logs_again(struct logs *logs, int *status)
{
	if (!logs->again)
		return false;
	pmon_source_close(logs->source);
	logs_free_files(logs);
	logs->source = NULL;
	logs->files = NULL;
	logs->again = logs->streams = false;
	*status = logs_open_files(logs);
	if (*status == EXIT_DONE)
		*status = logs_set_clock(logs);
	if (*status == EXIT_DONE && logs->identity != NULL)
		*status = logs_identify(logs);
	return *status == EXIT_DONE;
}

// The name of the input, for messages.
static const char *
name_of(const struct logs *logs)
{
	return logs->args->operands.n > 0 ? logs->args->operands.list[0] : "this machine";
}

int
logs_say_err(const struct logs *logs, const struct pmon_err *err)
{
	int status = say_err(name_of(logs), err);

	memory_hint(err);
	return status;
}

bool
logs_next(struct logs *logs, const struct pmon_sample **sample, int *status)
{
	struct pmon_err err = {.status = PMON_OK};

	// Whoever reads along sees each sample at once, and none is taken for a reader that is gone.
	if (pmon_source_info(logs->source)->live && fflush(stdout) != 0)
		return false;
	switch (pmon_source_next(logs->source, sample, &err)) {
	case PMON_OK:
		if (++logs->read % PROGRESS_SAMPLES == 0)
			progress_tell(NULL, pmon_source_info(logs->source));
		logs_note_sample(logs, *sample);
		return true;
	case PMON_END:
		line_erase();
		return false;
	default:
		logs->again = logs->streams && err.status == PMON_E_STATE;
		if (!logs->again)
			*status = logs_say_err(logs, &err);
		return false;
	}
}

int
logs_rewind(struct logs *logs)
{
	struct pmon_err err;

	if (pmon_source_rewind(logs->source, &err) != PMON_OK)
		return logs_say_err(logs, &err);
	return EXIT_DONE;
}

int
logs_close(struct logs *logs, int status)
{
	bool damaged = logs->source != NULL && pmon_source_info(logs->source)->losses > 0;

	logs_note_apart(logs);
	if (logs->source != NULL && pmon_source_info(logs->source)->records_unknown > 0)
		say(0, "note: %llu records of unknown kinds were skipped",
		    (unsigned long long)pmon_source_info(logs->source)->records_unknown);
	if (status == EXIT_DONE && logs->failed)
		status = EXIT_FAILED;
	if (status == EXIT_DONE && damaged)
		status = EXIT_DAMAGED;
	if (status == EXIT_DONE)
		logs_say_unknown_processes(logs);
	pmon_source_close(logs->source);
	free(logs->apart);
	pmon_select_free(logs->select);
	logs_free_identity(logs);
	logs_free_files(logs);
	by_series_free(&logs->in_window);
	return status;
}

// Several files, each read by one thread.
static int
fleet_statistics(struct logs *logs, struct pmon_statistics **out)
{
	struct pmon_fleet_options options = {
		.read = {.calc = logs->args->calc,
			 .keep = logs->keep,
			 .threads = (unsigned)pmon_threads_processors(),
			 .progress = progress_tell},
		.from = logs->from,
		.to = logs->to,
	};
	struct pmon_identity_options identity;
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;

	logs_hold(logs);
	identity = logs_identity_options(logs);
	if (logs_tells_processes(logs->args))
		options.identity = &identity;
	status = pmon_fleet_read(logs->merge, &options, NULL, out, &err);
	logs->unknown_processes = options.unknown_processes;
	line_erase();
	logs_tell_held(logs);
	if (status != PMON_OK)
		return logs_say_err(logs, &err);
	if (logs->window != NULL && !logs_note_statistics(logs, *out))
		return logs_say_empty_window(logs);
	return EXIT_DONE;
}

// Statistics of one log from its beginning to its end.
static int
statistics_of_one(struct logs *logs, struct pmon_statistics **out)
{
	struct pmon_statistics_options options = {
		.calc = logs->args->calc,
		.keep = logs->keep,
		.threads = (unsigned)pmon_threads_processors(),
		.progress = progress_tell,
	};
	struct pmon_err err = {.status = PMON_OK};
	int status = EXIT_DONE;

	do {
		enum pmon_status read =
			pmon_statistics_read(logs->source, &options, NULL, out, &err);

		logs->again = logs->streams && read == PMON_E_STATE;
		if (read != PMON_OK && !logs->again)
			return logs_say_err(logs, &err);
	} while (logs_again(logs, &status));
	line_erase();
	return status;
}

int
logs_statistics(struct logs *logs, struct pmon_statistics **out)
{
	const struct pmon_sample *sample;
	struct pmon_err err = {.status = PMON_OK};
	int status = EXIT_DONE;

	if (logs->merge != NULL && logs->identity == NULL)
		return fleet_statistics(logs, out);
	if (logs->args->operands.n == 1 && logs->args->from == NULL && logs->args->to == NULL)
		return statistics_of_one(logs, out);
	if (pmon_statistics_new(pmon_source_schema(logs->source), &logs->args->calc, NULL, out,
				&err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	pmon_statistics_keep(*out, logs->keep);
	while (logs_next(logs, &sample, &status)) {
		if (pmon_statistics_add(*out, sample, NULL, &err) != PMON_OK) {
			status = say(EXIT_FAILED, "%s", err.msg);
			break;
		}
	}
	return status;
}

const struct pmon_series **
logs_series(const struct logs *logs, size_t *n)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	const struct pmon_series **list;

	*n = pmon_schema_count(schema);
	list = calloc(*n + 1, sizeof(const struct pmon_series *));
	if (list == NULL)
		say(0, "not enough memory");
	else
		pmon_schema_in_order(schema, list);
	return list;
}

bool
logs_of_one_machine(const struct logs *logs)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);

	for (size_t i = 1; i < pmon_schema_count(schema); i++)
		if (!pmon_text_same(pmon_schema_at(schema, 0)->path.machine,
				    pmon_schema_at(schema, i)->path.machine))
			return false;
	return true;
}

struct pmon_span
logs_path(const struct logs *logs, const struct pmon_series *series)
{
	struct pmon_span name = logs_process_path(logs, series);
	size_t skip = series->path.machine.len + 2;

	if (series->path.machine.ptr == NULL || !logs->hide_machine || skip > name.len)
		return name;
	return (struct pmon_span){name.ptr + skip, name.len - skip};
}

void
logs_hide_machine(struct logs *logs)
{
	logs->hide_machine = logs->args->format == OUT_TEXT && logs_of_one_machine(logs);
}

void
logs_zone(const struct logs *logs, char buf[ZONE_SIZE])
{
	char offset[PMON_TIME_SIZE];

	pmon_time_offset(logs->clock.offset_min, offset);
	(void)snprintf(buf, ZONE_SIZE, "UTC%s", strcmp(offset, "Z") == 0 ? "" : offset);
}

// "12 logs", "11 of 12 logs"
static void
print_machines(const struct logs *logs)
{
	char text[MACHINES_TEXT];
	struct machines machines;

	if (!machines_find(pmon_source_schema(logs->source), &machines))
		memory_was_short();
	if (machines.n > 1 || (machines.n == 1 && logs->hide_machine)) {
		machines_text(&machines, text, sizeof(text));
		fputs(machines.n == 1 ? "Machine " : "", stdout);
		out_clean(stdout, (struct pmon_span){text, strlen(text)});
		fputs(", ", stdout);
	}
	machines_free(&machines);
}

void
logs_print_heading(const struct logs *logs)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);
	char zone[ZONE_SIZE];

	print_machines(logs);
	logs_zone(logs, zone);
	if (info->live)
		fputs(logs->args->replay != NULL ? "played back" : "live", stdout);
	else if (logs->args->operands.n > 1)
		logs_print_count(logs);
	else
		printf("%s log", info->format);
	printf(", times in %s\n\n", logs->clock.mode == CLOCK_LOCAL ? "local time" : zone);
}
