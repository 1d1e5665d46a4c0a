// overview.c - the most important numbers of a machine, and its busiest processes
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/first/first.h"
#include "apps/top/text.h"
#include "base/text.h"
#include "draw/label.h"
#include "rules/disks.h"

#define TEXT            256
#define PROCESS_COLUMNS 40 // of a name in the list of top processes
#define CELLS           3
#define SPARK           16 // characters
#define MOST_LABEL      36
#define LEAST_LABEL     12
#define P95             95000 // thousandths of a percent

struct row {
	const struct pmon_series *series;
	const struct pmon_stats *stats;
	bool least;
	char label[TEXT];
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

// Columns of the envelope up to the last sample: the window has grown beyond it.
static size_t
used_columns(const struct first *f)
{
	double whole = (double)(pmon_envelope_end(f->envelope) - f->survey.first);
	double used = (double)(f->survey.last - f->survey.first) / whole * FIRST_COLUMNS;

	return used >= FIRST_COLUMNS ? FIRST_COLUMNS : used < 1 ? 1 : (size_t)ceil(used);
}

// From 0 to the maximum, so that what hardly changes is flat.
static void
print_spark(const struct first *f, const struct row *row)
{
	const struct pmon_envelope_column *columns = pmon_envelope_at(f->envelope, row->series->id);
	size_t used = used_columns(f);
	size_t n = f->survey.samples < SPARK ? (size_t)f->survey.samples : SPARK;
	double top = row->stats->maximum.value;
	double last = NAN;

	n = used < n ? used : n;
	fputs(columns != NULL && top > 0 ? "  " : "", stdout);
	for (size_t i = 0; columns != NULL && top > 0 && i < n; i++) {
		double value = extreme(columns, i * used / n, (i + 1) * used / n, row->least);

		// Few samples may lie so that a part of the time has none.
		if (isnan(value) && f->survey.n_gaps == 0)
			value = last;
		last = value;
		fputs(top_spark(value, 0, top, f->ascii ? TOP_ASCII : TOP_UTF8), stdout);
	}
}

// ---- Rows -----------------------------------------------------------------------------------

static void
label_of(struct row *row)
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

static void
amount_of(const struct row *row, const struct pmon_value *value, const char *before,
	  const char *after, char *buf)
{
	struct pmon_text t = pmon_text_init(buf, TEXT);
	char number[2 * DRAW_NUMBER];

	if (!pmon_vstat_has_value(value->status)) {
		pmon_text_char(&t, '-');
		return;
	}
	(void)out_amount(row->series, value->value, number, sizeof(number));
	pmon_text_str(&t, before);
	pmon_text_str(&t, number);
	pmon_text_str(&t, after);
}

static void
fill_row(const struct first *f, const struct rules_disks *disks, struct row *row, uint32_t id)
{
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	struct pmon_value average;
	struct pmon_value percentile;
	bool has_latency;

	*row = (struct row){.series = pmon_schema_at(schema, id),
			    .stats = pmon_statistics_at(f->judged.statistics, id)};
	label_of(row);
	has_latency = rules_latency_of(disks, f->judged.statistics, row->series, &average);
	if (!has_latency)
		average = pmon_stats_average(row->stats);
	amount_of(row, &average, "",
		  has_latency ? "*" : pmon_average_kind_mark(pmon_series_average_kind(row->series)),
		  row->cells[0]);
	percentile = pmon_statistics_percentile(f->spread, id, P95);
	amount_of(row, &percentile, "", "", row->cells[1]);
	amount_of(row, row->least ? &row->stats->minimum : &row->stats->maximum,
		  row->least ? "min " : "", "", row->cells[2]);
	first_time(f, row->least ? row->stats->minimum_time : row->stats->maximum_time, row->at);
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
		label = widest(label, rows[i].label);
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
		first_cell(f, rows[i].label, label, false);
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

bool
first_overview(const struct first *f)
{
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	uint32_t chosen[FIRST_SERIES];
	struct row rows[FIRST_SERIES];
	size_t n = pmon_choose(schema, f->judged.statistics, chosen, FIRST_SERIES);
	struct rules_disks disks;
	bool good = rules_disks_find(&disks, schema);

	for (size_t i = 0; good && i < n; i++)
		fill_row(f, &disks, &rows[i], chosen[i]);
	if (good && n > 0)
		print_rows(f, rows, n);
	rules_disks_free(&disks);
	return good;
}

// ---- Processes ------------------------------------------------------------------------------

struct process {
	const struct pmon_series *series;
	double seconds; // of processors
};

static int
most_first(const void *a, const void *b)
{
	double x = ((const struct process *)a)->seconds;
	double y = ((const struct process *)b)->seconds;

	return (x < y) - (x > y);
}

static bool
is_process_time(const struct pmon_path *path)
{
	return pmon_text_same(path->object, PMON_SPAN("Process")) &&
	       pmon_text_same(path->counter, PMON_SPAN("% Processor Time")) &&
	       !pmon_path_is_total(path) && !pmon_text_same(path->instance, PMON_SPAN("Idle"));
}

// Of displayed values there are no differences to add up: the mean stands for the whole time.
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
	double length = (double)(f->survey.last - f->survey.first) / PMON_TIME_PER_SEC;
	struct first_line line = {.width = f->width, .indent = strlen("Top processes  ")};

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

bool
first_top(const struct first *f)
{
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	struct process *list = calloc(pmon_schema_count(schema) + 1, sizeof(*list));
	size_t n = 0;

	if (list == NULL)
		return false;
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (!is_process_time(pmon_series_english(series)))
			continue;
		list[n] = (struct process){series, seconds_of(f, i)};
		n += list[n].seconds > 0;
	}
	qsort(list, n, sizeof(*list), most_first);
	if (n > 0)
		print_processes(f, list, n);
	free(list);
	return true;
}
