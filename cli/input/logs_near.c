// logs_near.c - patterns that match nothing, and what may have been meant
// SPDX-License-Identifier: MIT

#include <string.h>

#include "cli/input/live.h"
#include "cli/input/logs.h"
#include "cli/input/near.h"
#include "cli/input/notices.h"
#include "cli/output/say.h"
#include "model/english.h"

#define NEAR_INSTANCE 2 // the name of an instance with one wrong letter

// This machine is sampled, and the pattern is for another one? Then names do not help, and it is said
// what does.
static bool
is_of_other_machine(const struct logs *everything, const struct pmon_path *pattern)
{
	const struct pmon_source_info *info = pmon_source_info(everything->source);
	char other[256];

	if (!info->live || pattern->machine.ptr == NULL ||
	    pmon_text_match(pattern->machine,
			    (struct pmon_span){info->machine, strlen(info->machine)}))
		return false;
	(void)snprintf(other, sizeof(other), "%.*s", (int)pattern->machine.len,
		       pattern->machine.ptr);
	live_say_other(info->machine, other);
	return true;
}

// The counters whose names are nearest to a pattern, but none further than most. False: there are none.
static bool
say_near(const struct logs *everything, const struct pmon_path *pattern, size_t most)
{
	const struct pmon_schema *schema = pmon_source_schema(everything->source);
	struct near near = {.n = 0};

	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		near_add(&near, pattern, pmon_schema_at(schema, i));
	if (!near_is_within(&near, most))
		return false;
	for (size_t i = 0; i < near.n; i++)
		say(0, "  did you mean %s", logs_path(everything, near.series[i]).ptr);
	return true;
}

static void
suggest(const struct logs *everything, const char *text)
{
	struct pmon_path pattern;

	say(0, "no counter matches %s", text);
	if (!pmon_pattern_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL))
		return;
	if (is_of_other_machine(everything, &pattern))
		return;
	if (!say_near(everything, &pattern, strlen(text)))
		say(0, "  pmon list shows all counters");
}

size_t
logs_asked(const struct logs *logs)
{
	size_t n = pmon_select_count(logs->select);

	return n > logs->args->n_own ? n - logs->args->n_own : 0;
}

static size_t
count_unmatched(const struct logs *logs)
{
	size_t n = 0;

	for (size_t i = 0; i < logs_asked(logs); i++)
		n += pmon_select_hits(logs->select, i) == 0;
	return n;
}

// Open the same input again without patterns, to find suggestions; live: one sample.
static int
open_everything(const struct logs *logs, struct logs *everything)
{
	const struct args *args = logs->args;
	struct live_plan plan = {.count = args->replay == NULL,
				 .first_shown = true,
				 .everything = true,
				 .interval_100ns = PMON_TIME_PER_SEC};

	if (args->operands.n > 0)
		return logs_open_plain(everything, args);
	*everything = (struct logs){.args = args};
	return live_open(args, &plan, NULL, &everything->source);
}

// May the pattern match once an instance comes? Not if there is such an instance already, and it has no
// such counter on this machine.
static bool
may_come(const struct logs *everything, const struct pmon_path *pattern)
{
	const struct pmon_schema *schema = pmon_source_schema(everything->source);
	const struct pmon_source_info *info = pmon_source_info(everything->source);
	struct pmon_path any = *pattern;
	bool has_instance = false;

	if (!live_may_come(pattern))
		return false;
	if (pattern->machine.ptr != NULL &&
	    !pmon_text_match(pattern->machine,
			     (struct pmon_span){info->machine, strlen(info->machine)}))
		return false;
	any.counter = PMON_SPAN("*");
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (pmon_series_match(pattern, series))
			return true;
		has_instance |= pmon_series_match(&any, series);
	}
	return !has_instance;
}

static bool
is_patient(const struct logs *logs)
{
	if (logs->patience != LIVE_AWAIT_COLUMNS)
		return logs->patience != LIVE_NOW;
	return count_unmatched(logs) == logs_asked(logs);
}

// Pattern i matched nothing: say so, unless the verb added it by itself.
static void
report_unmatched(struct logs *logs, const struct logs *everything, size_t i)
{
	const char *text = pmon_select_pattern(logs->select, i);
	struct pmon_path pattern;

	if (i >= logs->own_first && i < logs->own_end)
		return;
	if (is_patient(logs) &&
	    pmon_pattern_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL) &&
	    may_come(everything, &pattern)) {
		say(0, "no counter matches %s yet; waiting for it", text);
		(void)say_near(everything, &pattern, NEAR_INSTANCE);
		logs->waiting = true;
	} else {
		suggest(everything, text);
	}
}

// At the end, after waiting.
static int
check_waited(const struct logs *logs)
{
	size_t unmatched = count_unmatched(logs);

	for (size_t i = 0; i < logs_asked(logs); i++)
		if (pmon_select_hits(logs->select, i) == 0 &&
		    (i < logs->own_first || i >= logs->own_end))
			say(0, "no counter matched %s while pmon waited",
			    pmon_select_pattern(logs->select, i));
	return unmatched == logs_asked(logs) ? EXIT_FAILED : EXIT_DONE;
}

// The first of the chosen series whose name stands for several counters, and how many there are.
static const struct pmon_series *
find_ambiguous(const struct logs *logs, size_t *n)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	const struct pmon_series *first = NULL;

	*n = 0;
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (series->ambiguous && pmon_select_shows(logs->select, series) && (*n)++ == 0)
			first = series;
	}
	return first;
}

static void
say_ambiguous(const struct logs *logs)
{
	struct pmon_english english;
	size_t n;
	const struct pmon_series *first;

	if (logs->source == NULL || pmon_select_count(logs->select) == 0)
		return;
	first = find_ambiguous(logs, &n);
	if (first == NULL || !pmon_english_of(NULL, &first->path, &english) || english.n < 2)
		return;
	say(0,
	    "note: %s may be %.*s or %.*s, which have the same name in its language; counters "
	    "with such names: %zu",
	    logs_path(logs, first).ptr, (int)english.counters[0].len, english.counters[0].ptr,
	    (int)english.counters[1].len, english.counters[1].ptr, n);
}

int
logs_check_patterns(struct logs *logs)
{
	size_t unmatched;
	bool was_muted = notices_are_muted();
	struct logs everything;
	const struct pmon_sample *sample;
	int status;

	logs_say_outside(logs);
	say_ambiguous(logs);
	logs_count_hits(logs);
	unmatched = count_unmatched(logs);
	if (logs->waiting)
		return check_waited(logs);
	if (unmatched == 0 || logs->checked)
		return EXIT_DONE;
	notices_mute();
	status = open_everything(logs, &everything);
	while (status == EXIT_DONE && logs_next(&everything, &sample, &status))
		; // only to know every counter
	if (status == EXIT_DONE) {
		everything.hide_machine = logs_of_one_machine(&everything);
		for (size_t i = 0; i < logs_asked(logs); i++)
			if (pmon_select_hits(logs->select, i) == 0)
				report_unmatched(logs, &everything, i);
	}
	(void)logs_close(&everything, status);
	if (logs->waiting && !was_muted)
		notices_unmute(); // sampling goes on
	return unmatched == logs_asked(logs) && !logs->waiting ? EXIT_FAILED : EXIT_DONE;
}
