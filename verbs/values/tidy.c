// tidy.c - one row for each raw value, for SQL and other programs that compute
// SPDX-License-Identifier: MIT
//
// The average of any rows of a series is add + mul * sum(n) / sum(d). A row whose interval does not count has
// n = 0 and d = 0, so that sums need no condition.

#include "verbs/values/values.h"

#include <string.h>

#include "base/mem.h"
#include "path/print.h"
#include "query/identity.h"
#include "query/intervals.h"
#include "shell/input/progress.h"
#include "shell/output/say.h"
#include "shell/output/screen.h"

static const struct out_column columns[] = {
	{"time", NULL, 0, OUT_LEFT},
	{"machine", NULL, 0, OUT_LEFT},
	{"object", NULL, 0, OUT_LEFT},
	{"instance", NULL, 0, OUT_LEFT},
	{"parent", NULL, 0, OUT_LEFT},
	{"counter", NULL, 0, OUT_LEFT},
	{"path", NULL, 0, OUT_LEFT},
	{"pid", NULL, 0, OUT_RIGHT},
	{"process_start", NULL, 0, OUT_LEFT},
	{"type", NULL, 0, OUT_LEFT},
	{"value", NULL, 0, OUT_RIGHT},
	{"status", NULL, 0, OUT_LEFT},
	{"n", NULL, 0, OUT_RIGHT},
	{"d", NULL, 0, OUT_RIGHT},
	{"add", NULL, 0, OUT_RIGHT},
	{"mul", NULL, 0, OUT_RIGHT},
};

// The process of a series. Its start is that of its first row, though later samples may show it less exactly.
struct of_series {
	struct pmon_identity_who who;
	uint32_t generation;
	uint32_t life;
	bool is_known;
};

struct tidy {
	struct logs *logs;
	struct out out;
	struct pmon_statistics *statistics; // for displayed values
	struct pmon_intervals intervals;
	struct by_series of_series; // struct of_series
	char *text;                 // a name that is put together
	size_t text_cap;
};

static bool
make_room(struct tidy *t, size_t size)
{
	return pmon_mem_grow(pmon_mem_allocator(NULL), &t->text, &t->text_cap, size, 1);
}

// ---- Cells ----------------------------------------------------------------------------------

// With seven decimals, so that texts sort as their times do.
static void
put_time(struct out *out, pmon_time time)
{
	static const char decimals[] = ".0000000Z";
	char buf[PMON_TIME_SIZE + sizeof(decimals)];
	size_t len = pmon_time_iso(time, buf);
	size_t given;

	if (time == PMON_TIME_NONE) {
		out_null(out);
		return;
	}
	given = len - 1 - strcspn(buf, ".Z"); // characters of ".123"
	memcpy(buf + len - 1, decimals + given, sizeof(decimals) - given);
	out_str(out, buf);
}

static void
put_text(struct out *out, struct pmon_span text)
{
	if (text.ptr != NULL)
		out_text(out, text);
	else
		out_null(out);
}

// The path, or the instance with its number.
static bool
put_printed(struct tidy *t, size_t (*print)(const struct pmon_path *, char *, size_t),
	    const struct pmon_path *path)
{
	size_t len = print(path, NULL, 0);

	if (!make_room(t, len + 1))
		return false;
	(void)print(path, t->text, t->text_cap);
	out_text(&t->out, (struct pmon_span){t->text, len});
	return true;
}

static bool
put_instance(struct tidy *t, const struct pmon_path *path)
{
	if (path->index > 0)
		return put_printed(t, pmon_path_instance, path);
	put_text(&t->out, path->instance);
	return true;
}

static bool
put_path(struct tidy *t, const struct pmon_series *series, const struct pmon_path *path)
{
	if (path != &series->path)
		return put_printed(t, pmon_path_format, path);
	out_text(&t->out, series->name);
	return true;
}

static bool
put_names(struct tidy *t, const struct pmon_series *series)
{
	const struct pmon_path *path = pmon_series_english(series);
	struct out *out = &t->out;

	put_text(out, path->machine);
	out_text(out, path->object);
	if (!put_instance(t, path))
		return false;
	put_text(out, path->parent);
	out_text(out, path->counter);
	return put_path(t, series, path);
}

// Look again when another process has the instance.
static void
find_process(const struct pmon_identity *identity, struct of_series *of,
	     const struct pmon_series *series)
{
	struct pmon_identity_who who;
	uint32_t generation;

	if (of->life != series->life)
		of->is_known = false;
	of->life = series->life;
	if (!pmon_identity_who(identity, &series->path, &who, &generation))
		return;
	if (series->of_process && (of->is_known || who.process_id != series->process_id))
		return;
	if (of->is_known && of->generation == generation)
		return;
	of->who = who;
	of->generation = generation;
	of->is_known = true;
}

static bool
put_process(struct tidy *t, const struct pmon_series *series)
{
	const struct pmon_source *step = t->logs->identity.step;
	struct of_series *of;

	if (step == NULL || series->path.instance.ptr == NULL) {
		out_null(&t->out);
		out_null(&t->out);
		return true;
	}
	of = by_series_get(&t->of_series, series->id);
	if (of == NULL)
		return false;
	find_process((const struct pmon_identity *)step, of, series);
	if (of->is_known && of->who.process_id >= 0)
		out_i64(&t->out, of->who.process_id);
	else
		out_pid(&t->out, series);
	put_time(&t->out, of->is_known ? of->who.start : PMON_TIME_NONE);
	return true;
}

static void
put_value(struct out *out, const struct pmon_value *value)
{
	if (pmon_vstat_has_value(value->status))
		out_double(out, value->value);
	else
		out_null(out);
	out_str(out, pmon_vstat_name(value->status));
}

static void
put_operands(struct out *out, const struct pmon_increment_form *form,
	     const struct pmon_increment *row)
{
	bool counts = row->kind == PMON_INCREMENT_PAIR;

	if (counts && form->is_real)
		out_double(out, row->x);
	else
		out_i64(out, counts ? row->n : 0);
	out_i64(out, counts ? row->d : 0);
	out_double(out, form->add);
	out_double(out, form->mul);
}

// ---- Rows -----------------------------------------------------------------------------------

static bool
put_row(struct tidy *t, const struct pmon_sample *sample, size_t i, const struct pmon_value *value)
{
	const struct pmon_series *series = pmon_schema_at(t->intervals.schema, sample->series[i]);
	struct pmon_increment_form form;
	struct pmon_increment row;

	if (!pmon_intervals_next(&t->intervals, sample, i, &row, &form))
		return false;
	if (sample->preceding)
		return true;
	put_time(&t->out, sample->time);
	if (!put_names(t, series) || !put_process(t, series))
		return false;
	out_series_type(&t->out, series);
	put_value(&t->out, value);
	put_operands(&t->out, &form, &row);
	return true;
}

static int
put_sample(struct tidy *t, const struct pmon_sample *sample)
{
	const struct pmon_value *values;
	struct pmon_err err;

	if (pmon_statistics_add(t->statistics, sample, &values, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	for (size_t i = 0; i < sample->n; i++)
		if (!put_row(t, sample, i, &values[i]))
			return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

static int
put_samples(struct tidy *t)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && logs_next(t->logs, &sample, &status))
		status = put_sample(t, sample);
	if (out_end(&t->out) != EXIT_DONE)
		return EXIT_FAILED;
	if (status == EXIT_DONE)
		status = logs_check_patterns(t->logs);
	if (status == EXIT_DONE)
		logs_say_one_sample(t->logs, t->statistics);
	return status;
}

int
values_print_tidy(struct logs *logs, enum out_format format)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	struct tidy t = {.logs = logs, .of_series = BY_SERIES_OF(struct of_series)};
	struct pmon_err err;
	int status;

	if (pmon_statistics_new(schema, &logs->request.calc, NULL, &t.statistics, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	if (screen_is_there())
		progress_never();
	pmon_intervals_init(&t.intervals, schema, &logs->request.calc, NULL);
	out_begin(&t.out, stdout, format, NULL, columns, sizeof(columns) / sizeof(columns[0]),
		  &logs->clock);
	status = put_samples(&t);
	pmon_statistics_free(t.statistics);
	pmon_intervals_free(&t.intervals);
	by_series_free(&t.of_series);
	pmon_mem_free(pmon_mem_allocator(NULL), t.text, t.text_cap);
	return status;
}
