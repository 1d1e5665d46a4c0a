// overview.c - the most important numbers of a machine, and its busiest processes
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs/first/first.h"
#include "verbs/top/text.h"
#include "base/text.h"
#include "draw/label.h"
#include "query/statistics.h"

#define TEXT            256
#define PROCESS_COLUMNS 40 // of a name among the top processes
#define CELLS           3
#define SPARK           16 // characters
#define MOST_LABEL      36
#define LEAST_LABEL     12

struct row {
	struct first_row of;
	char cells[CELLS][TEXT]; // average, 95th percentile, maximum
	char at[FIRST_TIME];
};

// ---- Sparklines -----------------------------------------------------------------------------

// The extreme of the columns [from, to); NAN when they have no value.
static double
extreme(const struct pmon_envelope_column *columns, size_t from, size_t to, bool least)
{
	double found = NAN;

	for (size_t i = from; i < to; i++) {
		double value = least ? columns[i].minimum : columns[i].maximum;

		if (columns[i].count > 0 &&
		    (isnan(found) || (least ? value < found : value > found)))
			found = value;
	}
	return found;
}

// The number of columns up to the last sample: the window has grown beyond it.
static size_t
used_columns(const struct first *f)
{
	double whole = (double)(pmon_envelope_end(f->envelope) - f->survey.first);
	double used = (double)survey_length(&f->survey) / whole * FIRST_COLUMNS;

	return used >= FIRST_COLUMNS ? FIRST_COLUMNS : used < 1 ? 1 : (size_t)ceil(used);
}

// Scaled from 0 to the maximum, so that small changes look flat.
static void
print_spark(const struct first *f, const struct row *row)
{
	const struct pmon_envelope_column *columns =
		pmon_envelope_at(f->envelope, row->of.series->id);
	size_t used = used_columns(f);
	size_t n = f->survey.samples < SPARK ? (size_t)f->survey.samples : SPARK;
	double top = row->of.stats->maximum.value;
	double last = NAN;

	n = used < n ? used : n;
	fputs(columns != NULL && top > 0 ? "  " : "", stdout);
	for (size_t i = 0; columns != NULL && top > 0 && i < n; i++) {
		double value = extreme(columns, i * used / n, (i + 1) * used / n, row->of.least);

		// With few samples a part of the time may contain none.
		if (isnan(value) && f->survey.n_gaps == 0)
			value = last;
		last = value;
		fputs(top_spark(value, 0, top, f->ascii ? TOP_ASCII : TOP_UTF8), stdout);
	}
}

// ---- Rows -----------------------------------------------------------------------------------

static void
label_of(struct first_row *row)
{
	struct pmon_text t = pmon_text_init(row->label, sizeof(row->label));
	struct pmon_choice choice;
	char instance[TEXT];

	if (pmon_choose_could(pmon_series_english(row->series), &choice)) {
		row->least = choice.least;
		pmon_text_str(&t, choice.label);
	} else {
		pmon_text_span(&t, row->series->path.counter);
	}
	(void)draw_instance(row->series, instance, sizeof(instance));
	if (instance[0] == '\0' || pmon_path_is_total(&row->series->path))
		return;
	pmon_text_char(&t, ' ');
	pmon_text_str(&t, instance);
}

size_t
first_rows(const struct first *f, struct first_row rows[FIRST_SERIES])
{
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	uint32_t chosen[FIRST_SERIES];
	size_t n = pmon_choose(schema, f->judged.statistics, chosen, FIRST_SERIES);
	enum pmon_average_kind kind;

	for (size_t i = 0; i < n; i++) {
		rows[i] = (struct first_row){
			.series = pmon_schema_at(schema, chosen[i]),
			.stats = pmon_statistics_at(f->judged.statistics, chosen[i]),
			.average = pmon_statistics_average(f->judged.statistics, chosen[i], &kind),
			.percentile = pmon_statistics_percentile(f->spread, chosen[i], 95)};
		label_of(&rows[i]);
	}
	return n;
}

const struct pmon_value *
first_extreme(const struct first_row *row, pmon_time *at)
{
	*at = row->least ? row->stats->minimum_time : row->stats->maximum_time;
	return row->least ? &row->stats->minimum : &row->stats->maximum;
}

static void
amount_of(const struct pmon_series *series, const struct pmon_value *value, const char *before,
	  const char *after, char *buf)
{
	struct pmon_text t = pmon_text_init(buf, TEXT);
	char number[2 * DRAW_NUMBER];

	if (!pmon_vstat_has_value(value->status)) {
		pmon_text_char(&t, '-');
		return;
	}
	(void)out_amount(series, value->value, number, sizeof(number));
	pmon_text_str(&t, before);
	pmon_text_str(&t, number);
	pmon_text_str(&t, after);
}

static void
fill_row(const struct first *f, struct row *row)
{
	const struct pmon_series *series = row->of.series;
	enum pmon_average_kind kind;
	pmon_time at;
	const struct pmon_value *extreme_value = first_extreme(&row->of, &at);

	(void)pmon_statistics_average(f->judged.statistics, series->id, &kind);
	amount_of(series, &row->of.average, "", pmon_average_kind_mark(kind), row->cells[0]);
	amount_of(series, &row->of.percentile, "", "", row->cells[1]);
	amount_of(series, extreme_value, row->of.least ? "min " : "", "", row->cells[2]);
	first_time(f, at, row->at);
}

static size_t
widest(size_t width, const char *text)
{
	size_t have = draw_characters(text);

	return have > width ? have : width;
}

static void
print_heading(size_t label, const char *const *names, const size_t *widths)
{
	printf("\n%s%*s", out_style(STYLE_DIM), (int)label, "");
	for (size_t c = 0; c < CELLS; c++)
		printf("%*s", (int)widths[c] + 2, names[c]);
	printf("  at%s\n", out_style(STYLE_OFF));
}

static void
print_rows(const struct first *f, const struct row *rows, size_t n)
{
	static const char *const names[CELLS] = {"average", "p95", "max"};
	size_t widths[CELLS];
	size_t label = 0;
	size_t at = strlen("at");
	size_t used;

	for (size_t c = 0; c < CELLS; c++)
		widths[c] = strlen(names[c]);
	for (size_t i = 0; i < n; i++) {
		label = widest(label, rows[i].of.label);
		at = widest(at, rows[i].at);
		for (size_t c = 0; c < CELLS; c++)
			widths[c] = widest(widths[c], rows[i].cells[c]);
	}
	label = label > MOST_LABEL ? MOST_LABEL : label;
	used = label + widths[0] + widths[1] + widths[2] + at + 10;
	if (used > f->width && label > used - f->width + LEAST_LABEL) {
		label -= used - f->width;
		used = f->width;
	}
	print_heading(label, names, widths);
	for (size_t i = 0; i < n; i++) {
		first_cell(f, rows[i].of.label, label, false);
		for (size_t c = 0; c < CELLS; c++) {
			fputs("  ", stdout);
			first_cell(f, rows[i].cells[c], widths[c], true);
		}
		fputs("  ", stdout);
		first_cell(f, rows[i].at, at, false);
		if (used + SPARK <= f->width)
			print_spark(f, &rows[i]);
		putchar('\n');
	}
}

// Add a note with the actual load if Processor does not cover all processors of the machine.
static void
print_unseen(const struct first *f, const struct pmon_series *series)
{
	const struct pmon_path *path = pmon_series_english(series);
	const struct pmon_stats *stats = pmon_statistics_at(f->judged.statistics, series->id);
	struct first_line line = {
		.markdown = f->markdown, .width = f->width, .indent = strlen("note: ")};
	struct pmon_value average;
	char amount[TEXT];
	char text[2 * TEXT];
	const char *what;
	size_t seen = 0;

	if (stats == NULL || rules_processors_object(path) != PMON_PLAIN_PROCESSOR ||
	    !pmon_path_is_total(path) ||
	    !pmon_text_same(path->counter, PMON_SPAN("% Processor Time")))
		return;
	what = rules_judge_unseen(f->judged.judge, series->path.machine, &seen);
	if (what == NULL)
		return;
	average = pmon_stats_average(stats);
	amount_of(series, &average, "", pmon_average_kind_mark(pmon_series_average_kind(series)),
		  amount);
	(void)snprintf(text, sizeof(text), "note: Processor(_Total) is %s, %s on average", what,
		       amount);
	first_put(&line, "", text);
	if (seen > 0) {
		(void)snprintf(text, sizeof(text), "(%zu of %zu processors)", seen,
			       rules_judge_processors(f->judged.judge, series->path.machine));
		first_put(&line, " ", text);
	}
	first_end(&line);
}

static void
print_table(const struct first *f, const struct row *rows, size_t n)
{
	static const struct out_column columns[] = {{"counter", "", 0, OUT_LEFT},
						    {"average", "average", 0, OUT_RIGHT},
						    {"p95", "p95", 0, OUT_RIGHT},
						    {"max", "max", 0, OUT_RIGHT},
						    {"at", "at", 0, OUT_LEFT}};
	struct out out;

	putchar('\n');
	out_begin(&out, stdout, OUT_MARKDOWN, "overview", columns, 5, &f->judged.logs.clock);
	for (size_t i = 0; i < n; i++) {
		out_str(&out, rows[i].of.label);
		for (size_t c = 0; c < CELLS; c++)
			out_str(&out, rows[i].cells[c]);
		out_str(&out, rows[i].at);
	}
	(void)out_end(&out);
	putchar('\n');
}

void
first_overview(const struct first *f)
{
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	struct first_row chosen[FIRST_SERIES];
	struct row rows[FIRST_SERIES];
	size_t n = first_rows(f, chosen);

	for (size_t i = 0; i < n; i++) {
		rows[i].of = chosen[i];
		fill_row(f, &rows[i]);
	}
	if (n > 0)
		f->markdown ? print_table(f, rows, n) : print_rows(f, rows, n);
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		print_unseen(f, pmon_schema_at(schema, i));
}

// ---- Processes ------------------------------------------------------------------------------

struct process {
	const struct pmon_series *series;
	double seconds; // of processor time
};

static int
most_first(const void *a, const void *b)
{
	double x = ((const struct process *)a)->seconds;
	double y = ((const struct process *)b)->seconds;

	return (x < y) - (x > y);
}

static bool
is_process_time(const struct pmon_path *path, struct pmon_span object)
{
	return pmon_text_same(path->object, object) &&
	       pmon_text_same(path->counter, PMON_SPAN("% Processor Time")) &&
	       pmon_path_ranks(path);
}

// For displayed values there are no differences to add: the mean stands for the whole time.
static double
seconds_of(const struct first *f, size_t series)
{
	const struct pmon_stats *stats = pmon_statistics_at(f->judged.statistics, series);
	struct pmon_value total = pmon_statistics_total(f->judged.statistics, series);
	struct pmon_value average;

	if (pmon_vstat_has_value(total.status) || stats == NULL)
		return pmon_vstat_has_value(total.status) ? total.value : 0;
	average = pmon_stats_average(stats);
	if (!pmon_vstat_has_value(average.status))
		return 0;
	return average.value / 100 * (double)(stats->last_raw_time - stats->first_raw_time) /
	       PMON_TIME_PER_SEC;
}

static void
print_processes(const struct first *f, const struct process *list, size_t n)
{
	double length = (double)survey_length(&f->survey) / PMON_TIME_PER_SEC;
	struct first_line line = {
		.markdown = f->markdown, .width = f->width, .indent = strlen("Top processes  ")};

	first_put(&line, "", "Top processes");
	for (size_t i = 0; i < n && i < FIRST_TOP; i++) {
		char whole[TEXT];
		char text[TEXT + 2 * DRAW_NUMBER];
		char number[DRAW_NUMBER];
		struct pmon_text t = pmon_text_init(text, sizeof(text));

		(void)draw_instance(list[i].series, whole, sizeof(whole));
		draw_elide(whole, PROCESS_COLUMNS, f->ascii, text, TEXT);
		t.len = strlen(text);
		(void)draw_number(round(list[i].seconds / length * 1000) / 1000, number,
				  sizeof(number));
		pmon_text_char(&t, ' ');
		pmon_text_str(&t, number);
		pmon_text_str(&t, i == 0 ? " CPUs (" : " (");
		(void)draw_number(list[i].seconds, number, sizeof(number));
		pmon_text_str(&t, number);
		pmon_text_str(&t, " s)");
		first_put(&line, "  ", text);
	}
	first_end(&line);
}

// The processes with processor time; returns how many. The list has room for all series.
static size_t
list_processes(const struct first *f, struct pmon_span object, struct process *list)
{
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	size_t n = 0;

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (!is_process_time(pmon_series_english(series), object))
			continue;
		list[n] = (struct process){series, seconds_of(f, i)};
		n += list[n].seconds > 0;
	}
	return n;
}

bool
first_top(const struct first *f)
{
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	struct process *list = calloc(pmon_schema_count(schema) + 1, sizeof(*list));
	size_t n;

	if (list == NULL)
		return false;
	n = list_processes(f, PMON_SPAN("Process"), list);
	if (n == 0) // Windows 11 may log both
		n = list_processes(f, PMON_SPAN("Process V2"), list);
	qsort(list, n, sizeof(*list), most_first);
	if (n > 0)
		print_processes(f, list, n);
	free(list);
	return true;
}
