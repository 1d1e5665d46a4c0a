// cmd_stats.c - pmon stats: last, average, minimum and maximum of each counter
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "cli.h"
#include "os/term.h"

// JSON and CSV have every column; text has those with a heading, in this order.
static const struct out_column columns[] = {
	{"path", NULL, 0, OUT_LEFT},          {"type", NULL, 0, OUT_LEFT},
	{"unit", NULL, 0, OUT_LEFT},          {"last", "Last", 0, OUT_RIGHT},
	{"average", "Average", 0, OUT_RIGHT}, {"minimum", "Minimum", 0, OUT_RIGHT},
	{"maximum", "Maximum", 0, OUT_RIGHT}, {"minimum_time", NULL, 0, OUT_LEFT},
	{"maximum_time", NULL, 0, OUT_LEFT},  {"samples", NULL, 0, OUT_RIGHT},
	{"invalid", NULL, 0, OUT_RIGHT},      {"first_time", NULL, 0, OUT_LEFT},
	{"last_time", NULL, 0, OUT_LEFT},
};

static const struct out_column text_columns[] = {
	{"last", "Last", 0, OUT_RIGHT},       {"average", "Average", 0, OUT_RIGHT},
	{"minimum", "Minimum", 0, OUT_RIGHT}, {"minimum_time", "at", 0, OUT_LEFT},
	{"maximum", "Maximum", 0, OUT_RIGHT}, {"maximum_time", "at", 0, OUT_LEFT},
	{"unit", "Unit", 0, OUT_LEFT},        {"samples", "Samples", 0, OUT_RIGHT},
	{"invalid", "Invalid", 0, OUT_RIGHT}, {"path", "Counter", 0, OUT_LEFT},
};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

// Narrower terminals get no times of the extremes, and no counts.
#define WIDTH_FOR_TIMES  120
#define WIDTH_FOR_COUNTS 100

static const char *
unit_of(const struct pmon_stats *stats)
{
	return stats->calc.type != NULL ? stats->calc.type->unit : "";
}

static void
put_row(struct out *out, const struct pmon_series *series, const struct pmon_stats *stats)
{
	struct pmon_value average = pmon_stats_average(stats);

	out_text(out, series->name);
	out_type(out, series->counter.type);
	out_str(out, unit_of(stats));
	out_value(out, &stats->last);
	out_value(out, &average);
	out_value(out, &stats->minimum);
	out_value(out, &stats->maximum);
	out_time(out, stats->minimum_time);
	out_time(out, stats->maximum_time);
	out_u64(out, pmon_stats_samples(stats));
	out_u64(out, pmon_stats_invalid(stats));
	out_time(out, stats->first_raw_time);
	out_time(out, stats->last_raw_time);
}

static void
put_text_row(struct out *out, const struct logs *logs, const struct pmon_series *series,
	     const struct pmon_stats *stats, bool with_dates)
{
	struct pmon_value average = pmon_stats_average(stats);

	out_value(out, &stats->last);
	out_value(out, &average);
	out_value(out, &stats->minimum);
	out_seconds(out, stats->minimum_time, with_dates);
	out_value(out, &stats->maximum);
	out_seconds(out, stats->maximum_time, with_dates);
	out_str(out, unit_of(stats));
	out_u64(out, pmon_stats_samples(stats));
	out_u64(out, pmon_stats_invalid(stats));
	out_text(out, logs_path(logs, series));
}

// Do the times lie on more than one day? Then a time of day alone would not tell which.
static bool
spans_days(const struct logs *logs, const struct pmon_statistics *statistics, size_t n)
{
	pmon_time first = INT64_MAX;
	pmon_time last = INT64_MIN;
	char a[PMON_TIME_SIZE];
	char b[PMON_TIME_SIZE];

	for (size_t i = 0; i < n; i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, i);

		if (stats == NULL || pmon_stats_samples(stats) == 0)
			continue;
		first = stats->first_raw_time < first ? stats->first_raw_time : first;
		last = stats->last_raw_time > last ? stats->last_raw_time : last;
	}
	if (first > last)
		return false;
	pmon_time_local(first, clock_offset(&logs->clock, first), a);
	pmon_time_local(last, clock_offset(&logs->clock, last), b);
	return strncmp(a, b, 10) != 0; // "2016-11-26"
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

static int
print(struct logs *logs, const struct pmon_statistics *statistics)
{
	bool text = logs->args->format == OUT_TEXT;
	struct out_column chosen[N_TEXT_COLUMNS];
	struct out out;
	size_t n;
	const struct pmon_series **list = logs_series(logs, &n);
	bool with_dates;

	if (list == NULL)
		return EXIT_FAILED;
	choose_columns(chosen);
	with_dates = text && spans_days(logs, statistics, n);
	if (text) {
		logs_hide_machine(logs);
		logs_print_heading(logs);
	}
	out_begin(&out, stdout, logs->args->format, "counters", text ? chosen : columns,
		  text ? N_TEXT_COLUMNS : N_COLUMNS, &logs->clock);
	for (size_t i = 0; i < n; i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, list[i]->id);

		// A series that is only in the sample before the window has nothing to show.
		if (stats == NULL || pmon_stats_samples(stats) == 0)
			continue;
		if (text)
			put_text_row(&out, logs, list[i], stats, with_dates);
		else
			put_row(&out, list[i], stats);
	}
	free(list);
	return out_end(&out);
}

int
cmd_stats(const struct args *args)
{
	struct pmon_statistics *statistics = NULL;
	struct logs logs;
	int status = logs_open(&logs, args);

	if (status == EXIT_DONE)
		status = logs_statistics(&logs, &statistics);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&logs);
	if (status == EXIT_DONE)
		status = print(&logs, statistics);
	pmon_statistics_free(statistics);
	return logs_close(&logs, status);
}
