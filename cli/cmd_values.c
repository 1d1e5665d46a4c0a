// cmd_values.c - pmon values: the displayed values over time
// SPDX-License-Identifier: MIT
//
// JSON and text stream value by value. CSV is a table with a column for each counter, in the form that
// Windows writes, so the counters are looked up in a first pass.

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/time.h"
#include "cli.h"
#include "os/term.h"

static const struct out_column columns[] = {
	{"path", NULL, 0, OUT_LEFT},   {"time", NULL, 0, OUT_LEFT}, {"value", NULL, 0, OUT_RIGHT},
	{"status", NULL, 0, OUT_LEFT}, {"unit", NULL, 0, OUT_LEFT},
};

static const struct out_column text_columns[] = {
	{"time", "Time", 23, OUT_LEFT},   {"value", "Value", 14, OUT_RIGHT},
	{"unit", "Unit", 4, OUT_LEFT},    {"status", "Status", 17, OUT_LEFT},
	{"path", "Counter", 0, OUT_LEFT},
};

#define N_COLUMNS 5

struct values {
	struct logs logs;
	struct pmon_statistics *statistics;
	const struct pmon_value *value; // of the newest sample
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

// ---- Value by value -------------------------------------------------------------------------

static void
put_value(struct values *v, struct out *out, const struct pmon_series *series, pmon_time time,
	  const struct pmon_value *value)
{
	const char *status = pmon_vstat_name(value->status);

	if (v->logs.args->format == OUT_JSON) {
		out_text(out, series->name);
		out_time(out, time);
		out_value(out, value);
		out_str(out, status);
		out_str(out, out_unit(series));
		return;
	}
	out_time(out, time);
	out_value(out, value);
	out_str(out, out_unit(series));
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
		  N_COLUMNS, &v->logs.clock);
	while (next(v, &sample, &status))
		for (size_t i = 0; i < sample->n; i++)
			put_value(v, &out, pmon_schema_at(schema, sample->series[i]),
				  sample->raw[i].time, &v->value[i]);
	if (out_end(&out) != EXIT_DONE)
		status = EXIT_FAILED;
	return status;
}

// ---- The table of PDH-CSV -------------------------------------------------------------------

#define NO_CELL SIZE_MAX

// Which value of a sample stands in which column.
struct table {
	const struct pmon_series **list; // the columns
	size_t n;
	size_t *cell;   // column -> place in the sample, NO_CELL where it has none
	size_t *column; // series -> column
};

static int
make_table(struct values *v, struct table *t)
{
	t->list = logs_series(&v->logs, &t->n);
	t->cell = calloc(t->n + 1, sizeof(*t->cell));
	t->column = calloc(t->n + 1, sizeof(*t->column));
	if (t->list == NULL || t->cell == NULL || t->column == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < t->n; i++)
		t->column[t->list[i]->id] = i;
	return EXIT_DONE;
}

static void
free_table(struct table *t)
{
	free(t->list);
	free(t->cell);
	free(t->column);
}

static void
quoted(struct pmon_span text)
{
	putchar('"');
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '"')
			putchar('"');
		putchar(text.ptr[i]);
	}
	putchar('"');
}

// The zone's name is the log's own; with another clock asked for, the offset is the name.
static void
print_header(const struct values *v, const struct table *t, pmon_time first)
{
	const struct clock *clock = &v->logs.clock;
	int32_t offset_min = clock_offset(clock, first);
	char offset[PMON_TIME_SIZE];

	pmon_time_offset(offset_min, offset);
	printf("\"(PDH-CSV 4.0) (%s)(%ld)\"",
	       clock->mode == CLOCK_LOG ? pmon_source_info(v->logs.source)->zone
	       : offset_min == 0        ? "UTC"
					: offset,
	       -(long)offset_min);
	for (size_t i = 0; i < t->n; i++) {
		putchar(',');
		quoted(t->list[i]->name);
	}
	fputs("\n", stdout);
}

static void
print_row(const struct values *v, const struct table *t, const struct pmon_sample *sample)
{
	int32_t offset_min = v->logs.clock.mode == CLOCK_LOG
				     ? sample->utc_offset_min
				     : clock_offset(&v->logs.clock, sample->time);
	char buf[PMON_TIME_SIZE];

	for (size_t i = 0; i < t->n; i++)
		t->cell[i] = NO_CELL;
	for (size_t i = 0; i < sample->n; i++)
		t->cell[t->column[sample->series[i]]] = i;
	pmon_time_pdh(sample->time, offset_min, buf);
	printf("\"%s\"", buf);
	for (size_t i = 0; i < t->n; i++) {
		const struct pmon_value *value =
			t->cell[i] != NO_CELL ? &v->value[t->cell[i]] : NULL;

		if (value != NULL && pmon_vstat_has_value(value->status))
			pmon_num_pdh(value->value, 17, buf);
		else
			memcpy(buf, " ", 2);
		printf(",\"%s\"", buf);
	}
	fputs("\n", stdout);
}

// The first pass: every counter is known behind it, and the time of the first sample.
static int
look_ahead(struct values *v, pmon_time *first)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	*first = 0;
	while (logs_next(&v->logs, &sample, &status))
		if (*first == 0)
			*first = sample->time;
	if (status != EXIT_DONE)
		return status;
	return logs_rewind(&v->logs);
}

static int
print_table(struct values *v)
{
	const struct pmon_sample *sample;
	struct table t = {.list = NULL};
	pmon_time first;
	int status = look_ahead(v, &first);

	if (status == EXIT_DONE)
		status = logs_check_patterns(&v->logs);
	if (status == EXIT_DONE)
		status = begin(v);
	if (status == EXIT_DONE)
		status = make_table(v, &t);
	if (status == EXIT_DONE) {
		if (pmon_term_is_tty(true))
			progress_never();
		print_header(v, &t, first);
		while (next(v, &sample, &status))
			print_row(v, &t, sample);
	}
	free_table(&t);
	return status;
}

int
cmd_values(const struct args *args)
{
	struct values v = {.statistics = NULL};
	int status = logs_open(&v.logs, args);

	if (status == EXIT_DONE && args->format == OUT_CSV) {
		status = print_table(&v);
	} else if (status == EXIT_DONE) {
		status = print_stream(&v);
		if (status == EXIT_DONE)
			status = logs_check_patterns(&v.logs);
	}
	pmon_statistics_free(v.statistics);
	return logs_close(&v.logs, status);
}
