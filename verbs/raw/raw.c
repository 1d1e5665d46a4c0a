// raw.c - pmon raw: raw values over time
// SPDX-License-Identifier: MIT

#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/logs.h"
#include "shell/input/progress.h"
#include "shell/output/say.h"
#include "shell/output/screen.h"

static const struct out_column columns[] = {
	{"path", NULL, 0, OUT_LEFT},   {"type", NULL, 0, OUT_LEFT},
	{"time", NULL, 0, OUT_LEFT},   {"status", NULL, 0, OUT_RIGHT},
	{"first", NULL, 0, OUT_RIGHT}, {"second", NULL, 0, OUT_RIGHT},
	{"multi", NULL, 0, OUT_RIGHT}, {"time_base", NULL, 0, OUT_RIGHT},
};

static const struct out_column text_columns[] = {
	{"time", "Time", 23, OUT_LEFT},
	{"first", "First", 20, OUT_RIGHT},
	{"second", "Second", 20, OUT_RIGHT},
	{"multi", "Multi", 5, OUT_RIGHT},
	{"time_base", "Time base", 10, OUT_RIGHT},
	{"status", "Status", 12, OUT_LEFT},
	{"path", "Counter", 0, OUT_LEFT},
};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

static void
put_time_base(struct out *out, const struct pmon_series *series)
{
	if (series->counter.time_base != 0)
		out_i64(out, series->counter.time_base);
	else
		out_null(out);
}

static void
put_status(struct out *out, uint32_t status)
{
	const char *name = pmon_raw_status_name(status);
	char hex[16];

	(void)snprintf(hex, sizeof(hex), "0x%08X", (unsigned)status);
	out_str(out, name != NULL ? name : hex);
}

static void
put_row(struct out *out, const struct pmon_series *series, const struct pmon_raw *raw)
{
	out_path(out, series->name, series);
	out_type(out, series->counter.type);
	out_time(out, raw->time);
	put_status(out, raw->status);
	out_raw(out, series, raw);
	out_i64(out, raw->second);
	out_i64(out, (int64_t)raw->multi);
	put_time_base(out, series);
}

static void
put_text_row(struct out *out, const struct logs *logs, const struct pmon_series *series,
	     const struct pmon_raw *raw)
{
	out_time(out, raw->time);
	out_raw(out, series, raw);
	out_i64(out, raw->second);
	out_i64(out, (int64_t)raw->multi);
	put_time_base(out, series);
	put_status(out, raw->status);
	out_text(out, naming_path(&logs->naming, series));
}

static void
put_sample(struct out *out, const struct logs *logs, const struct pmon_sample *sample)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);

	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, sample->series[i]);

		if (logs->request.format == OUT_TEXT)
			put_text_row(out, logs, series, &sample->raw[i]);
		else
			put_row(out, series, &sample->raw[i]);
	}
}

static int
run_raw(const struct args *args)
{
	bool text = args->format == OUT_TEXT;
	const struct pmon_sample *sample;
	struct request request = request_from(args);
	struct logs logs;
	struct out out;
	int status = logs_open(&logs, &request);

	if (status == EXIT_DONE) {
		if (screen_is_there())
			progress_never();
		out_begin(&out, stdout, args->format, NULL, text ? text_columns : columns,
			  text ? N_TEXT_COLUMNS : N_COLUMNS, &logs.clock);
		logs_hide_machine(&logs);
		while (logs_next(&logs, &sample, &status))
			if (!sample->preceding)
				put_sample(&out, &logs, sample);
		if (out_end(&out) != EXIT_DONE)
			status = EXIT_FAILED;
	}
	if (status == EXIT_DONE)
		status = logs_check_patterns(&logs);
	return logs_close(&logs, status);
}

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_format),
	GROUP(options_read),
	GROUP(options_live),
	GROUP(options_table),
	OPTION_END,
};

const struct verb verb_raw = {
	.name = "raw",
	.operands = "[FILE...]",
	.summary = "print raw values over time",
	.details = "Examples:\n"
		   "  pmon raw --format json server.blg | head\n"
		   "  pmon raw -c '\\System\\System Up Time' server.blg\n",
	.options = options,
	.run = run_raw,
	.live = LIVE_ENDLESS,
	.traits = VERB_STREAMS | VERB_RAW | VERB_TEXTS,
	.series_bytes = 640,
};
