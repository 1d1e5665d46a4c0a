// info.c - pmon info: the facts about a log
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/logs.h"
#include "shell/input/survey.h"
#include "shell/output/machines.h"
#include "shell/output/number.h"
#include "shell/output/say.h"
#include "shell/process/memory.h"

// ---- Text -----------------------------------------------------------------------------------

static void
line(const char *name, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	printf("  %s%-10s%s ", out_style(STYLE_DIM), name, out_style(STYLE_OFF));
	out_clean(stdout, (struct pmon_span){text, strlen(text)});
	putchar('\n');
}

static const char *
time_text(const struct clock *clock, pmon_time t, char buf[PMON_TIME_SIZE])
{
	if (t == PMON_TIME_NONE)
		return "";
	pmon_time_local(t, clock_offset(clock, t), buf);
	return buf;
}

static void
print_times(const struct logs *logs, const struct survey *s)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);
	char buf[PMON_TIME_SIZE];
	char offset[ZONE_SIZE];
	char zone[128];
	struct pmon_text t = pmon_text_init(zone, sizeof(zone));

	logs_zone(logs, offset);
	pmon_text_str(&t, offset);
	if (info->zone[0] != '\0' && logs->clock.mode == CLOCK_LOG &&
	    strcmp(info->zone, offset) != 0) {
		pmon_text_str(&t, "  ");
		pmon_text_str(&t, info->zone);
	}
	if (s->samples > 0) {
		line("first", time_text(&logs->clock, s->first, buf));
		line("last", time_text(&logs->clock, s->last, buf));
	}
	line("zone", zone);
}

static void
put_whole(struct pmon_text *t, uint64_t n)
{
	char number[DRAW_NUMBER];

	(void)out_count(n, number, sizeof(number));
	pmon_text_str(t, number);
}

static void
print_counts(const struct survey *s)
{
	char text[160];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	put_whole(&t, s->samples);
	if (s->usual > 0) {
		pmon_text_str(&t, ", one every ");
		out_put_length(&t, s->usual);
	}
	line("samples", text);
	t = pmon_text_init(text, sizeof(text));
	put_whole(&t, s->counters);
	pmon_text_str(&t, " with ");
	put_whole(&t, s->values);
	pmon_text_str(&t, " raw values");
	line("counters", text);
}

static void
print_gaps(const struct logs *logs, const struct survey *s)
{
	char from[PMON_TIME_SIZE];
	char text[200];

	for (uint64_t i = 0; i < s->n_gaps && i < SURVEY_GAPS; i++) {
		struct pmon_text t = pmon_text_init(text, sizeof(text));

		pmon_text_str(&t, time_text(&logs->clock, s->gaps[i].from, from));
		pmon_text_str(&t, " for ");
		out_put_length(&t, s->gaps[i].length_100ns);
		line("gap", text);
	}
	if (s->n_gaps > SURVEY_GAPS) {
		char number[DRAW_NUMBER];

		(void)out_count(s->n_gaps - SURVEY_GAPS, number, sizeof(number));
		printf("  %-10s %s more gaps\n", "", number);
	}
}

// How the bytes of the file are used, if the format accounts for them.
static void
print_bytes(const struct pmon_source_info *info)
{
	char text[160];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (info->bytes_used == 0)
		return;
	put_whole(&t, info->bytes_used + info->bytes_unused + info->bytes_damaged);
	pmon_text_str(&t, ": ");
	put_whole(&t, info->bytes_used);
	pmon_text_str(&t, " used, ");
	put_whole(&t, info->bytes_unused);
	pmon_text_str(&t, " unused, ");
	put_whole(&t, info->bytes_damaged);
	pmon_text_str(&t, " damaged");
	line("bytes", text);
}

// "00:59:45.000 to 02:00:00.000: set forward by 1 h, or the machine was paused"
static void
print_steps(const struct logs *logs, const struct survey *s)
{
	char time[PMON_TIME_SIZE];
	char text[240];

	for (uint64_t i = 0; i < s->n_steps && i < SURVEY_STEPS; i++) {
		const struct survey_step *step = &s->steps[i];
		bool is_ahead = step->set_100ns > 0;
		struct pmon_text t = pmon_text_init(text, sizeof(text));

		pmon_text_str(&t, time_text(&logs->clock, step->from, time));
		pmon_text_str(&t, " to ");
		pmon_text_str(&t, time_text(&logs->clock, step->to, time));
		pmon_text_str(&t, is_ahead ? ": set forward by " : ": set back by ");
		out_put_length(&t, is_ahead ? step->set_100ns : -step->set_100ns);
		pmon_text_str(&t, is_ahead ? ", or the machine was paused" : "");
		line("clock", text);
	}
	if (s->n_steps > SURVEY_STEPS) {
		char number[DRAW_NUMBER];

		(void)out_count(s->n_steps - SURVEY_STEPS, number, sizeof(number));
		printf("  %-10s set %s more times\n", "", number);
	}
}

static void
print_damage(const struct logs *logs, const struct survey *s)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);
	char text[160];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (s->steps_back > 0) {
		put_whole(&t, s->steps_back);
		pmon_text_str(&t, pmon_text_word(s->steps_back, " sample is", " samples are"));
		pmon_text_str(&t, " earlier than the one before");
		line("clock", text);
	}
	t = pmon_text_init(text, sizeof(text));
	if (info->records_unknown > 0) {
		put_whole(&t, info->records_unknown);
		pmon_text_str(&t, pmon_text_word(info->records_unknown,
						 " record of an unknown kind was skipped",
						 " records of unknown kinds were skipped"));
		line("unknown", text);
	}
	print_bytes(info);
	t = pmon_text_init(text, sizeof(text));
	put_whole(&t, info->losses);
	pmon_text_str(&t, pmon_text_word(info->losses, " place", " places"));
	if (info->bytes_lost > 0) {
		pmon_text_str(&t, ", about ");
		put_whole(&t, info->bytes_lost);
		pmon_text_str(&t, " bytes lost");
	}
	line("damage", info->losses > 0 ? text : "none");
}

static void
find_machines(const struct logs *logs, struct machines *out)
{
	if (!machines_find(pmon_source_schema(logs->source), out))
		memory_was_short();
}

// Print all of them, ten per line.
static void
print_machines(const struct logs *logs)
{
	struct machines found;

	find_machines(logs, &found);
	if (found.n < 2) {
		line("machine", pmon_source_info(logs->source)->machine);
		machines_free(&found);
		return;
	}
	printf("  %s%-10s%s %zu machines:", out_style(STYLE_DIM), "machine", out_style(STYLE_OFF),
	       found.n);
	for (size_t i = 0; i < found.n; i++) {
		if (i > 0 && i % 10 == 0)
			printf("\n  %-10s ", "");
		else
			putchar(' ');
		out_clean(stdout, found.list[i]);
		fputs(i + 1 < found.n ? "," : "", stdout);
	}
	putchar('\n');
	machines_free(&found);
}

static void
print_ids(const struct pmon_source_info *info)
{
	char text[256];

	for (size_t i = 0; i < info->n_machines; i++) {
		const struct pmon_machine *machine = &info->machines[i];

		(void)snprintf(text, sizeof(text), "%s%s%s", machine->id,
			       info->n_machines > 1 ? " " : "",
			       info->n_machines > 1 ? machine->name : "");
		line("machine id", text);
	}
}

static void
print_text(const struct logs *logs, const struct survey *s, const char *file)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);
	char text[64];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	printf("%s", out_style(STYLE_BOLD));
	out_clean(stdout, (struct pmon_span){file_name(file), strlen(file_name(file))});
	printf("%s\n", out_style(STYLE_OFF));
	pmon_text_str(&t, info->format);
	pmon_text_str(&t, ", ");
	put_whole(&t, info->size_bytes);
	pmon_text_str(&t, " bytes");
	line("format", text);
	line("writer", info->writer);
	line("converter", info->converter);
	print_machines(logs);
	print_ids(info);
	print_times(logs, s);
	print_counts(s);
	print_gaps(logs, s);
	print_steps(logs, s);
	print_damage(logs, s);
}

// ---- JSON -----------------------------------------------------------------------------------

static void
json_gaps(struct json *json, const struct survey *s)
{
	json_key(json, "gap_count"), json_u64(json, s->n_gaps);
	json_key(json, "gaps"), json_open(json, '[');
	for (uint64_t i = 0; i < s->n_gaps && i < SURVEY_GAPS; i++) {
		json_open(json, '{');
		json_key(json, "from"), json_time(json, s->gaps[i].from);
		json_key(json, "to"), json_time(json, s->gaps[i].to);
		json_key(json, "seconds");
		json_double(json, (double)s->gaps[i].length_100ns / PMON_TIME_PER_SEC);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
json_steps(struct json *json, const struct survey *s)
{
	json_key(json, "clock_step_count"), json_u64(json, s->n_steps);
	json_key(json, "clock_steps"), json_open(json, '[');
	for (uint64_t i = 0; i < s->n_steps && i < SURVEY_STEPS; i++) {
		json_open(json, '{');
		json_key(json, "from"), json_time(json, s->steps[i].from);
		json_key(json, "to"), json_time(json, s->steps[i].to);
		json_key(json, "seconds");
		json_double(json, (double)s->steps[i].set_100ns / PMON_TIME_PER_SEC);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
json_machines(struct json *json, const struct logs *logs)
{
	const char *machine = pmon_source_info(logs->source)->machine;
	struct machines found;

	find_machines(logs, &found);
	json_key(json, "machines"), json_open(json, '[');
	if (found.n < 2 && machine != NULL && machine[0] != '\0')
		json_str(json, machine); // the only machine, which paths do not name
	for (size_t i = 0; i < found.n && found.n > 1; i++)
		json_text(json, found.list[i]);
	json_close(json, ']');
	machines_free(&found);
}

// Only formats that account for their bytes have these numbers.
static void
json_bytes(struct json *json, const struct pmon_source_info *info)
{
	const struct {
		const char *key;
		uint64_t n;
	} fields[] = {{"bytes_used", info->bytes_used},
		      {"bytes_unused", info->bytes_unused},
		      {"bytes_damaged", info->bytes_damaged}};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		json_key(json, fields[i].key);
		if (info->bytes_used > 0)
			json_u64(json, fields[i].n);
		else
			json_none(json);
	}
}

// The key is present only if a log has ids.
static void
json_ids(struct json *json, const struct pmon_source_info *info)
{
	if (info->n_machines == 0)
		return;
	json_key(json, "machine_ids");
	json_open(json, '[');
	for (size_t i = 0; i < info->n_machines; i++) {
		json_open(json, '{');
		json_key(json, "machine"), json_str(json, info->machines[i].name);
		json_key(json, "id"), json_str(json, info->machines[i].id);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void
json_log(struct json *json, const struct logs *logs, const struct survey *s, const char *file)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);

	json_open(json, '{');
	json_key(json, "file"), json_str(json, file);
	json_key(json, "format"), json_str(json, info->format);
	json_key(json, "size_bytes"), json_u64(json, info->size_bytes);
	json_key(json, "writer"), json_str(json, info->writer);
	json_key(json, "machine"), json_str(json, info->machine);
	json_machines(json, logs);
	json_key(json, "zone"), json_str(json, info->zone);
	json_key(json, "utc_offset_min"), json_i64(json, info->utc_offset_min);
	json_key(json, "log_start"), json_time(json, info->log_start);
	json_key(json, "log_end"), json_time(json, info->log_end);
	json_key(json, "first_time"), json_time(json, s->samples > 0 ? s->first : PMON_TIME_NONE);
	json_key(json, "last_time"), json_time(json, s->samples > 0 ? s->last : PMON_TIME_NONE);
	json_key(json, "samples"), json_u64(json, s->samples);
	json_key(json, "interval_s"), json_double(json, (double)s->usual / PMON_TIME_PER_SEC);
	json_key(json, "counters"), json_u64(json, s->counters);
	json_key(json, "raw_values"), json_u64(json, s->values);
	json_gaps(json, s);
	json_key(json, "steps_back"), json_u64(json, s->steps_back);
	json_key(json, "records_unknown"), json_u64(json, info->records_unknown);
	json_key(json, "losses"), json_u64(json, info->losses);
	json_key(json, "bytes_lost"), json_u64(json, info->bytes_lost);
	json_key(json, "converter"), json_str(json, info->converter);
	json_key(json, "sampled_by_pmon"), json_bool(json, info->sampled_by_pmon);
	json_bytes(json, info);
	json_steps(json, s);
	json_ids(json, info);
	json_close(json, '}');
}

// ---- CSV ------------------------------------------------------------------------------------

static const struct out_column csv_columns[] = {
	{"file", NULL, 0, OUT_LEFT},        {"format", NULL, 0, OUT_LEFT},
	{"writer", NULL, 0, OUT_LEFT},      {"machine", NULL, 0, OUT_LEFT},
	{"first_time", NULL, 0, OUT_LEFT},  {"last_time", NULL, 0, OUT_LEFT},
	{"samples", NULL, 0, OUT_RIGHT},    {"counters", NULL, 0, OUT_RIGHT},
	{"raw_values", NULL, 0, OUT_RIGHT}, {"gap_count", NULL, 0, OUT_RIGHT},
	{"losses", NULL, 0, OUT_RIGHT},     {"bytes_lost", NULL, 0, OUT_RIGHT},
	{"converter", NULL, 0, OUT_LEFT},   {"sampled_by_pmon", NULL, 0, OUT_RIGHT},
	{"machines", NULL, 0, OUT_LEFT},
};

// All machines in one cell, separated by "; ".
static void
csv_machines(struct out *out, const struct logs *logs)
{
	const char *machine = pmon_source_info(logs->source)->machine;
	struct machines found;
	size_t size = 1;
	struct pmon_text t;
	char *buf;

	find_machines(logs, &found);
	if (found.n < 2) {
		out_str(out, machine);
		machines_free(&found);
		return;
	}
	for (size_t i = 0; i < found.n; i++)
		size += found.list[i].len + 2;
	buf = malloc(size);
	if (buf == NULL)
		memory_was_short();
	t = pmon_text_init(buf, buf != NULL ? size : 0);
	for (size_t i = 0; i < found.n; i++) {
		pmon_text_str(&t, i > 0 ? "; " : "");
		pmon_text_span(&t, found.list[i]);
	}
	out_str(out, buf);
	free(buf);
	machines_free(&found);
}

static void
csv_log(struct out *out, const struct logs *logs, const struct survey *s, const char *file)
{
	const struct pmon_source_info *info = pmon_source_info(logs->source);

	out_str(out, file);
	out_str(out, info->format);
	out_str(out, info->writer);
	out_str(out, info->machine);
	out_time(out, s->samples > 0 ? s->first : PMON_TIME_NONE);
	out_time(out, s->samples > 0 ? s->last : PMON_TIME_NONE);
	out_u64(out, s->samples);
	out_u64(out, s->counters);
	out_u64(out, s->values);
	out_u64(out, s->n_gaps);
	out_u64(out, info->losses);
	out_u64(out, info->bytes_lost);
	out_str(out, info->converter);
	out_u64(out, info->sampled_by_pmon);
	csv_machines(out, logs);
}

// ---- One file after the other ---------------------------------------------------------------

struct printer {
	struct json json;
	struct out csv;
	size_t printed;
};

static void
print_one(struct printer *p, const struct logs *logs, const struct survey *s, const char *file)
{
	if (logs->request.format == OUT_JSON)
		json_log(&p->json, logs, s, file);
	else if (logs->request.format == OUT_CSV)
		csv_log(&p->csv, logs, s, file);
	else {
		if (p->printed > 0)
			putchar('\n');
		print_text(logs, s, file);
	}
	p->printed++;
}

// Counters that so far only appear in preceding samples: no other verb shows them.
struct unshown {
	struct by_series marks; // bool
	size_t n;
};

static int
note_series(struct unshown *unshown, const struct pmon_sample *sample)
{
	if (!sample->preceding && unshown->n == 0)
		return EXIT_DONE;
	for (size_t i = 0; i < sample->n; i++) {
		bool *mark = by_series_get(&unshown->marks, sample->series[i]);

		if (mark == NULL)
			return say(EXIT_FAILED, "not enough memory");
		if (*mark == sample->preceding)
			continue;
		*mark = sample->preceding;
		unshown->n = *mark ? unshown->n + 1 : unshown->n - 1;
	}
	return EXIT_DONE;
}

static int
read_once(struct logs *logs, struct survey *s, int status)
{
	struct unshown unshown = {.marks = BY_SERIES_OF(bool)};
	const struct pmon_sample *sample;

	*s = (struct survey){.samples = 0};
	while (status == EXIT_DONE && logs_next(logs, &sample, &status)) {
		survey_add(s, sample);
		status = note_series(&unshown, sample);
	}
	by_series_free(&unshown.marks);
	if (logs->source != NULL)
		s->counters = pmon_schema_count(pmon_source_schema(logs->source)) - unshown.n;
	return status;
}

// Read the log to its end.
static int
look_through(struct logs *logs, const struct request *request, struct survey *s)
{
	int status = logs_open(logs, request);

	do
		status = read_once(logs, s, status);
	while (logs_again(logs, &status));
	survey_finish(s);
	return status;
}

static int
info_of(struct printer *p, const struct args *args, const char *file)
{
	struct request request = request_of_log(args, &file);
	struct survey *s = calloc(1, sizeof(*s));
	struct logs logs = {.source = NULL};
	int status;

	request.is_plain = request.reads_once = true;
	if (s == NULL)
		return say(EXIT_FAILED, "not enough memory");
	status = look_through(&logs, &request, s);
	if (logs.source != NULL)
		print_one(p, &logs, s, file);
	free(s);
	return logs_close(&logs, status);
}

// Combine the exit statuses of several logs: a failure outweighs damage.
static int
worse(int a, int b)
{
	if (a == EXIT_DONE || b == EXIT_DONE)
		return a == EXIT_DONE ? b : a;
	return a < b ? a : b;
}

static int
info_run(const struct args *args)
{
	struct printer p = {.json = {.stream = stdout}};
	static const struct clock utc = {.mode = CLOCK_FIXED};
	int status = EXIT_DONE;

	if (args->operands.n == 0)
		return say(EXIT_USAGE, "info: no log file given; see pmon info --help");
	if (args->format == OUT_JSON) {
		json_open(&p.json, '{');
		json_key(&p.json, "version"), json_i64(&p.json, 1);
		json_key(&p.json, "logs"), json_open(&p.json, '[');
	} else if (args->format == OUT_CSV) {
		out_begin(&p.csv, stdout, OUT_CSV, "logs", csv_columns,
			  sizeof(csv_columns) / sizeof(csv_columns[0]), &utc);
	}
	for (size_t i = 0; i < args->operands.n; i++)
		status = worse(status, info_of(&p, args, args->operands.list[i]));
	if (args->format == OUT_JSON) {
		json_close(&p.json, ']');
		json_close(&p.json, '}');
		putchar('\n');
	}
	return status;
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_tz), GROUP(options_format), GROUP(options_read), GROUP(options_table),
	OPTION_END,
};

const struct verb verb_info = {
	.name = "info",
	.operands = "FILE...",
	.summary = "describe a log: writer, machine, times, counters, gaps, damage",
	.details = "Examples:\n"
		   "  pmon info server.blg\n"
		   "  pmon info --format json *.blg\n",
	.options = options,
	.run = info_run,
	.traits = VERB_TEXTS,
	.series_bytes = 640,
};
