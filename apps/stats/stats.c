// stats.c - pmon stats: last, average, minimum and maximum of each counter
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <string.h>

#include "apps/stats/ranking.h"
#include "base/text.h"
#include "base/time.h"
#include "cli/input/logs.h"
#include "cli/output/say.h"
#include "os/term.h"

// JSON and CSV have every column, and then percentiles; text has those with a heading, in this order.
static const struct out_column columns[] = {
	{"path", NULL, 0, OUT_LEFT},          {"type", NULL, 0, OUT_LEFT},
	{"unit", NULL, 0, OUT_LEFT},          {"last", "Last", 0, OUT_RIGHT},
	{"average", "Average", 0, OUT_RIGHT}, {"minimum", "Minimum", 0, OUT_RIGHT},
	{"maximum", "Maximum", 0, OUT_RIGHT}, {"minimum_time", NULL, 0, OUT_LEFT},
	{"maximum_time", NULL, 0, OUT_LEFT},  {"samples", NULL, 0, OUT_RIGHT},
	{"invalid", NULL, 0, OUT_RIGHT},      {"first_time", NULL, 0, OUT_LEFT},
	{"last_time", NULL, 0, OUT_LEFT},     {"average_kind", NULL, 0, OUT_LEFT},
	{"pid", NULL, 0, OUT_RIGHT},          {"total", NULL, 0, OUT_RIGHT},
	{"total_unit", NULL, 0, OUT_LEFT},
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

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))
#define MOST_COLUMNS   (N_COLUMNS + RANK_PERCENTILES)

// Percentiles and the total come after this many columns of text.
#define N_BEFORE_RANK 6

// Narrower terminals get no times of the extremes, and no counts.
#define WIDTH_FOR_TIMES  120
#define WIDTH_FOR_COUNTS 100

static void
put_last(struct out *out, const struct stats_rows *rows, const struct stats_row *row)
{
	struct pmon_span text = stats_row_text(row->series, row->stats);
	struct pmon_value last = stats_row_value(row, &row->stats->last);

	if (rows->grouped)
		out_u64(out, row->members);
	else if (text.ptr != NULL)
		out_text(out, text);
	else
		out_quantity(out, row->series, &last);
}

// The total of JSON and CSV, with its unit.
static void
put_total(struct out *out, const struct stats_row *row)
{
	const char *unit;
	struct pmon_value total = rank_total(row, &unit);

	out_value(out, NULL, &total);
	out_str(out, pmon_vstat_has_value(total.status) ? unit : NULL);
}

static void
put_row(struct out *out, const struct stats_rows *rows, const struct rank *rank,
	const struct stats_row *row)
{
	const struct pmon_counter_type *type = pmon_series_type(row->series);
	const struct pmon_stats *stats = row->stats;
	struct pmon_value average = stats_row_average(row);
	struct pmon_value minimum = stats_row_value(row, &row->stats->minimum);
	struct pmon_value maximum = stats_row_value(row, &row->stats->maximum);

	out_path(out, row->path, row->series);
	out_series_type(out, row->series);
	out_str(out, out_unit(row->series));
	put_last(out, rows, row);
	out_value(out, type, &average);
	out_value(out, type, &minimum);
	out_value(out, type, &maximum);
	out_time(out, stats->minimum_time);
	out_time(out, stats->maximum_time);
	out_u64(out, pmon_stats_samples(stats));
	out_u64(out, stats_row_invalid(row));
	out_time(out, stats->first_raw_time);
	out_time(out, stats->last_raw_time);
	out_str(out, pmon_average_kind_name(row->kind));
	if (rows->by_process)
		out_pid(out, row->series);
	put_total(out, row);
	for (size_t i = 0; i < rank->n; i++) {
		struct pmon_value value = rank_percentile(row, rank->percents[i]);

		out_value(out, NULL, &value);
	}
}

// A value that has a mark after it where it is not what it would be of raw values.
static void
put_marked(struct out *out, const struct stats_row *row, const struct pmon_value *value,
	   const char *mark)
{
	char text[3 * DRAW_NUMBER];
	struct pmon_text t;

	if (mark[0] == '\0' || !pmon_vstat_has_value(value->status)) {
		out_quantity(out, row->series, value);
		return;
	}
	t = pmon_text_init(text, sizeof(text));
	t.len = out->no_units ? out_number_of(pmon_series_type(row->series), value->value, text,
					      sizeof(text))
			      : out_amount(row->series, value->value, text, sizeof(text));
	pmon_text_str(&t, mark);
	out_text(out, (struct pmon_span){text, t.len});
}

// "61,900 s", "1.2 GB", "3.4 GB-seconds"
static void
put_text_total(struct out *out, const struct stats_row *row)
{
	const char *unit;
	struct pmon_value total = rank_total(row, &unit);
	bool bytes = unit != NULL && strncmp(unit, "byte", 4) == 0;
	const struct draw_multiple *multiple =
		draw_multiple_for(bytes ? DRAW_BYTES : DRAW_PERCENT, total.value);
	char text[2 * DRAW_NUMBER + 32];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (!pmon_vstat_has_value(total.status)) {
		out_null(out);
		return;
	}
	t.len = out_number(total.value / multiple->size, text, sizeof(text));
	pmon_text_char(&t, ' ');
	pmon_text_str(&t, bytes ? multiple->name : unit);
	pmon_text_str(&t, bytes && unit[4] == '-' ? unit + 4 : "");
	pmon_text_str(&t, rank_total_mark(row));
	out_text(out, (struct pmon_span){text, t.len});
}

static void
put_text_rank(struct out *out, const struct rank *rank, const struct stats_row *row)
{
	for (size_t i = 0; i < rank->n; i++) {
		struct pmon_value value = rank_percentile(row, rank->percents[i]);

		put_marked(out, row, &value, rank_percentile_mark(row));
	}
	if (rank_by_total(rank))
		put_text_total(out, row);
}

static void
put_text_row(struct out *out, const struct stats_rows *rows, const struct rank *rank,
	     const struct stats_row *row, bool with_dates)
{
	struct pmon_value average = stats_row_average(row);
	struct pmon_value minimum = stats_row_value(row, &row->stats->minimum);
	struct pmon_value maximum = stats_row_value(row, &row->stats->maximum);
	const struct pmon_stats *stats = row->stats;

	put_last(out, rows, row);
	put_marked(out, row, &average, row->has_latency ? "*" : pmon_average_kind_mark(row->kind));
	out_quantity(out, row->series, &minimum);
	out_seconds(out, stats->minimum_time, with_dates);
	out_quantity(out, row->series, &maximum);
	out_seconds(out, stats->maximum_time, with_dates);
	put_text_rank(out, rank, row);
	out_u64(out, pmon_stats_samples(stats));
	out_u64(out, stats_row_invalid(row));
	out_text(out, row->path);
}

// How many of the averages shown are means of displayed values.
static void
say_average_kinds(const struct stats_rows *rows)
{
	size_t count[PMON_AVERAGE_INFERRED + 1] = {0};
	size_t latencies = 0;

	for (size_t i = 0; i < rows->n; i++) {
		struct pmon_value average = stats_row_average(&rows->list[i]);

		latencies += rows->list[i].has_latency;
		if (!rows->list[i].has_latency)
			count[rows->list[i].kind] += pmon_vstat_has_value(average.status);
	}
	if (latencies > 0)
		say(0,
		    "*: average latencies that are the mean queue length divided by the mean rate: "
		    "%zu; the log holds no raw values of them",
		    latencies);
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
say_rank_marks(const struct stats_rows *rows, const struct rank *rank)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		n += rows->list[i].series->formatted;
	if (n == 0)
		return;
	if (rank->n > 0)
		say(0, "~: percentiles of displayed values, each of which counts alike: %zu rows",
		    n);
	if (rank_by_total(rank))
		say(0,
		    "~: totals of displayed values times the seconds between samples: %zu rows; ? "
		    "where the type of the counter is not known",
		    n);
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

// Add the headings of text for what is asked. Returns how many columns there are.
static size_t
add_rank_columns(struct out_column *chosen, size_t n, const struct rank *rank)
{
	for (size_t i = 0; i < rank->n; i++)
		chosen[n++] = (struct out_column){rank->names[i], rank->names[i], 0, OUT_RIGHT};
	if (rank_by_total(rank))
		chosen[n++] = (struct out_column){"total", "Total", 0, OUT_RIGHT};
	return n;
}

// The columns of text; on a narrow terminal the less important ones have no heading and are not shown.
static size_t
choose_columns(struct out_column *chosen, const struct rank *rank)
{
	unsigned width = pmon_term_columns(); // 0: no terminal, everything is shown
	size_t n;

	memcpy(chosen, text_columns, N_BEFORE_RANK * sizeof(*chosen));
	n = add_rank_columns(chosen, N_BEFORE_RANK, rank);
	memcpy(chosen + n, text_columns + N_BEFORE_RANK,
	       (N_TEXT_COLUMNS - N_BEFORE_RANK) * sizeof(*chosen));
	n += N_TEXT_COLUMNS - N_BEFORE_RANK;
	for (size_t i = 0; i < n; i++) {
		bool is_time = strstr(chosen[i].name, "_time") != NULL;
		bool is_count = strcmp(chosen[i].name, "samples") == 0 ||
				strcmp(chosen[i].name, "invalid") == 0;

		if (width != 0 && ((is_time && width < WIDTH_FOR_TIMES) ||
				   (is_count && width < WIDTH_FOR_COUNTS)))
			chosen[i].heading = NULL;
	}
	return n;
}

// The columns of JSON and CSV.
static size_t
all_columns(struct out_column *chosen, const struct stats_rows *rows, const struct rank *rank)
{
	size_t n = 0;

	for (size_t i = 0; i < N_COLUMNS; i++) {
		if (!rows->by_process && strcmp(columns[i].name, "pid") == 0)
			continue;
		chosen[n] = columns[i];
		if (rows->grouped && strcmp(columns[i].name, "last") == 0)
			chosen[n].name = members_name;
		n++;
	}
	for (size_t i = 0; i < rank->n; i++)
		chosen[n++] = (struct out_column){rank->names[i], NULL, 0, OUT_RIGHT};
	return n;
}

static int
print(struct logs *logs, const struct stats_rows *rows, const struct rank *rank)
{
	bool text = logs->args->format == OUT_TEXT;
	struct out_column chosen[MOST_COLUMNS];
	struct out out;
	bool with_dates = text && spans_days(logs, rows);
	size_t n;

	if (text) {
		n = choose_columns(chosen, rank);
		chosen[0].heading = rows->grouped ? "Series" : chosen[0].heading;
		logs_print_heading(logs);
	} else {
		n = all_columns(chosen, rows, rank);
	}
	out_begin(&out, stdout, logs->args->format, "counters", chosen, n, &logs->clock);
	out.no_units = logs->args->calc.default_scale || logs->args->calc.times_1000;
	for (size_t i = 0; i < rows->n; i++) {
		if (text)
			put_text_row(&out, rows, rank, &rows->list[i], with_dates);
		else
			put_row(&out, rows, rank, &rows->list[i]);
	}
	return out_end(&out);
}

static int
show(struct logs *logs, const struct pmon_statistics *statistics, const struct rank *rank)
{
	struct stats_rows rows;
	int status;

	logs_hide_machine(logs);
	status = rows_make(&rows, logs, statistics);
	if (status == EXIT_DONE)
		status = rank_rows(rank, &rows);
	if (status == EXIT_DONE)
		status = print(logs, &rows, rank);
	if (status == EXIT_DONE) {
		say_average_kinds(&rows);
		say_rank_marks(&rows, rank);
		say_no_average(&rows);
	}
	rows_free(&rows);
	return status;
}

#define PERCENTILE_SERIES_BYTES 4096 // as series_bytes of verb.h

// What has to be kept for what is asked.
static unsigned
what_to_keep(const struct args *args, const struct rank *rank)
{
	return (args->format != OUT_TEXT || rank_by_total(rank) ? PMON_KEEP_TOTALS : 0) |
	       (rank->n > 0 ? PMON_KEEP_PERCENTILES : 0);
}

int
stats_run(const struct args *given)
{
	struct pmon_statistics *statistics = NULL;
	struct args args = *given;
	struct logs logs = {.args = &args};
	struct rank rank;
	int status = rows_check(&args);

	if (status == EXIT_DONE)
		status = logs_check_per_cpu(&args);
	if (status == EXIT_DONE)
		status = rank_parse(&args, &rank);
	if (status != EXIT_DONE)
		return status;
	if (rank.n > 0)
		args.series_bytes = PERCENTILE_SERIES_BYTES;
	// A ranking is of processes, not of the names that they had. Processors are hidden by the same step.
	if ((rank_is_ranking(&rank) || args_flag(&args, "--per-cpu")) && args.by == NULL &&
	    args.identity != IDENTITY_WINDOWS)
		args.by = "process";
	if (args.format == OUT_TEXT)
		args.beside = logs_latency_needs(&args);
	status = logs_open_once(&logs, &args, false);
	logs.keep = what_to_keep(&args, &rank);
	if (status == EXIT_DONE)
		status = logs_statistics(&logs, &statistics);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&logs);
	if (status == EXIT_DONE)
		status = show(&logs, statistics, &rank);
	if (status == EXIT_DONE)
		logs_say_one_sample(&logs, statistics);
	pmon_statistics_free(statistics);
	return logs_close(&logs, status);
}
