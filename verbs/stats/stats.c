// stats.c - pmon stats: last, average, minimum and maximum of each counter
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/logs.h"
#include "shell/input/per_cpu.h"
#include "shell/input/times.h"
#include "shell/output/say.h"
#include "shell/output/screen.h"
#include "verbs/stats/ranking.h"

// JSON and CSV have all columns, followed by percentiles; text has those with a heading, in this
// order.
static const struct out_column columns[] = {
	{"time", NULL, 0, OUT_LEFT},          {"path", NULL, 0, OUT_LEFT},
	{"type", NULL, 0, OUT_LEFT},          {"unit", NULL, 0, OUT_LEFT},
	{"last", "Last", 0, OUT_RIGHT},       {"average", "Average", 0, OUT_RIGHT},
	{"minimum", "Minimum", 0, OUT_RIGHT}, {"maximum", "Maximum", 0, OUT_RIGHT},
	{"minimum_time", NULL, 0, OUT_LEFT},  {"maximum_time", NULL, 0, OUT_LEFT},
	{"samples", NULL, 0, OUT_RIGHT},      {"invalid", NULL, 0, OUT_RIGHT},
	{"first_time", NULL, 0, OUT_LEFT},    {"last_time", NULL, 0, OUT_LEFT},
	{"average_kind", NULL, 0, OUT_LEFT},  {"pid", NULL, 0, OUT_RIGHT},
	{"total", NULL, 0, OUT_RIGHT},        {"total_unit", NULL, 0, OUT_LEFT},
};

static const struct out_column text_columns[] = {
	{"last", "Last", 0, OUT_RIGHT},       {"average", "Average", 0, OUT_RIGHT},
	{"minimum", "Minimum", 0, OUT_RIGHT}, {"minimum_time", "at", 0, OUT_LEFT},
	{"maximum", "Maximum", 0, OUT_RIGHT}, {"maximum_time", "at", 0, OUT_LEFT},
	{"samples", "Samples", 0, OUT_RIGHT}, {"invalid", "Invalid", 0, OUT_RIGHT},
	{"path", "Counter", 0, OUT_LEFT},
};

// A group has no newest value; the column shows its number of series instead.
static const char members_name[] = "series";

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))
#define MOST_COLUMNS   (N_COLUMNS + OF_STEPS + RANK_PERCENTILES)

#define OF_STEPS 1 // with --every, the first column is the time at which the step begins

// In text, percentiles and the total follow this many columns.
#define N_BEFORE_RANK 6

// Narrower terminals omit the times of extremes, and the counts.
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

// The total in JSON and CSV, with its unit.
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

// A value, with a mark if it differs from what raw values would give.
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
	put_marked(out, row, &average, pmon_average_kind_mark(row->kind));
	out_quantity(out, row->series, &minimum);
	out_seconds(out, stats->minimum_time, with_dates);
	out_quantity(out, row->series, &maximum);
	out_seconds(out, stats->maximum_time, with_dates);
	put_text_rank(out, rank, row);
	out_u64(out, pmon_stats_samples(stats));
	out_u64(out, stats_row_invalid(row));
	out_text(out, row->path);
}

// Report how many of the averages shown are means of displayed values.
static void
say_average_kinds(const struct stats_rows *rows)
{
	size_t count[PMON_AVERAGE_DERIVED + 1] = {0};

	for (size_t i = 0; i < rows->n; i++) {
		struct pmon_value average = stats_row_average(&rows->list[i]);

		count[rows->list[i].kind] += pmon_vstat_has_value(average.status);
	}
	if (count[PMON_AVERAGE_DERIVED] > 0)
		say(0,
		    "*: averages weighted by the operation rate, because the log has no raw "
		    "values for them: %zu",
		    count[PMON_AVERAGE_DERIVED]);
	if (count[PMON_AVERAGE_MEAN] > 0)
		say(0,
		    "~: means of displayed values, which are not the averages of their types, "
		    "because the log has no raw values for them: %zu",
		    count[PMON_AVERAGE_MEAN]);
	if (count[PMON_AVERAGE_UNKNOWN] > 0)
		say(0,
		    "?: means of displayed values of counters whose type is unknown: %zu; specify "
		    "types with --known-types FILE",
		    count[PMON_AVERAGE_UNKNOWN]);
	if (count[PMON_AVERAGE_INFERRED] > 0)
		say(0,
		    "?: means of displayed values of counters whose type is inferred from their "
		    "name: %zu; specify types with --known-types FILE",
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
		say(0, "~: percentiles of displayed values, all weighted equally: %zu %s", n,
		    pmon_text_word(n, "row", "rows"));
	if (rank_by_total(rank))
		say(0,
		    "~: totals of displayed values times the seconds between samples: %zu %s; ? if "
		    "the type of the counter is unknown",
		    n, pmon_text_word(n, "row", "rows"));
}

static void
say_no_average(const struct stats_rows *rows)
{
	if (rows->no_average > 0)
		say(0, "-: %zu %s no average: elapsed times of several counters cannot be added",
		    rows->no_average, pmon_text_word(rows->no_average, "group has", "groups have"));
}

// Are the times on more than one day? Then a time of day alone would be ambiguous.
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

// Add the headings of requested columns of text. Returns the number of columns.
static size_t
add_rank_columns(struct out_column *chosen, size_t n, const struct rank *rank)
{
	for (size_t i = 0; i < rank->n; i++)
		chosen[n++] = (struct out_column){rank->names[i], rank->names[i], 0, OUT_RIGHT};
	if (rank_by_total(rank))
		chosen[n++] = (struct out_column){"total", "Total", 0, OUT_RIGHT};
	return n;
}

// Choose the columns of text; on a narrow terminal, less important ones have no heading and are not
// shown.
static size_t
choose_columns(struct out_column *chosen, const struct rank *rank)
{
	unsigned width = screen_columns(); // 0: no terminal, so show everything
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
all_columns(struct out_column *chosen, const struct stats_rows *rows, const struct rank *rank,
	    bool has_steps)
{
	size_t n = 0;

	for (size_t i = has_steps ? 0 : OF_STEPS; i < N_COLUMNS; i++) {
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

// The columns of text.
static size_t
text_columns_of(struct out_column *chosen, const struct stats_rows *rows, const struct rank *rank,
		bool has_steps)
{
	size_t n;

	if (has_steps)
		chosen[0] = (struct out_column){"time", "Time", 0, OUT_LEFT};
	n = has_steps + choose_columns(chosen + has_steps, rank);
	if (rows->grouped)
		chosen[has_steps].heading = "Series";
	return n;
}

// A table of rows, which has the rows of each step one after the other with --every.
struct table {
	struct logs *logs;
	const struct args *args;
	const struct rank *rank;
	struct stats_rows rows; // of the newest step
	struct out_column columns[MOST_COLUMNS];
	struct out out;
	int64_t step_100ns; // 0: one table of the whole input
	bool has_begun;
	bool with_dates;
};

static void
begin_table(struct table *table)
{
	const struct stats_rows *rows = &table->rows;
	struct logs *logs = table->logs;
	bool has_steps = table->step_100ns != 0;
	bool text = logs->request.format == OUT_TEXT;
	size_t n;

	if (table->has_begun)
		return;
	table->has_begun = true;
	table->with_dates = text && (has_steps || spans_days(logs, rows));
	if (text)
		logs_print_heading(logs);
	n = text ? text_columns_of(table->columns, rows, table->rank, has_steps)
		 : all_columns(table->columns, rows, table->rank, has_steps);
	out_begin(&table->out, stdout, logs->request.format, "counters", table->columns, n,
		  &logs->clock);
	table->out.used = &logs->used;
	table->out.no_units = logs->request.calc.default_scale || logs->request.calc.times_1000;
}

static void
put_rows(struct table *table, pmon_time step)
{
	const struct stats_rows *rows = &table->rows;
	struct out *out = &table->out;

	if (rows->n > 0)
		begin_table(table);
	for (size_t i = 0; i < rows->n; i++) {
		const struct stats_row *row = &rows->list[i];

		if (out->format == OUT_TEXT) {
			if (table->step_100ns != 0)
				out_seconds(out, step, true);
			put_text_row(out, rows, table->rank, row, table->with_dates);
		} else {
			if (table->step_100ns != 0)
				out_time(out, step);
			put_row(out, rows, table->rank, row);
		}
	}
}

// Print the statistics of the whole input, or of one step.
static int
put_statistics(struct table *table, const struct pmon_statistics *statistics, pmon_time step)
{
	int status;

	rows_free(&table->rows);
	status = rows_make(&table->rows, table->logs, table->args, statistics);
	if (status == EXIT_DONE)
		status = rank_rows(table->rank, &table->rows);
	if (status == EXIT_DONE)
		put_rows(table, step);
	return status;
}

static int
end_table(struct table *table, int status)
{
	if (status == EXIT_DONE)
		begin_table(table);
	if (table->has_begun && out_end(&table->out) != EXIT_DONE)
		status = EXIT_FAILED;
	if (status == EXIT_DONE) {
		say_average_kinds(&table->rows);
		say_rank_marks(&table->rows, table->rank);
		say_no_average(&table->rows);
	}
	rows_free(&table->rows);
	return status;
}

static int
put_whole(struct table *table, const struct pmon_statistics *statistics)
{
	logs_hide_machine(table->logs);
	return put_statistics(table, statistics, PMON_TIME_NONE);
}

// ---- Steps of time ----------------------------------------------------------------------------

// The number of the step that a sample ends or is in. A sample on a boundary ends a step, but the
// first one begins it: it would be the only sample of a step, without a rate.
static int64_t
step_of(const struct table *table, pmon_time time, bool is_first)
{
	return (time + clock_offset(&table->logs->clock, time) * PMON_TIME_PER_MIN -
		(is_first ? 0 : 1)) /
	       table->step_100ns;
}

static pmon_time
begin_of(const struct table *table, int64_t step)
{
	return clock_utc(&table->logs->clock, step * table->step_100ns);
}

static int
put_steps(struct table *table, struct pmon_statistics *statistics)
{
	const struct pmon_sample *sample;
	struct pmon_err err;
	bool has_step = false;
	int64_t step = 0;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && logs_next(table->logs, &sample, &status)) {
		bool is_plain = !sample->preceding && !sample->starts;

		if (is_plain && has_step && step_of(table, sample->time, false) != step) {
			status = put_statistics(table, statistics, begin_of(table, step));
			pmon_statistics_restart(statistics);
		}
		if (is_plain) {
			step = step_of(table, sample->time, !has_step);
			has_step = true;
		}
		if (status == EXIT_DONE &&
		    pmon_statistics_add(statistics, sample, NULL, &err) != PMON_OK)
			status = say(EXIT_FAILED, "%s", err.msg);
	}
	if (status == EXIT_DONE && has_step)
		status = put_statistics(table, statistics, begin_of(table, step));
	return status;
}

static int
show_steps(struct table *table, unsigned keep, struct pmon_statistics **statistics)
{
	struct logs *logs = table->logs;
	struct pmon_err err;

	if (pmon_statistics_new(pmon_source_schema(logs->source), &logs->request.calc, NULL,
				statistics, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	pmon_statistics_keep(*statistics, keep);
	logs_hide_machine(logs);
	return put_steps(table, *statistics);
}

#define PERCENTILE_SERIES_BYTES 4096 // like series_bytes in verb.h

static unsigned
what_to_keep(const struct args *args, const struct rank *rank)
{
	return (args->format != OUT_TEXT || rank_by_total(rank) ? PMON_KEEP_TOTALS : 0) |
	       (rank->n > 0 ? PMON_KEEP_PERCENTILES : 0);
}

static int
stats_run(const struct args *args)
{
	struct pmon_statistics *statistics = NULL;
	struct request request = request_from(args);
	struct logs logs;
	struct rank rank;
	struct table table = {.logs = &logs, .args = args, .rank = &rank};
	int status = rows_check(args);

	if (status == EXIT_DONE)
		status = per_cpu_check(args);
	if (status == EXIT_DONE)
		status = rank_parse(args, &rank);
	if (status == EXIT_DONE)
		status = times_read_step(args, &table.step_100ns);
	if (status != EXIT_DONE)
		return status;
	request.reads_once = table.step_100ns == 0;
	if (rank.n > 0)
		request.series_bytes = PERCENTILE_SERIES_BYTES;
	// Rank processes, not their changing names. The same step hides the processors.
	request.by_process |= (rank_is_ranking(&rank) || args->per_cpu) && args->by == NULL &&
			      args->identity != IDENTITY_WINDOWS;
	request.also = request_average_needs(&request);
	status = logs_open(&logs, &request);
	if (status == EXIT_DONE && table.step_100ns != 0)
		status = show_steps(&table, what_to_keep(args, &rank), &statistics);
	else if (status == EXIT_DONE)
		status = logs_statistics(&logs, what_to_keep(args, &rank), &statistics);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&logs);
	if (status == EXIT_DONE && table.step_100ns == 0)
		status = put_whole(&table, statistics);
	status = end_table(&table, status);
	if (status == EXIT_DONE)
		logs_say_one_sample(&logs, statistics);
	pmon_statistics_free(statistics);
	return logs_close(&logs, status);
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_format),
	GROUP(options_digits),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_by),
	GROUP(options_identity),
	OPTION(WORDS, stats, where, "--where", NULL, "CONDITION",
	       "print only rows that match, such as 'average>50' or 'maximum>=20ms'; on last, "
	       "average, minimum, maximum, samples or invalid; may be repeated"),
	OPTION(TEXT, stats, sort, "--sort", NULL, "KEY",
	       "sort largest first by total, average, min, max, last or a percentile such as p95 "
	       "(without _Total and Idle, one row per process unless --by is given), or by name "
	       "with all rows"),
	GROUP(options_limit),
	OPTION(TEXT, stats, percentile, "--percentile", NULL, "LIST",
	       "also print these percentiles, such as 50,95,99, weighted by time, or by operations "
	       "for averages per operation"),
	GROUP(options_every),
	GROUP(options_per_cpu),
	GROUP(options_table),
	OPTION_END,
};

const struct verb verb_stats = {
	.name = "stats",
	.operands = "[FILE...]",
	.summary = "show last, average, minimum and maximum of each counter",
	.details = "The average is computed according to the counter's type from raw end "
		   "points.\nText logs have only displayed values: ~ marks their mean if it is not "
		   "the type's\naverage, ? the mean of a counter whose type is unknown. \"-\" is a "
		   "value that\ncannot be computed. Invalid counts raw values after the first that "
		   "yield no\nvalue; pmon explain shows why. Terminals narrower than 120 columns "
		   "do not show\nthe times of extremes, those narrower than 100 columns no "
		   "counts.\n\nExamples:\n  pmon stats server.blg\n  pmon stats -c "
		   "'\\PhysicalDisk(*)\\Avg. Disk sec/*' --from 10:30 server.blg\n  pmon stats "
		   "--format json monday.blg tuesday.blg\n  pmon stats -c '\\Process(*)\\% "
		   "Processor Time' --sort total --limit 10 server.blg\n  pmon stats -c 'disk "
		   "sec/read' --every 1h server.blg\n  pmon stats -c "
		   "'\\PhysicalDisk(*)\\Avg. Disk sec/*' --percentile 50,95,99 server.blg\n  pmon "
		   "stats --by machine --where 'average>50' @logs.txt\n  pmon stats -c "
		   "'\\Processor(*)\\*' -n 60              this machine, for a minute\n",
	.options = options,
	.own_size = sizeof(struct stats_options),
	.run = stats_run,
	.live = LIVE_SOME,
	.traits = VERB_TEXTS,
	.series_bytes = 1472,
};
