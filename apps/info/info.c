// info.c - pmon info: what a log is
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/output/number.h"
#include "base/time.h"
#include "cli/input/logs.h"
#include "cli/input/survey.h"
#include "cli/output/say.h"
#include "cli/process/memory.h"
#include "text/machines.h"

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
	pmon_text_str(&t, logs->clock.mode == CLOCK_LOCAL ? "local time" : offset);
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
		out_put_length(&t, s->gaps[i].to - s->gaps[i].from);
		line("gap", text);
	}
	if (s->n_gaps > SURVEY_GAPS) {
		char number[DRAW_NUMBER];

		(void)out_count(s->n_gaps - SURVEY_GAPS, number, sizeof(number));
		printf("  %-10s %s more gaps\n", "", number);
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
		pmon_text_str(&t, " samples are earlier than the one before");
		line("clock", text);
	}
	t = pmon_text_init(text, sizeof(text));
	if (info->records_unknown > 0) {
		put_whole(&t, info->records_unknown);
		pmon_text_str(&t, " records of unknown kinds were skipped");
		line("unknown", text);
	}
	t = pmon_text_init(text, sizeof(text));
	put_whole(&t, info->losses);
	pmon_text_str(&t, info->losses == 1 ? " place" : " places");
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

// All of them, ten on a line.
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
		json_str(json, machine); // one machine, which no path names
	for (size_t i = 0; i < found.n && found.n > 1; i++)
		json_text(json, found.list[i]);
	json_close(json, ']');
	machines_free(&found);
}

// Only logs that have ids get the key.
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

// All machines in one cell, with "; " between them.
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
	if (logs->args->format == OUT_JSON)
		json_log(&p->json, logs, s, file);
	else if (logs->args->format == OUT_CSV)
		csv_log(&p->csv, logs, s, file);
	else {
		if (p->printed > 0)
			putchar('\n');
		print_text(logs, s, file);
	}
	p->printed++;
}

// Read the log to its end.
static int
look_through(struct logs *logs, const struct args *args, struct survey *s)
{
	const struct pmon_sample *sample;
	int status = logs_open_once(logs, args, true);

	do {
		*s = (struct survey){.samples = 0};
		while (status == EXIT_DONE && logs_next(logs, &sample, &status))
			survey_add(s, sample);
	} while (logs_again(logs, &status));
	survey_finish(s);
	if (logs->source != NULL)
		s->counters = pmon_schema_count(pmon_source_schema(logs->source));
	return status;
}

static int
info_of(struct printer *p, const struct args *args, const char *file)
{
	struct args one = *args;
	struct survey *s = calloc(1, sizeof(*s));
	struct logs logs = {.source = NULL};
	int status;

	one.operands = (struct words){.list = &file, .n = 1, .cap = 1};
	if (s == NULL)
		return say(EXIT_FAILED, "not enough memory");
	status = look_through(&logs, &one, s);
	if (logs.source != NULL)
		print_one(p, &logs, s, file);
	free(s);
	return logs_close(&logs, status);
}

// The exit status of several: a failure outweighs damage.
static int
worse(int a, int b)
{
	if (a == EXIT_DONE || b == EXIT_DONE)
		return a == EXIT_DONE ? b : a;
	return a < b ? a : b;
}

int
info_run(const struct args *args)
{
	struct printer p = {.json = {.stream = stdout}};
	static const struct clock utc = {CLOCK_FIXED, 0};
	int status = EXIT_DONE;

	if (args->operands.n == 0)
		return say(EXIT_USAGE, "info: name a log file; see pmon info --help");
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
