// stats.c - pmon stats: last, average, minimum and maximum of each counter
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <string.h>

#include "apps/stats/rows.h"
#include "base/text.h"
#include "base/time.h"
#include "cli/input/logs.h"
#include "cli/output/say.h"
#include "os/term.h"

// JSON and CSV have every column; text has those with a heading, in this order.
static const struct out_column columns[] = {
	{"path", NULL, 0, OUT_LEFT},          {"type", NULL, 0, OUT_LEFT},
	{"unit", NULL, 0, OUT_LEFT},          {"last", "Last", 0, OUT_RIGHT},
	{"average", "Average", 0, OUT_RIGHT}, {"minimum", "Minimum", 0, OUT_RIGHT},
	{"maximum", "Maximum", 0, OUT_RIGHT}, {"minimum_time", NULL, 0, OUT_LEFT},
	{"maximum_time", NULL, 0, OUT_LEFT},  {"samples", NULL, 0, OUT_RIGHT},
	{"invalid", NULL, 0, OUT_RIGHT},      {"first_time", NULL, 0, OUT_LEFT},
	{"last_time", NULL, 0, OUT_LEFT},     {"average_kind", NULL, 0, OUT_LEFT},
	{"pid", NULL, 0, OUT_RIGHT},
};

static const struct out_column text_columns[] = {
	{"last", "Last", 0, OUT_RIGHT},       {"average", "Average", 0, OUT_RIGHT},
	{"minimum", "Minimum", 0, OUT_RIGHT}, {"minimum_time", "at", 0, OUT_LEFT},
	{"maximum", "Maximum", 0, OUT_RIGHT}, {"maximum_time", "at", 0, OUT_LEFT},
	{"samples", "Samples", 0, OUT_RIGHT}, {"invalid", "Invalid", 0, OUT_RIGHT},
	{"path", "Counter", 0, OUT_LEFT},
};

// A group has no newest value; the column shows how many series it has.
static const char members_name[] = "series";

// The last column is of processes alone.
#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

// Narrower terminals get no times of the extremes, and no counts.
#define WIDTH_FOR_TIMES  120
#define WIDTH_FOR_COUNTS 100

static struct pmon_value
average_of(const struct stats_row *row)
{
	if (row->has_average)
		return pmon_stats_average(row->stats);
	return (struct pmon_value){.status = PMON_V_NO_DATA};
}

static void
put_last(struct out *out, const struct stats_rows *rows, const struct stats_row *row)
{
	struct pmon_span text = stats_row_text(row->series, row->stats);

	if (rows->grouped)
		out_u64(out, row->members);
	else if (text.ptr != NULL)
		out_text(out, text);
	else
		out_quantity(out, row->series, &row->stats->last);
}

static void
put_row(struct out *out, const struct stats_rows *rows, const struct stats_row *row)
{
	const struct pmon_counter_type *type = pmon_series_type(row->series);
	const struct pmon_stats *stats = row->stats;
	struct pmon_value average = average_of(row);

	out_path(out, row->path, row->series);
	out_series_type(out, row->series);
	out_str(out, out_unit(row->series));
	put_last(out, rows, row);
	out_value(out, type, &average);
	out_value(out, type, &stats->minimum);
	out_value(out, type, &stats->maximum);
	out_time(out, stats->minimum_time);
	out_time(out, stats->maximum_time);
	out_u64(out, pmon_stats_samples(stats));
	out_u64(out, stats_row_invalid(row));
	out_time(out, stats->first_raw_time);
	out_time(out, stats->last_raw_time);
	out_str(out, pmon_average_kind_name(row->kind));
	if (rows->by_process)
		out_pid(out, row->series);
}

// An average that is not known to be the type's own has a mark after it.
static void
put_average(struct out *out, const struct stats_row *row)
{
	struct pmon_value average = average_of(row);
	char text[3 * DRAW_NUMBER];
	struct pmon_text t;

	if (row->kind == PMON_AVERAGE_TRUE || !pmon_vstat_has_value(average.status)) {
		out_quantity(out, row->series, &average);
		return;
	}
	t = pmon_text_init(text, sizeof(text));
	t.len = out->no_units ? out_number_of(pmon_series_type(row->series), average.value, text,
					      sizeof(text))
			      : out_amount(row->series, average.value, text, sizeof(text));
	pmon_text_str(&t, pmon_average_kind_mark(row->kind));
	out_text(out, (struct pmon_span){text, t.len});
}

static void
put_text_row(struct out *out, const struct stats_rows *rows, const struct stats_row *row,
	     bool with_dates)
{
	const struct pmon_stats *stats = row->stats;

	put_last(out, rows, row);
	put_average(out, row);
	out_quantity(out, row->series, &stats->minimum);
	out_seconds(out, stats->minimum_time, with_dates);
	out_quantity(out, row->series, &stats->maximum);
	out_seconds(out, stats->maximum_time, with_dates);
	out_u64(out, pmon_stats_samples(stats));
	out_u64(out, stats_row_invalid(row));
	out_text(out, row->path);
}

// How many of the averages shown are means of displayed values.
static void
say_average_kinds(const struct stats_rows *rows)
{
	size_t count[PMON_AVERAGE_INFERRED + 1] = {0};

	for (size_t i = 0; i < rows->n; i++) {
		struct pmon_value average = average_of(&rows->list[i]);

		count[rows->list[i].kind] += pmon_vstat_has_value(average.status);
	}
	if (count[PMON_AVERAGE_MEAN] > 0)
		say(0,
		    "~: averages that are means of displayed values, which is not the average of "
		    "their types: %zu; the log holds no raw values of them",
		    count[PMON_AVERAGE_MEAN]);
	if (count[PMON_AVERAGE_UNKNOWN] > 0)
		say(0,
		    "?: averages that are means of displayed values of counters whose type is not "
		    "known: %zu; --known-types FILE names types",
		    count[PMON_AVERAGE_UNKNOWN]);
	if (count[PMON_AVERAGE_INFERRED] > 0)
		say(0,
		    "?: averages that are means of displayed values of counters whose type is "
		    "inferred from their name: %zu; --known-types FILE names types",
		    count[PMON_AVERAGE_INFERRED]);
}

static void
say_no_average(const struct stats_rows *rows)
{
	if (rows->no_average > 0)
		say(0,
		    "-: %zu groups have no average: elapsed times of several counters do not add "
		    "up",
		    rows->no_average);
}

// Do the times lie on more than one day? Then a time of day alone would be ambiguous.
static bool
spans_days(const struct logs *logs, const struct stats_rows *rows)
{
	pmon_time first = INT64_MAX;
	pmon_time last = INT64_MIN;

	for (size_t i = 0; i < rows->n; i++) {
		const struct pmon_stats *stats = rows->list[i].stats;

		first = stats->first_raw_time < first ? stats->first_raw_time : first;
		last = stats->last_raw_time > last ? stats->last_raw_time : last;
	}
	return clock_spans_days(&logs->clock, first, last);
}

// The columns of text; on a narrow terminal the less important ones have no heading and are not shown.
static void
choose_columns(struct out_column *chosen)
{
	unsigned width = pmon_term_columns(); // 0: no terminal, everything is shown

	memcpy(chosen, text_columns, sizeof(text_columns));
	for (size_t i = 0; i < N_TEXT_COLUMNS; i++) {
		bool is_time = strstr(chosen[i].name, "_time") != NULL;
		bool is_count = strcmp(chosen[i].name, "samples") == 0 ||
				strcmp(chosen[i].name, "invalid") == 0;

		if (width != 0 && ((is_time && width < WIDTH_FOR_TIMES) ||
				   (is_count && width < WIDTH_FOR_COUNTS)))
			chosen[i].heading = NULL;
	}
}

// The columns of JSON and CSV.
static void
all_columns(struct out_column *chosen, bool grouped)
{
	memcpy(chosen, columns, sizeof(columns));
	for (size_t i = 0; grouped && i < N_COLUMNS; i++)
		if (strcmp(chosen[i].name, "last") == 0)
			chosen[i].name = members_name;
}

static int
print(struct logs *logs, const struct stats_rows *rows)
{
	bool text = logs->args->format == OUT_TEXT;
	struct out_column chosen[N_COLUMNS];
	struct out out;
	bool with_dates = text && spans_days(logs, rows);

	if (text) {
		choose_columns(chosen);
		chosen[0].heading = rows->grouped ? "Series" : chosen[0].heading;
		logs_print_heading(logs);
	} else {
		all_columns(chosen, rows->grouped);
	}
	out_begin(&out, stdout, logs->args->format, "counters", chosen,
		  text ? N_TEXT_COLUMNS : N_COLUMNS - !rows->by_process, &logs->clock);
	out.no_units = logs->args->calc.default_scale || logs->args->calc.times_1000;
	for (size_t i = 0; i < rows->n; i++) {
		if (text)
			put_text_row(&out, rows, &rows->list[i], with_dates);
		else
			put_row(&out, rows, &rows->list[i]);
	}
	return out_end(&out);
}

static int
show(struct logs *logs, const struct pmon_statistics *statistics)
{
	struct stats_rows rows;
	int status;

	logs_hide_machine(logs);
	status = rows_make(&rows, logs, statistics);
	if (status == EXIT_DONE)
		status = print(logs, &rows);
	if (status == EXIT_DONE)
		say_average_kinds(&rows);
	if (status == EXIT_DONE)
		say_no_average(&rows);
	rows_free(&rows);
	return status;
}

int
stats_run(const struct args *args)
{
	struct pmon_statistics *statistics = NULL;
	struct logs logs = {.args = args};
	int status = rows_check(args);

	if (status != EXIT_DONE)
		return status;
	status = logs_open_once(&logs, args, false);
	if (status == EXIT_DONE)
		status = logs_statistics(&logs, &statistics);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&logs);
	if (status == EXIT_DONE)
		status = show(&logs, statistics);
	if (status == EXIT_DONE)
		logs_say_one_sample(&logs, statistics);
	pmon_statistics_free(statistics);
	return logs_close(&logs, status);
}
