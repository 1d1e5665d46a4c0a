// window.c - the time window to read, and its contents
// SPDX-License-Identifier: MIT
//
// A verb gets its logs only if the window contains a sample of the requested counters. So no verb
// writes output for an empty window.

#include "shell/input/window.h"

#include <string.h>

#include "base/time.h"
#include "query/window.h"
#include "shell/output/say.h"

int
window_open(struct window *window, struct pmon_source **source)
{
	struct pmon_source *inner = *source;
	struct pmon_err err;

	*source = NULL;
	if (pmon_window_open(inner, window->from, window->to, NULL, source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	window->step = *source;
	return EXIT_DONE;
}

void
window_free(struct window *window)
{
	by_series_free(&window->in_window);
}

void
window_text(const struct window *window, const struct clock *clock, char buf[WINDOW_SIZE])
{
	char from[PMON_TIME_SIZE];
	char to[PMON_TIME_SIZE];

	if (window->from != PMON_TIME_NONE)
		pmon_time_local(window->from, clock_offset(clock, window->from), from);
	if (window->to != PMON_TIME_NONE)
		pmon_time_local(window->to, clock_offset(clock, window->to), to);
	if (window->from == PMON_TIME_NONE)
		(void)snprintf(buf, WINDOW_SIZE, "up to %s", to);
	else if (window->to == PMON_TIME_NONE)
		(void)snprintf(buf, WINDOW_SIZE, "from %s on", from);
	else if (window->from == window->to)
		(void)snprintf(buf, WINDOW_SIZE, "at %s", from);
	else
		(void)snprintf(buf, WINDOW_SIZE, "from %s to %s", from, to);
}

// ---- What lies in it --------------------------------------------------------------------------

// Notes are kept only if some patterns may have values in the window and others not.
static bool
are_notes_wanted(const struct window *window, const struct pmon_select *select)
{
	return window->step != NULL && select != NULL && pmon_select_count(select) > 1;
}

static void
note_series(struct window *window, size_t series)
{
	bool *in_window;

	if (window->in_window.each == 0)
		window->in_window = BY_SERIES_OF(bool);
	in_window = by_series_get(&window->in_window, series);
	if (in_window != NULL)
		*in_window = true;
}

void
window_note_sample(struct window *window, const struct pmon_select *select,
		   const struct pmon_sample *sample)
{
	if (!are_notes_wanted(window, select) || sample->preceding)
		return;
	for (size_t i = 0; i < sample->n; i++)
		note_series(window, sample->series[i]);
}

bool
window_note_statistics(struct window *window, const struct pmon_select *select,
		       const struct pmon_schema *schema, const struct pmon_statistics *statistics)
{
	size_t n = pmon_schema_count(schema);
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, i);

		if (stats == NULL || pmon_stats_samples(stats) == 0)
			continue;
		any = true;
		if (are_notes_wanted(window, select))
			note_series(window, i);
	}
	return any;
}

bool
window_has(const struct window *window, const struct pmon_schema *schema, const char *text)
{
	struct pmon_path pattern;

	if (!pmon_search_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL))
		return true;
	for (size_t i = 0; i < window->in_window.n; i++)
		if (*(const bool *)by_series_find(&window->in_window, i) &&
		    pmon_series_match(&pattern, pmon_schema_at(schema, i)))
			return true;
	return false;
}

enum pmon_status
window_look(struct window *window, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	enum pmon_status status = pmon_window_seek(window->step, &sample, err);

	if (status != PMON_OK || sample->n > 0)
		return status;
	do
		status = pmon_source_next(window->step, &sample, err);
	while (status == PMON_OK && (sample->preceding || sample->n == 0));
	return status == PMON_OK ? pmon_source_rewind(window->step, err) : status;
}

int
window_learn_times(struct window *window)
{
	const struct pmon_sample *sample;
	struct pmon_err err;

	if (pmon_source_rewind(window->step, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	while (pmon_source_next(window->step, &sample, &err) == PMON_OK)
		;
	return EXIT_DONE;
}
