// chart.c - from logs to a figure: choose series and compute their columns
// SPDX-License-Identifier: MIT
//
// Logs are read twice: first for the time window and the statistics, by which series are chosen and
// assigned to panels, then for the columns. Samples of a live machine are kept in memory in
// between.

#include "verbs/chart/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs/chart/incident.h"
#include "verbs/chart/stack.h"
#include "base/text.h"
#include "base/time.h"
#include "base/utf.h"
#include "shell/input/keep.h"
#include "shell/output/say.h"
#include "shell/process/memory.h"
#include "draw/colour.h"
#include "draw/label.h"
#include "model/pace.h"
#include "os/dir.h"
#include "shell/output/machines.h"

#define SORTED_FROM 13 // from this number on, the legend lists the largest first

// ---- Opening --------------------------------------------------------------------------------

// Live sampling reads only what is requested, so request all objects that may be chosen.
static int
ask(struct request *request)
{
	for (size_t i = 0; pmon_choose_pattern(i) != NULL; i++)
		if (!words_add(&request->added, pmon_choose_pattern(i)))
			return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

int
chart_open(struct chart *chart, const struct args *args)
{
	struct request *request = &chart->request;
	int status = EXIT_DONE;

	chart->args = args;
	*request = request_from(args);
	if (chart->incident != NULL)
		status = incident_ask(chart->incident, request);
	else if (args->operands.n == 0 && !request_has_patterns(request))
		status = ask(request);
	else
		request->also = request_average_needs(request);
	chart->logs = &chart->opened;
	chart->logs->request = *request;
	if (status == EXIT_DONE)
		status = logs_open(chart->logs, request);
	if (status != EXIT_DONE || args->operands.n > 0)
		return status;
	chart->logs->source = keep_open(chart->logs->source);
	return chart->logs->source != NULL ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

// ---- The first reading ----------------------------------------------------------------------

static int
survey(struct chart *chart)
{
	struct draw_figure *f = &chart->figure;
	const struct pmon_sample *sample;
	struct pmon_paces paces = {.list = NULL};
	struct pmon_sample on_axis;
	struct pmon_sample before;
	struct pmon_err err;
	int status = EXIT_DONE;

	f->from = INT64_MAX;
	f->to = INT64_MIN;
	if (pmon_statistics_new(pmon_source_schema(chart->logs->source), &chart->args->calc, NULL,
				&chart->statistics, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	while (logs_next(chart->logs, &sample, &status)) {
		if (!pmon_paces_axis(&paces, sample, &on_axis)) {
			status = say(EXIT_FAILED, "not enough memory");
			break;
		}
		sample = incident_sample(chart, sample, on_axis.time, &before);
		if (sample != NULL &&
		    pmon_statistics_add(chart->statistics, sample, NULL, &err) != PMON_OK) {
			status = say(EXIT_FAILED, "%s", err.msg);
			break;
		}
		if (sample == NULL || sample->preceding)
			continue;
		f->from = on_axis.time < f->from ? on_axis.time : f->from;
		f->to = on_axis.time > f->to ? on_axis.time : f->to;
	}
	pmon_paces_free(&paces);
	if (status == EXIT_DONE && f->from < 0 && f->from < f->to)
		status = say(EXIT_FAILED, "the log contains invalid times");
	return status;
}

// ---- Choosing -------------------------------------------------------------------------------

struct candidate {
	const struct pmon_series *series;
	enum draw_quantity quantity;
	double weight; // the largest come first
	size_t place;  // position in the log
	size_t rank;   // among the series of its counter
};

struct candidates {
	struct candidate *list;
	size_t n;
};

static const struct pmon_stats *
stats_of(const struct chart *chart, const struct pmon_series *series)
{
	const struct pmon_stats *stats = pmon_statistics_at(chart->statistics, series->id);

	return stats != NULL && pmon_vstat_has_value(stats->maximum.status) ? stats : NULL;
}

// The average; for a stack the area, so that short-lived parts are on top.
static double
weight_of(const struct chart *chart, const struct pmon_stats *stats, const struct draw_unit *unit)
{
	uint64_t n = pmon_stats_samples(stats) - stats->count[PMON_V_FIRST] -
		     stats->count[PMON_V_CHANGED] - stats->count[PMON_V_STEPPED];
	double average = pmon_stats_average(stats).value * unit->factor;

	return chart->figure.kind == DRAW_STACKED ? average * (double)n : average;
}

// Collect all series that have a value.
static int
find_candidates(const struct chart *chart, struct candidates *c)
{
	size_t n;
	const struct pmon_series **list = logs_series(chart->logs, &n);

	*c = (struct candidates){calloc(n + 1, sizeof(*c->list)), 0};
	if (list == NULL || c->list == NULL) {
		free(list);
		return say(EXIT_FAILED, "not enough memory");
	}
	for (size_t i = 0; i < n; i++) {
		struct draw_unit unit = draw_unit_of(list[i]);
		const struct pmon_stats *stats = stats_of(chart, list[i]);

		if (stats != NULL && (chart->request.also == NULL ||
				      pmon_select_shows(chart->logs->patterns.select, list[i])))
			c->list[c->n++] = (struct candidate){list[i], unit.quantity,
							     weight_of(chart, stats, &unit), i, 0};
	}
	free(list);
	return EXIT_DONE;
}

static int
larger_first(const void *a, const void *b)
{
	const struct candidate *x = a;
	const struct candidate *y = b;

	if (x->quantity != y->quantity)
		return x->quantity < y->quantity ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static bool
same_counter(const struct pmon_series *a, const struct pmon_series *b)
{
	return pmon_text_same(a->path.object, b->path.object) &&
	       pmon_text_same(a->path.counter, b->path.counter);
}

static size_t
count_same(const struct candidates *c, const struct pmon_series *series)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += same_counter(c->list[i].series, series);
	return n;
}

// A heat map shows one counter: the one with the most instances.
static void
keep_one_counter(struct candidates *c)
{
	const struct pmon_series *best = NULL;
	size_t most = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		size_t count = most < c->n ? count_same(c, c->list[i].series) : 0;

		best = count > most ? c->list[i].series : best;
		most = count > most ? count : most;
	}
	for (size_t i = 0; i < c->n; i++)
		if (same_counter(c->list[i].series, best))
			c->list[n++] = c->list[i];
	if (n < c->n)
		say(0, "a heat map shows only one counter: %.*s; use -c to choose another",
		    (int)best->path.counter.len, best->path.counter.ptr);
	c->n = n;
}

static int
by_counter(const void *a, const void *b)
{
	const struct candidate *x = a;
	const struct candidate *y = b;
	int order = pmon_utf_compare_folded(x->series->path.counter, y->series->path.counter);

	if (order == 0)
		order = pmon_utf_compare_folded(x->series->path.object, y->series->path.object);
	return order != 0 ? order : larger_first(a, b);
}

static int
by_rank(const void *a, const void *b)
{
	const struct candidate *x = a;
	const struct candidate *y = b;

	return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : larger_first(a, b);
}

// Keep this many: first the largest series of each counter, then the second largest ...
static void
keep_fairly(struct candidates *c, size_t most)
{
	qsort(c->list, c->n, sizeof(*c->list), by_counter);
	for (size_t i = 1; i < c->n; i++)
		if (same_counter(c->list[i].series, c->list[i - 1].series))
			c->list[i].rank = c->list[i - 1].rank + 1;
	qsort(c->list, c->n, sizeof(*c->list), by_rank);
	say(0, "%zu counters match; drawing the %zu largest (use -c to choose)", c->n, most);
	c->n = most;
}

static bool
has_part_of(const struct candidates *c, const struct pmon_series *series)
{
	for (size_t i = 0; i < c->n; i++)
		if (pmon_path_ranks(&c->list[i].series->path) &&
		    same_counter(c->list[i].series, series))
			return true;
	return false;
}

// Next to its parts, a sum would count everything twice, and use up colors or make all other bars
// short.
static void
leave_out_totals(const struct chart *chart, struct candidates *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct pmon_series *s = c->list[i].series;

		if (patterns_rank(&chart->logs->patterns, s) || !has_part_of(c, s))
			c->list[n++] = c->list[i];
	}
	if (n < c->n)
		say(0, "_Total and Idle are not drawn; to draw them, name them with -c");
	c->n = n;
}

// Choose the series of a stack, whose smaller ones become a sum, or of an incident.
static int
choose_from(struct chart *chart, const struct candidates *c,
	    int (*choose)(struct chart *chart, const struct pmon_series *const *list, size_t n))
{
	const struct pmon_series **list = calloc(c->n + 1, sizeof(*list));
	int status = EXIT_FAILED;

	if (list == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < c->n; i++)
		list[i] = c->list[i].series;
	status = choose(chart, list, c->n);
	free(list);
	return status;
}

// Areas of one counter's instances would hide each other.
static enum draw_kind
kind_of(struct chart *chart, const struct candidates *c)
{
	if (chart->figure.kind == DRAW_AREA && c->n > 1 && count_same(c, c->list[0].series) == c->n)
		chart->figure.kind = DRAW_STACKED;
	return chart->figure.kind;
}

static int
choose_of(struct chart *chart, struct candidates *c)
{
	enum draw_kind kind = kind_of(chart, c);
	bool lines = kind == DRAW_LINE || kind == DRAW_AREA || kind == DRAW_DISTRIBUTION;
	size_t most = lines ? DRAW_PALETTE * DRAW_DASHES : DRAW_SERIES;

	if (kind == DRAW_HEATMAP && c->n > 0)
		keep_one_counter(c);
	if (!lines)
		leave_out_totals(chart, c);
	if (c->n > most && kind != DRAW_STACKED)
		keep_fairly(c, most);
	if (c->n >= SORTED_FROM || !lines)
		qsort(c->list, c->n, sizeof(*c->list), larger_first);
	if (kind == DRAW_STACKED)
		return choose_from(chart, c, stack_choose);
	for (size_t i = 0; i < c->n; i++)
		chart->chosen[chart->figure.n++] = c->list[i].series;
	return EXIT_DONE;
}

// Choose what is worth showing if nothing was requested.
static int
choose_first(struct chart *chart)
{
	const struct pmon_series *list[CHART_FIRST_CHOICE];
	const struct pmon_schema *schema = pmon_source_schema(chart->logs->source);
	uint32_t ids[CHART_FIRST_CHOICE];
	size_t chosen = pmon_choose(schema, chart->statistics, ids, chart->first_choice);
	size_t n = 0;

	for (size_t i = 0; i < chosen; i++)
		if (stats_of(chart, pmon_schema_at(schema, ids[i])) != NULL)
			list[n++] = pmon_schema_at(schema, ids[i]);
	if (n > 0)
		say(0, "drawing the default counters; use -c to choose others");
	if (chart->figure.kind == DRAW_STACKED)
		return stack_choose(chart, list, n);
	memcpy(chart->chosen, list, n * sizeof(list[0]));
	chart->figure.n = n;
	return EXIT_DONE;
}

// ---- Series of the figure -------------------------------------------------------------------

const char *
chart_average_mark(const struct pmon_series *series)
{
	return pmon_average_kind_mark(pmon_series_average_kind(series));
}

// The name of a row of a heat map or bar chart: its instance, and the machine if there are several.
static void
write_instance(const struct chart *chart, const struct pmon_series *series, char *buf, size_t size)
{
	struct pmon_path path = series->path;
	char text[DRAW_LABEL];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (!chart->logs->naming.hide_machine || path.instance.ptr == NULL) {
		pmon_text_span(&t, path.machine);
		pmon_text_str(&t, path.instance.ptr != NULL && path.machine.ptr != NULL ? " " : "");
	}
	if (path.parent.ptr != NULL) {
		pmon_text_span(&t, path.parent);
		pmon_text_char(&t, '/');
	}
	pmon_text_span(&t, path.instance);
	if (path.index > 0) {
		pmon_text_char(&t, '#');
		pmon_text_i64(&t, path.index);
	}
	draw_clean((struct pmon_span){text, strlen(text)}, buf, size);
}

void
chart_describe(const struct pmon_series *series, const struct pmon_stats *stats,
	       struct draw_series *out)
{
	*out = (struct draw_series){.counter = series->path.counter,
				    .unit = draw_unit_of(series),
				    .last = stats->last,
				    .average = pmon_stats_average(stats),
				    .minimum = stats->minimum,
				    .maximum = stats->maximum,
				    .average_mark = chart_average_mark(series)};
}

void
chart_take_derived(const struct pmon_statistics *statistics, const struct pmon_series *series,
		   struct draw_series *out)
{
	enum pmon_average_kind kind;
	struct pmon_value average = pmon_statistics_average(statistics, series->id, &kind);

	if (kind != PMON_AVERAGE_DERIVED)
		return;
	out->average = average;
	out->average_mark = pmon_average_kind_mark(kind);
}

static void
describe(const struct chart *chart, size_t i)
{
	const struct pmon_series *series = chart->chosen[i];
	struct draw_series *out = &chart->figure.series[i];

	chart_describe(series, stats_of(chart, series), out);
	chart_take_derived(chart->statistics, series, out);
	if (chart->rest[i] > 1) {
		char number[DRAW_NUMBER];
		char counter[DRAW_LABEL];

		(void)draw_whole(chart->rest[i], number, sizeof(number));
		draw_clean(series->path.counter, counter, sizeof(counter));
		(void)snprintf(out->label, sizeof(out->label), "%s others combined: %.200s", number,
			       counter);
		out->is_rest = true;
	} else if (chart->one_counter) {
		write_instance(chart, series, out->label, sizeof(out->label));
	} else {
		draw_clean(naming_path(&chart->logs->naming, series), out->label,
			   sizeof(out->label));
	}
}

static int32_t
offset_min(const void *clock, pmon_time t)
{
	return clock_offset(clock, t);
}

struct draw_clock
chart_clock(const struct clock *clock)
{
	return (struct draw_clock){offset_min, clock};
}

static void
describe_all(struct chart *chart)
{
	for (size_t i = 0; i < chart->figure.n; i++)
		describe(chart, i);
}

static void
write_texts(struct chart *chart)
{
	const struct words *files = &chart->args->operands;
	struct pmon_text t = pmon_text_init(chart->subtitle, sizeof(chart->subtitle));
	struct pmon_span title = chart->chosen[0]->path.machine;
	char text[2 * DRAW_LABEL];
	char names[MACHINES_TEXT] = "";
	struct machines machines = {.n = 0};

	for (size_t i = 0; i < chart->figure.n; i++)
		if (!machines_add(&machines, chart->chosen[i]->path.machine)) {
			memory_was_short();
			break;
		}
	machines_text(&machines, names, sizeof(names));
	if (chart->args->title != NULL)
		title = (struct pmon_span){chart->args->title, strlen(chart->args->title)};
	else if (machines.n > 1)
		title = (struct pmon_span){names, strlen(names)};
	else if (title.ptr == NULL)
		title = PMON_SPAN("Performance");
	machines_free(&machines);
	draw_clean(title, chart->title, sizeof(chart->title));
	draw_time_range(chart->figure.from, chart->figure.to, &chart->figure.clock, text,
			sizeof(text));
	pmon_text_str(&t, text);
	if (files->n == 1 && strcmp(files->list[0], "-") != 0) {
		const char *name = pmon_os_name(files->list[0]);

		draw_clean((struct pmon_span){name, strlen(name)}, text, sizeof(text));
		pmon_text_str(&t, ", ");
		pmon_text_str(&t, text);
	}
}

// Choose among the series with values, and describe what was chosen.
static int
choose(struct chart *chart, bool asked)
{
	struct draw_figure *f = &chart->figure;
	struct candidates candidates = {.list = NULL};
	int status = find_candidates(chart, &candidates);

	if (status == EXIT_DONE && chart->incident != NULL) {
		qsort(candidates.list, candidates.n, sizeof(*candidates.list), larger_first);
		status = choose_from(chart, &candidates, incident_choose);
	} else if (status == EXIT_DONE && (asked || f->kind == DRAW_HEATMAP)) {
		status = choose_of(chart, &candidates);
	} else if (status == EXIT_DONE) {
		status = choose_first(chart);
	}
	free(candidates.list);
	if (status != EXIT_DONE || f->n == 0)
		return status;
	f->series = chart->series;
	f->title = chart->title;
	f->subtitle = chart->subtitle;
	f->clock = chart_clock(&chart->logs->clock);
	chart->one_counter = f->kind == DRAW_HEATMAP || f->kind == DRAW_BAR;
	for (size_t i = 1; i < f->n; i++)
		chart->one_counter &= same_counter(chart->chosen[0], chart->chosen[i]);
	describe_all(chart);
	write_texts(chart);
	if (chart->incident != NULL)
		incident_describe(chart);
	return status;
}

int
chart_choose(struct chart *chart)
{
	bool asked = request_has_patterns(&chart->request);
	int status = survey(chart);

	if (status == EXIT_DONE && asked)
		status = logs_check_patterns(chart->logs);
	if (status != EXIT_DONE)
		return status;
	logs_hide_machine(chart->logs);
	status = choose(chart, asked);
	if (status != EXIT_DONE)
		return status;
	logs_say_one_sample(chart->logs, chart->statistics);
	for (size_t i = 0; i < chart->figure.n; i++)
		if (chart->chosen[i]->of_process) {
			logs_say_unknown_processes(chart->logs);
			break;
		}
	return chart->figure.n > 0 ? EXIT_DONE : say(EXIT_FAILED, "there is no value to draw");
}

int
chart_choose_incident(struct chart *chart)
{
	return choose(chart, false);
}

void
chart_name_bars(struct chart *chart)
{
	struct draw_figure *f = &chart->figure;

	for (size_t panel = 0; f->kind == DRAW_BAR && panel < f->n_panels; panel++) {
		const struct pmon_series *first = NULL;
		bool is_one = true;

		for (size_t i = 0; i < f->n; i++) {
			if (f->series[i].panel != panel)
				continue;
			first = first != NULL ? first : chart->chosen[i];
			is_one &= same_counter(first, chart->chosen[i]) &&
				  chart->chosen[i]->path.instance.ptr != NULL;
		}
		for (size_t i = 0; is_one && i < f->n; i++)
			if (f->series[i].panel == panel)
				write_instance(chart, chart->chosen[i], f->series[i].label,
					       sizeof(f->series[i].label));
	}
}

void
chart_free(struct chart *chart)
{
	pmon_envelope_free(chart->envelope);
	pmon_envelope_free(chart->sums);
	pmon_statistics_free(chart->statistics);
	free(chart->parts);
	free(chart->stack);
	free(chart->percentiles);
	free(chart->request.added.list);
}

int
chart_close(struct chart *chart, int status)
{
	status = logs_close(&chart->opened, status);
	chart_free(chart);
	return status;
}
