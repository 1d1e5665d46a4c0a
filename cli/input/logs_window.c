// logs_window.c - the window of time that is read, and what is said when nothing lies in it
// SPDX-License-Identifier: MIT
//
// A verb gets its logs only when the window holds a sample of what was asked for. So no verb writes
// anything for an empty window.

#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "cli/args/verb.h"
#include "cli/input/logs.h"
#include "cli/output/line.h"
#include "cli/output/say.h"
#include "query/window.h"

// ---- Options --------------------------------------------------------------------------------

const char *
logs_begin_option(const struct args *args)
{
	return args->verb->run_words != NULL ? "-b" : "--from";
}

// --to of pmon push is the engine.
const char *
logs_end_option(const struct args *args)
{
	if (args->verb->run_words != NULL)
		return "-e";
	return args->verb->traits & VERB_UNTIL ? "--until" : "--to";
}

static int
read_bounds(struct logs *logs)
{
	const struct args *args = logs->args;
	int status = EXIT_DONE;

	if (args->from != NULL)
		status = logs_time(logs, args->from, &logs->from);
	if (status == EXIT_DONE && args->to != NULL)
		status = logs_time(logs, args->to, &logs->to);
	if (status == EXIT_DONE && args->from != NULL && args->to != NULL && logs->from > logs->to)
		status = say(EXIT_USAGE,
			     "%s: the window ends before it begins: %s %s is after %s %s",
			     args->verb->name, logs_begin_option(args), args->from,
			     logs_end_option(args), args->to);
	return status;
}

#define WINDOW_SIZE (2 * PMON_TIME_SIZE + 16)

// ---- Empty windows --------------------------------------------------------------------------

// "from 2026-11-20 10:00:00.000 to 2026-11-20 11:00:00.000"
static void
put_window(const struct logs *logs, char *buf, size_t size)
{
	char from[PMON_TIME_SIZE];
	char to[PMON_TIME_SIZE];

	if (logs->from != PMON_TIME_NONE)
		pmon_time_local(logs->from, clock_offset(&logs->clock, logs->from), from);
	if (logs->to != PMON_TIME_NONE)
		pmon_time_local(logs->to, clock_offset(&logs->clock, logs->to), to);
	if (logs->from == PMON_TIME_NONE)
		(void)snprintf(buf, size, "up to %s", to);
	else if (logs->to == PMON_TIME_NONE)
		(void)snprintf(buf, size, "from %s on", from);
	else
		(void)snprintf(buf, size, "from %s to %s", from, to);
}

// "server.blg has", "the logs have"
static void
put_logs(const struct logs *logs, char *buf, size_t size)
{
	const struct words *names = &logs->args->operands;

	if (names->n == 1)
		(void)snprintf(buf, size, "%s has", file_name(names->list[0]));
	else
		(void)snprintf(buf, size, "the logs have");
}

static int
say_empty(struct logs *logs)
{
	pmon_time first = pmon_window_oldest(logs->window);
	pmon_time last = pmon_window_newest(logs->window);
	char window[WINDOW_SIZE];
	char a[PMON_TIME_SIZE];
	char b[PMON_TIME_SIZE];
	char zone[ZONE_SIZE];
	char names[512];

	logs->is_empty = true;
	put_logs(logs, names, sizeof(names));
	if (first == PMON_TIME_NONE)
		return say(EXIT_FAILED, "%s no samples", names);
	put_window(logs, window, sizeof(window));
	pmon_time_local(first, clock_offset(&logs->clock, first), a);
	pmon_time_local(last, clock_offset(&logs->clock, last), b);
	logs_zone(logs, zone);
	return say(EXIT_FAILED, "no sample%s %s; %s samples from %s to %s (%s)",
		   logs->select != NULL && pmon_select_count(logs->select) > 0
			   ? " of the chosen counters"
			   : "",
		   window, names, a, b, logs->clock.mode == CLOCK_LOCAL ? "local time" : zone);
}

// Nothing is in the window, or nothing that was asked for. All was read, so all counters are known.
static int
explain_empty(struct logs *logs)
{
	int status = logs_check_patterns(logs);

	return status == EXIT_DONE ? say_empty(logs) : status;
}

int
logs_say_empty_window(struct logs *logs)
{
	const struct pmon_sample *sample;
	struct pmon_err err;

	if (pmon_source_rewind(logs->window, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	while (pmon_source_next(logs->window, &sample, &err) == PMON_OK)
		; // to learn the times
	return explain_empty(logs);
}

// Find a sample that holds something of what was asked for.
static enum pmon_status
look_for_values(struct logs *logs, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	enum pmon_status status;

	do
		status = pmon_source_next(logs->window, &sample, err);
	while (status == PMON_OK && (sample->lead_in || sample->n == 0));
	return status == PMON_OK ? pmon_source_rewind(logs->window, err) : status;
}

static int
check_not_empty(struct logs *logs)
{
	const struct pmon_sample *sample;
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status = pmon_window_seek(logs->window, &sample, &err);

	if (status == PMON_OK && sample->n == 0)
		status = look_for_values(logs, &err);
	line_erase();
	if (status == PMON_END)
		return explain_empty(logs);
	return status == PMON_OK ? EXIT_DONE : logs_say_err(logs, &err);
}

// ---- Patterns of which nothing is in it -----------------------------------------------------

// Notes are only kept where some patterns may have values in the window and others not.
static bool
are_notes_wanted(const struct logs *logs)
{
	return logs->window != NULL && logs->select != NULL && pmon_select_count(logs->select) > 1;
}

static void
note_series(struct logs *logs, size_t series)
{
	bool *in_window;

	if (logs->in_window.each == 0)
		logs->in_window = BY_SERIES_OF(bool);
	in_window = by_series_get(&logs->in_window, series);
	if (in_window != NULL)
		*in_window = true;
}

void
logs_note_sample(struct logs *logs, const struct pmon_sample *sample)
{
	if (!are_notes_wanted(logs) || sample->lead_in)
		return;
	for (size_t i = 0; i < sample->n; i++)
		note_series(logs, sample->series[i]);
}

bool
logs_note_statistics(struct logs *logs, const struct pmon_statistics *statistics)
{
	size_t n = pmon_schema_count(pmon_source_schema(logs->source));
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, i);

		if (stats == NULL || pmon_stats_samples(stats) == 0)
			continue;
		any = true;
		if (are_notes_wanted(logs))
			note_series(logs, i);
	}
	return any;
}

static bool
is_in_window(const struct logs *logs, const char *text)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	struct pmon_path pattern;

	if (!pmon_pattern_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL))
		return true;
	for (size_t i = 0; i < logs->in_window.n; i++)
		if (*(const bool *)by_series_find(&logs->in_window, i) &&
		    pmon_series_match(&pattern, pmon_schema_at(schema, i)))
			return true;
	return false;
}

void
logs_say_outside(struct logs *logs)
{
	char window[WINDOW_SIZE];

	if (logs->in_window.n == 0 || logs->outside_said)
		return;
	logs->outside_said = true;
	put_window(logs, window, sizeof(window));
	for (size_t i = 0; i < logs_asked(logs); i++) {
		const char *text = pmon_select_pattern(logs->select, i);

		if (pmon_select_hits(logs->select, i) > 0 && !is_in_window(logs, text))
			say(0, "no sample of %s %s", text, window);
	}
}

// ---- Opening --------------------------------------------------------------------------------

int
logs_set_window(struct logs *logs, bool look_later)
{
	struct pmon_source *inner = logs->source;
	struct pmon_err err;
	int status;

	logs->from = logs->to = PMON_TIME_NONE;
	if (logs->args->from == NULL && logs->args->to == NULL)
		return EXIT_DONE;
	status = read_bounds(logs);
	if (status != EXIT_DONE)
		return status;
	logs->source = NULL;
	if (pmon_window_open(inner, logs->from, logs->to, NULL, &logs->source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	logs->window = logs->source;
	return look_later ? EXIT_DONE : check_not_empty(logs);
}

// ---- One sample -----------------------------------------------------------------------------

void
logs_say_one_sample(const struct logs *logs, const struct pmon_statistics *statistics)
{
	size_t n = pmon_schema_count(pmon_source_schema(logs->source));
	size_t need_two = 0;

	for (size_t i = 0; i < n; i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, i);

		if (stats == NULL || pmon_stats_samples(stats) == 0)
			continue;
		if (pmon_stats_samples(stats) > 1)
			return;
		need_two += stats->count[PMON_V_FIRST] > 0;
	}
	logs_say_need_two(need_two);
}

void
logs_say_need_two(size_t need_two)
{
	if (need_two > 0)
		say(0,
		    "rates and averages need two samples, and there is one: %zu counters have no "
		    "value",
		    need_two);
}
