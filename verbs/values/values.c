// values.c - pmon values: displayed values over time
// SPDX-License-Identifier: MIT
//
// JSON and text are streamed value by value. CSV is the table that Windows writes, produced by the
// same writer as in pmon relog. tidy.c has the rows for programs that compute.

#include "verbs/values/values.h"

#include <string.h>

#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/per_cpu.h"
#include "shell/input/progress.h"
#include "shell/input/times.h"
#include "shell/output/line.h"
#include "shell/output/say.h"
#include "shell/output/screen.h"

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

// What is computed once per series.
struct of_series {
	size_t divisor; // with --per-cpu; 0: not known yet
	bool has_unit;
	struct draw_unit unit; // of text
};

struct values {
	struct logs logs;
	struct pmon_statistics *statistics;
	const struct pmon_value *value; // of the newest sample
	struct by_series of_series;     // struct of_series
	struct pmon_resampler *steps;   // with --every, instead of statistics
	int64_t step_100ns;
	bool is_at_end;
	bool per_cpu;
	bool by_process;
};

// Add a sample, or NULL after the last. *step is the sample of a complete step, or NULL.
static int
add_to_step(struct values *v, const struct pmon_sample *sample, const struct pmon_sample **step)
{
	struct pmon_sample shown;
	struct pmon_err err;

	// Steps follow the clock that is shown.
	if (sample != NULL) {
		shown = *sample;
		shown.utc_offset_min = clock_offset(&v->logs.clock, sample->time);
		sample = &shown;
	}
	if (pmon_resampler_add(v->steps, sample, step, &v->value, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

static bool
next_step(struct values *v, const struct pmon_sample **step, int *status)
{
	const struct pmon_sample *sample;

	*step = NULL;
	while (*step == NULL && !v->is_at_end && *status == EXIT_DONE) {
		v->is_at_end = !logs_next(&v->logs, &sample, status);
		if (*status == EXIT_DONE)
			*status = add_to_step(v, v->is_at_end ? NULL : sample, step);
	}
	return *step != NULL && *status == EXIT_DONE;
}

// The next sample to show, with its displayed values.
static bool
next_sample(struct values *v, const struct pmon_sample **sample, int *status)
{
	struct pmon_err err;

	if (v->steps != NULL)
		return next_step(v, sample, status);
	while (logs_next(&v->logs, sample, status)) {
		if (pmon_statistics_add(v->statistics, *sample, &v->value, &err) != PMON_OK) {
			*status = say(EXIT_FAILED, "%s", err.msg);
			return false;
		}
		if (!(*sample)->preceding)
			return true;
	}
	return false;
}

static int
begin_statistics(struct values *v)
{
	const struct pmon_schema *schema = pmon_source_schema(v->logs.source);
	struct pmon_err err;

	if ((v->step_100ns != 0 ? pmon_resampler_new(schema, v->step_100ns, &v->logs.request.calc,
						     NULL, &v->steps, &err)
				: pmon_statistics_new(schema, &v->logs.request.calc, NULL,
						      &v->statistics, &err)) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

// A value divided for --per-cpu. Returns an exit status.
static int
divide(struct values *v, struct of_series *of, const struct pmon_series *series,
       struct pmon_value *value)
{
	if (!v->per_cpu)
		return EXIT_DONE;
	if (of->divisor == 0)
		of->divisor = logs_divisor(&v->logs, series);
	value->value /= (double)of->divisor;
	return of->divisor > 0 ? EXIT_DONE : EXIT_FAILED;
}

// ---- Value by value -------------------------------------------------------------------------

static void
put_number_or_text(struct out *out, struct of_series *of, const struct pmon_series *series,
		   const struct pmon_value *value, struct pmon_span text)
{
	if (text.ptr != NULL) {
		out_text(out, text);
		return;
	}
	if (!of->has_unit && out->format == OUT_TEXT)
		of->unit = draw_unit_of(series);
	of->has_unit = true;
	out_quantity_in(out, series, &of->unit, value);
}

static void
put_value(struct values *v, struct out *out, struct of_series *of, const struct pmon_series *series,
	  const struct pmon_raw *raw, const struct pmon_value *value)
{
	const char *status = pmon_vstat_name(value->status);
	struct pmon_span text = pmon_series_text(series, raw);

	if (v->logs.request.format == OUT_JSON) {
		out_path(out, series->name, series);
		out_time(out, raw->time);
		put_number_or_text(out, of, series, value, text);
		out_str(out, status);
		out_str(out, out_unit(series));
		if (v->by_process)
			out_pid(out, series);
		return;
	}
	out_time(out, raw->time);
	put_number_or_text(out, of, series, value, text);
	out_str(out, status);
	out_text(out, naming_path(&v->logs.naming, series));
}

static int
print_stream(struct values *v)
{
	const struct pmon_schema *schema = pmon_source_schema(v->logs.source);
	bool json = v->logs.request.format == OUT_JSON;
	const struct pmon_sample *sample;
	struct out out;
	int status = begin_statistics(v);

	if (status != EXIT_DONE)
		return status;
	if (screen_is_there())
		progress_never();
	logs_hide_machine(&v->logs);
	out_begin(&out, stdout, v->logs.request.format, NULL, json ? columns : text_columns,
		  json ? N_COLUMNS + (size_t)v->by_process : N_TEXT_COLUMNS, &v->logs.clock);
	out.no_units = v->logs.request.calc.default_scale || v->logs.request.calc.times_1000;
	while (status == EXIT_DONE && next_sample(v, &sample, &status))
		for (size_t i = 0; status == EXIT_DONE && i < sample->n; i++) {
			const struct pmon_series *series =
				pmon_schema_at(schema, sample->series[i]);
			struct of_series *of = by_series_get(&v->of_series, series->id);
			struct pmon_value value = v->value[i];

			status = of != NULL ? divide(v, of, series, &value)
					    : say(EXIT_FAILED, "not enough memory");
			if (status == EXIT_DONE)
				put_value(v, &out, of, series, &sample->raw[i], &value);
		}
	if (out_end(&out) != EXIT_DONE)
		status = EXIT_FAILED;
	return status;
}

// ---- The table of PDH-CSV -------------------------------------------------------------------

// A first pass checks that the patterns match anything before a header is written.
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

// Live: the first sample determines the columns; later counters have none.
static int
write_table(struct logs *logs, pmon_time first, int64_t step_100ns)
{
	struct pmon_create_options create = {.size = sizeof(create),
					     .live = pmon_source_info(logs->source)->live,
					     .unix_lines = true,
					     .notice = print_notice,
					     .fixed_clock = logs->clock.mode != CLOCK_LOG,
					     .offset_min = clock_offset(&logs->clock, first)};
	struct pmon_copy_options copy = {.size = sizeof(copy),
					 .calc = &logs->request.calc,
					 .step_100ns = step_100ns,
					 .progress = progress_tell};
	struct pmon_sink *sink;
	struct pmon_err err;
	enum pmon_status status = pmon_log_create("-", "csv", &create, &sink, &err);

	if (status == PMON_OK)
		status = pmon_copy(logs->source, sink, &copy, &err);
	logs->used = (struct pmon_used){copy.samples, copy.empty};
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

	if (status == EXIT_DONE && screen_is_there())
		progress_never();
	if (status == EXIT_DONE)
		status = write_table(&v->logs, first, v->step_100ns);
	return status == EXIT_DONE ? logs_check_patterns(&v->logs) : status;
}

// --format, beginning with those of enum out_format.
enum {
	AS_TIDY = OUT_JSON + 1,
	AS_TIDY_JSON,
};

struct values_options {
	unsigned format;
};

// What the format cannot have. Returns an exit status.
static int
check_options(const struct args *args, const struct values *v, unsigned format)
{
	if (format >= AS_TIDY && v->step_100ns != 0)
		return say(EXIT_USAGE,
			   "values: tidy rows are one for each raw value; leave out --every, and "
			   "group them by time");
	if (format >= AS_TIDY && v->per_cpu)
		return say(EXIT_USAGE, "values: --per-cpu applies only to text and JSON; tidy rows "
				       "contain the values that Windows shows");
	if (format == OUT_CSV && v->step_100ns != 0 && args->tz != NULL &&
	    strcmp(args->tz, "log") != 0)
		return say(EXIT_USAGE, "values: steps of --every in CSV follow the clock of the "
				       "log; leave out --tz, or use --format json");
	if (format == OUT_CSV && v->per_cpu)
		return say(EXIT_USAGE, "values: --per-cpu applies only to text and JSON; CSV "
				       "contains the values that Windows writes");
	if (args->by != NULL && !v->by_process)
		return say(EXIT_USAGE, "values: --by must be process, not \"%s\"", args->by);
	return EXIT_DONE;
}

static int
print_checked_stream(struct values *v)
{
	int status = print_stream(v);

	if (status == EXIT_DONE)
		status = logs_check_patterns(&v->logs);
	if (status == EXIT_DONE && v->statistics != NULL)
		logs_say_one_sample(&v->logs, v->statistics);
	return status;
}

static int
print_as(struct values *v, unsigned format)
{
	switch (format) {
	case OUT_CSV:
		return print_table(v);
	case AS_TIDY:
		return values_print_tidy(&v->logs, OUT_CSV);
	case AS_TIDY_JSON:
		return values_print_tidy(&v->logs, OUT_JSON);
	default:
		return print_checked_stream(v);
	}
}

static int
values_run(const struct args *args)
{
	unsigned format = OWN_OPTIONS(values, args)->format;
	struct request request = request_from(args);
	struct values v = {.of_series = BY_SERIES_OF(struct of_series),
			   .per_cpu = args->per_cpu,
			   .by_process = request.by_process};
	int status = per_cpu_check(args);

	request.format = format >= AS_TIDY ? OUT_JSON : (enum out_format)format;
	if (status == EXIT_DONE)
		status = times_read_step(args, &v.step_100ns);
	if (status == EXIT_DONE)
		status = check_options(args, &v, format);
	if (status != EXIT_DONE)
		return status;
	status = logs_open(&v.logs, &request);
	if (status == EXIT_DONE)
		status = print_as(&v, format);
	by_series_free(&v.of_series);
	pmon_statistics_free(v.statistics);
	pmon_resampler_free(v.steps);
	return logs_close(&v.logs, status);
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	OPTION(CHOICE, values, format, "--format", NULL, "text|csv|json|tidy|tidy-json",
	       "output format; text by default; tidy has a row for each raw value, with the "
	       "operands "
	       "of true averages"),
	GROUP(options_digits),
	GROUP(options_calc),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_by),
	GROUP(options_identity),
	GROUP(options_per_cpu),
	GROUP(options_color),
	GROUP(options_pager),
	GROUP(options_raw_names),
	GROUP(options_every),
	GROUP(options_verbose),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_values = {
	.name = "values",
	.operands = "[FILE...]",
	.summary = "print displayed values over time",
	.details = "--format csv writes the format of relog and perfmon (PDH-CSV 4.0); --format "
		   "json\nwrites one object per line; --format tidy and tidy-json write what SQL "
		   "needs for true\naverages.\n\nExamples:\n  pmon values -c "
		   "'\\Processor(_Total)\\% Processor Time' server.blg\n  pmon values --format csv "
		   "server.blg > server.csv\n  pmon values --every 1m -c cpu server.blg\n",
	.options = options,
	.own_size = sizeof(struct values_options),
	.run = values_run,
	.live = LIVE_ENDLESS,
	.traits = VERB_STREAMS | VERB_COLUMNS | VERB_TEXTS,
	.series_bytes = 1792,
};
