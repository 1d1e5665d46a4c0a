// values.c - pmon values: the displayed values over time
// SPDX-License-Identifier: MIT
//
// JSON and text stream value by value. CSV is the table that Windows writes, by the same writer as in
// pmon relog.

#include "apps/apps.h"

#include "cli/input/logs.h"
#include "cli/input/progress.h"
#include "cli/output/line.h"
#include "cli/output/say.h"
#include "os/term.h"

static const struct out_column columns[] = {
	{"path", NULL, 0, OUT_LEFT},   {"time", NULL, 0, OUT_LEFT}, {"value", NULL, 0, OUT_RIGHT},
	{"status", NULL, 0, OUT_LEFT}, {"unit", NULL, 0, OUT_LEFT}, {"pid", NULL, 0, OUT_RIGHT},
};

static const struct out_column text_columns[] = {
	{"time", "Time", 23, OUT_LEFT},
	{"value", "Value", 14, OUT_RIGHT},
	{"status", "Status", 17, OUT_LEFT},
	{"path", "Counter", 0, OUT_LEFT},
};

#define N_COLUMNS      5 // and one more for processes
#define N_TEXT_COLUMNS 4

struct values {
	struct logs logs;
	struct pmon_statistics *statistics;
	const struct pmon_value *value; // of the newest sample
	struct by_series divisors;      // size_t: with --per-cpu; 0: not asked for yet
};

// The next sample that is to be shown, with its displayed values.
static bool
next(struct values *v, const struct pmon_sample **sample, int *status)
{
	struct pmon_err err;

	while (logs_next(&v->logs, sample, status)) {
		if (pmon_statistics_add(v->statistics, *sample, &v->value, &err) != PMON_OK) {
			*status = say(EXIT_FAILED, "%s", err.msg);
			return false;
		}
		if (!(*sample)->lead_in)
			return true;
	}
	return false;
}

static int
begin(struct values *v)
{
	const struct pmon_schema *schema = pmon_source_schema(v->logs.source);
	struct pmon_err err;

	if (pmon_statistics_new(schema, &v->logs.args->calc, NULL, &v->statistics, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

// A value as --per-cpu shows it. An exit status.
static int
divide(struct values *v, const struct pmon_series *series, struct pmon_value *value)
{
	size_t *divisor;

	if (!args_flag(v->logs.args, "--per-cpu"))
		return EXIT_DONE;
	divisor = by_series_get(&v->divisors, series->id);
	if (divisor == NULL)
		return say(EXIT_FAILED, "not enough memory");
	if (*divisor == 0)
		*divisor = logs_divisor(&v->logs, series);
	value->value /= (double)*divisor;
	return *divisor > 0 ? EXIT_DONE : EXIT_FAILED;
}

// ---- Value by value -------------------------------------------------------------------------

static void
put_number_or_text(struct out *out, const struct pmon_series *series,
		   const struct pmon_value *value, struct pmon_span text)
{
	if (text.ptr != NULL)
		out_text(out, text);
	else
		out_quantity(out, series, value);
}

static void
put_value(struct values *v, struct out *out, const struct pmon_series *series,
	  const struct pmon_raw *raw, const struct pmon_value *value)
{
	const char *status = pmon_vstat_name(value->status);
	struct pmon_span text = pmon_series_text(series, raw);

	if (v->logs.args->format == OUT_JSON) {
		out_path(out, series->name, series);
		out_time(out, raw->time);
		put_number_or_text(out, series, value, text);
		out_str(out, status);
		out_str(out, out_unit(series));
		if (logs_by_process(v->logs.args))
			out_pid(out, series);
		return;
	}
	out_time(out, raw->time);
	put_number_or_text(out, series, value, text);
	out_str(out, status);
	out_text(out, logs_path(&v->logs, series));
}

static int
print_stream(struct values *v)
{
	const struct pmon_schema *schema = pmon_source_schema(v->logs.source);
	bool json = v->logs.args->format == OUT_JSON;
	const struct pmon_sample *sample;
	struct out out;
	int status = begin(v);

	if (status != EXIT_DONE)
		return status;
	if (pmon_term_is_tty(true))
		progress_never();
	logs_hide_machine(&v->logs);
	out_begin(&out, stdout, v->logs.args->format, NULL, json ? columns : text_columns,
		  json ? N_COLUMNS + (size_t)logs_by_process(v->logs.args) : N_TEXT_COLUMNS,
		  &v->logs.clock);
	out.no_units = v->logs.args->calc.default_scale || v->logs.args->calc.times_1000;
	while (status == EXIT_DONE && next(v, &sample, &status))
		for (size_t i = 0; status == EXIT_DONE && i < sample->n; i++) {
			const struct pmon_series *series =
				pmon_schema_at(schema, sample->series[i]);
			struct pmon_value value = v->value[i];

			status = divide(v, series, &value);
			if (status == EXIT_DONE)
				put_value(v, &out, series, &sample->raw[i], &value);
		}
	if (out_end(&out) != EXIT_DONE)
		status = EXIT_FAILED;
	return status;
}

// ---- The table of PDH-CSV -------------------------------------------------------------------

// A first pass, to see whether the patterns match anything before a header is written.
static int
look_ahead(struct logs *logs, pmon_time *first)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	*first = 0;
	while (logs_next(logs, &sample, &status))
		if (*first == 0)
			*first = sample->time;
	if (status == EXIT_DONE)
		status = logs_check_patterns(logs);
	return status == EXIT_DONE ? logs_rewind(logs) : status;
}

static void
print_notice(void *ctx, const struct pmon_notice *notice)
{
	(void)ctx;
	say(0, "note: %s", notice->text);
}

// Live: the first sample decides the columns; later counters have none.
static int
write_table(struct logs *logs, pmon_time first)
{
	struct pmon_create_options create = {.live = pmon_source_info(logs->source)->live,
					     .unix_lines = true,
					     .notice = print_notice,
					     .fixed_clock = logs->clock.mode != CLOCK_LOG,
					     .offset_min = clock_offset(&logs->clock, first)};
	struct pmon_copy_options copy = {.calc = logs->args->calc, .progress = progress_tell};
	struct pmon_sink *sink;
	struct pmon_err err;
	enum pmon_status status = pmon_log_create("-", "csv", &create, &sink, &err);

	if (status == PMON_OK)
		status = pmon_copy(logs->source, sink, &copy, &err);
	line_erase();
	pmon_sink_close(sink);
	return status == PMON_OK ? EXIT_DONE : say_write_err("-", &err);
}

static int
print_table(struct values *v)
{
	pmon_time first;
	int status = EXIT_DONE;

	first = pmon_source_info(v->logs.source)->log_start;
	if (!pmon_source_info(v->logs.source)->live)
		status = look_ahead(&v->logs, &first);

	if (status == EXIT_DONE && pmon_term_is_tty(true))
		progress_never();
	if (status == EXIT_DONE)
		status = write_table(&v->logs, first);
	return status == EXIT_DONE ? logs_check_patterns(&v->logs) : status;
}

int
values_run(const struct args *args)
{
	struct values v = {.divisors = BY_SERIES_OF(size_t)};
	int status = logs_check_per_cpu(args);

	if (status != EXIT_DONE)
		return status;
	if (args->format == OUT_CSV && args_flag(args, "--per-cpu"))
		return say(EXIT_USAGE,
			   "values: CSV has the values that Windows writes; --per-cpu is "
			   "for text and --format json");
	if (args->by != NULL && !logs_by_process(args))
		return say(EXIT_USAGE, "values: --by takes process, not \"%s\"", args->by);
	status = logs_open(&v.logs, args);

	if (status == EXIT_DONE && args->format == OUT_CSV) {
		status = print_table(&v);
	} else if (status == EXIT_DONE) {
		status = print_stream(&v);
		if (status == EXIT_DONE)
			status = logs_check_patterns(&v.logs);
		if (status == EXIT_DONE)
			logs_say_one_sample(&v.logs, v.statistics);
	}
	by_series_free(&v.divisors);
	pmon_statistics_free(v.statistics);
	return logs_close(&v.logs, status);
}
