// unmatched.c - report patterns that match nothing, with suggestions
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/text.h"
#include "shell/args/suggest.h"
#include "shell/input/live.h"
#include "shell/input/logs.h"
#include "shell/input/near.h"
#include "shell/input/notices.h"
#include "shell/output/say.h"
#include "model/english.h"
#include "path/words.h"
#include "query/select.h"

#define NEAR_INSTANCE 2 // an instance name with one wrong letter

// Is this machine being sampled although the pattern names another one? Then print what to do
// instead of suggestions.
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

// Print the counters whose names are nearest to a pattern, at most `most` away. False if there are
// none.
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
		say(0, "  did you mean %s", naming_path(&everything->naming, near.series[i]).ptr);
	return true;
}

// The first counter that a search finds, and how many there are.
static const struct pmon_series *
find_words(const struct pmon_schema *schema, struct pmon_span text, size_t *n)
{
	const struct pmon_path pattern = {.counter = text};
	const struct pmon_series *first = NULL;

	*n = 0;
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (!pmon_series_match(&pattern, series))
			continue;
		first = first != NULL ? first : series;
		(*n)++;
	}
	return first;
}

// "cpu" means processors, and "process cpu" what processes use of them.
static bool
say_group_of_others(const struct pmon_schema *schema, struct pmon_span word)
{
	char text[256];
	const struct pmon_series *first;
	size_t n;

	(void)snprintf(text, sizeof(text), "%.*s %.*s", (int)word.len, word.ptr, (int)word.len,
		       word.ptr);
	first = find_words(schema, (struct pmon_span){text, strlen(text)}, &n);
	if (first == NULL || (size_t)first->path.object.len + word.len + 2 > sizeof(text))
		return false;
	(void)snprintf(text, sizeof(text), "%.*s %.*s", (int)first->path.object.len,
		       first->path.object.ptr, (int)word.len, word.ptr);
	(void)find_words(schema, (struct pmon_span){text, strlen(text)}, &n);
	if (n > 0)
		say(0, "  -c '%s' selects %zu counter%s", text, n, pmon_text_word(n, "", "s"));
	return n > 0;
}

// The word of a counter's object and name that is nearest to another word.
static void
look_for_near(struct pmon_span names, struct pmon_span word, struct pmon_span *best,
	      size_t *distance)
{
	struct pmon_span name;

	while (pmon_words_next(&names, &name)) {
		size_t d = suggest_distance(name, word);

		if (d < *distance) {
			*distance = d;
			*best = name;
		}
	}
}

static void
say_near_word(const struct pmon_schema *schema, struct pmon_span word)
{
	struct pmon_span best = {NULL, 0};
	size_t distance = word.len < 6 ? 2 : 3; // and nearer

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_path *path = pmon_series_english(pmon_schema_at(schema, i));

		look_for_near(path->object, word, &best, &distance);
		look_for_near(path->counter, word, &best, &distance);
		if (path->instance.ptr != NULL)
			look_for_near(path->instance, word, &best, &distance);
	}
	if (best.ptr != NULL)
		say(0, "  no counter has \"%.*s\"; did you mean \"%.*s\"?", (int)word.len, word.ptr,
		    (int)best.len, best.ptr);
	else
		say(0, "  no counter has \"%.*s\"", (int)word.len, word.ptr);
}

// Print which words of a search occur in no counter.
static void
suggest_words(const struct logs *everything, struct pmon_span text)
{
	const struct pmon_schema *schema = pmon_source_schema(everything->source);
	struct pmon_span word;
	bool are_all_found = true;
	size_t n;

	if (text.len > 0 && text.ptr[0] == '/') {
		say(0, "  a path has backslashes, as in '\\Process(*)\\Handle Count'");
		return;
	}
	while (pmon_words_next(&text, &word)) {
		if (find_words(schema, word, &n) != NULL)
			continue;
		are_all_found = false;
		if (!say_group_of_others(schema, word))
			say_near_word(schema, word);
	}
	if (are_all_found)
		say(0, "  each word occurs, but no counter has all of them");
	say(0, "  pmon list shows all counters");
}

static void
suggest(const struct logs *everything, const char *text)
{
	struct pmon_path pattern;

	say(0, "no counter matches %s", text);
	if (!pmon_search_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL))
		return;
	if (pmon_path_is_words(&pattern)) {
		suggest_words(everything, pattern.counter);
		return;
	}
	if (is_of_other_machine(everything, &pattern))
		return;
	if (!say_near(everything, &pattern, strlen(text)))
		say(0, "  pmon list shows all counters");
}

// Open the same input again without patterns, to find suggestions; live: one sample.
static int
open_everything(const struct request *request, struct logs *everything)
{
	struct live_plan plan = {.count = request->sampling.replay == NULL,
				 .first_shown = true,
				 .everything = true,
				 .interval_100ns = PMON_TIME_PER_SEC};

	if (request->logs.n > 0)
		return logs_open(everything, request);
	*everything = (struct logs){.request = *request};
	return live_open(request, &plan, NULL, &everything->source);
}

// Could the pattern match when an instance appears? Not if there is already such an instance
// without such a counter on this machine.
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
	if (logs->patterns.patience != LIVE_AWAIT_COLUMNS)
		return logs->patterns.patience != LIVE_NOW;
	return patterns_unmatched(&logs->patterns) == logs->patterns.n_asked;
}

// Report that pattern i matched nothing.
static void
report_unmatched(struct logs *logs, const struct logs *everything, size_t i)
{
	const char *text = pmon_select_pattern(logs->patterns.select, i);
	struct pmon_path pattern;

	if (is_patient(logs) &&
	    pmon_search_parse((struct pmon_span){text, strlen(text)}, &pattern, NULL) &&
	    may_come(everything, &pattern)) {
		say(0, "no counter matches %s yet; waiting for it", text);
		(void)say_near(everything, &pattern, NEAR_INSTANCE);
		logs->patterns.is_waiting = true;
	} else {
		suggest(everything, text);
	}
}

// At the end, after waiting.
static int
check_waited(const struct logs *logs)
{
	size_t unmatched = patterns_unmatched(&logs->patterns);

	for (size_t i = 0; i < logs->patterns.n_asked; i++)
		if (pmon_select_hits(logs->patterns.select, i) == 0)
			say(0, "no counter matched %s before the end",
			    pmon_select_pattern(logs->patterns.select, i));
	return unmatched == logs->patterns.n_asked ? EXIT_FAILED : EXIT_DONE;
}

// The first of the selected series with an ambiguous name, and how many there are.
static const struct pmon_series *
find_ambiguous(const struct logs *logs, size_t *n)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	const struct pmon_series *first = NULL;

	*n = 0;
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (series->ambiguous && pmon_select_shows(logs->patterns.select, series) &&
		    (*n)++ == 0)
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

	if (logs->source == NULL || pmon_select_count(logs->patterns.select) == 0)
		return;
	first = find_ambiguous(logs, &n);
	if (first == NULL || !pmon_english_of(NULL, &first->path, &english) || english.n < 2)
		return;
	say(0,
	    "note: %s is either %.*s or %.*s, which have the same name in the log's language; "
	    "counters with ambiguous names: %zu",
	    naming_path(&logs->naming, first).ptr, (int)english.counters[0].len,
	    english.counters[0].ptr, (int)english.counters[1].len, english.counters[1].ptr, n);
}

// Report patterns that match counters of an object, but, as in Windows, not those with an instance.
// If they match nothing at all, suggest others.
static void
say_left_out(const struct logs *logs)
{
	for (size_t i = 0; i < logs->patterns.n_asked; i++) {
		uint64_t n = pmon_select_left_out(logs->patterns.select, i);
		struct pmon_span rest;
		struct pmon_span object;

		if (n == 0 || pmon_select_hits(logs->patterns.select, i) == 0)
			continue;
		object = pmon_select_object(logs->patterns.select, i, &rest);
		say(0,
		    "note: %s matches only counters without an instance and leaves out %llu with "
		    "one; use %.*s(*)%.*s for those",
		    pmon_select_pattern(logs->patterns.select, i), (unsigned long long)n,
		    (int)object.len, object.ptr, (int)rest.len, rest.ptr);
	}
}

// Report which patterns match counters of the logs, but none in the window.
static void
say_outside(struct logs *logs)
{
	struct window *window = &logs->window;
	char text[WINDOW_SIZE];

	if (window->in_window.n == 0 || window->is_outside_said)
		return;
	window->is_outside_said = true;
	window_text(window, &logs->clock, text);
	for (size_t i = 0; i < logs->patterns.n_asked; i++) {
		const char *pattern = pmon_select_pattern(logs->patterns.select, i);

		if (pmon_select_hits(logs->patterns.select, i) > 0 &&
		    !window_has(window, pmon_source_schema(logs->source), pattern))
			say(0, "no sample of %s %s", pattern, text);
	}
}

int
logs_check_patterns(struct logs *logs)
{
	size_t unmatched;
	bool was_muted = notices_are_muted();
	struct request request = logs->request;
	struct logs everything;
	const struct pmon_sample *sample;
	int status;

	say_outside(logs);
	say_ambiguous(logs);
	patterns_count_hits(&logs->patterns, logs->input);
	unmatched = patterns_unmatched(&logs->patterns);
	if (logs->patterns.is_waiting)
		return check_waited(logs);
	if (!logs->patterns.is_checked)
		say_left_out(logs);
	if (unmatched == 0 || logs->patterns.is_checked)
		return EXIT_DONE;
	notices_mute();
	request.verbose = false;
	request.is_plain = true;
	status = open_everything(&request, &everything);
	while (status == EXIT_DONE && logs_next(&everything, &sample, &status))
		; // read only to find every counter
	if (status == EXIT_DONE) {
		everything.naming.hide_machine = logs_of_one_machine(&everything);
		for (size_t i = 0; i < logs->patterns.n_asked; i++)
			if (pmon_select_hits(logs->patterns.select, i) == 0)
				report_unmatched(logs, &everything, i);
	}
	(void)logs_close(&everything, status);
	if (logs->patterns.is_waiting && !was_muted)
		notices_unmute(); // sampling continues
	return unmatched == logs->patterns.n_asked && !logs->patterns.is_waiting ? EXIT_FAILED
										 : EXIT_DONE;
}
