// formats.c - the first screen as markdown and as JSON
// SPDX-License-Identifier: MIT

#include <stdlib.h>

#include "shell/input/judged_json.h"
#include "shell/output/say.h"
#include "verbs/first/first.h"
#include "verbs/first/matrix.h"
#include "verbs/health/incidents.h"

// ---- Markdown -------------------------------------------------------------------------------

int
first_markdown(const struct first *f)
{
	bool any;
	bool good;
	int status;

	first_facts(f);
	putchar('\n');
	status = health_incidents(stdout, &f->judged, OUT_MARKDOWN, &any);
	if (any)
		putchar('\n');
	first_judged(f);
	if (f->machines.n <= 1)
		first_overview(f);
	good = f->machines.n > 1 ? first_machines(f) : first_top(f);
	return good ? status : say(EXIT_FAILED, "not enough memory");
}

// ---- JSON -----------------------------------------------------------------------------------

static void
json_log(struct json *json, const struct first *f)
{
	const struct survey *s = &f->survey;

	json_key(json, "samples"), json_u64(json, s->samples);
	json_key(json, "interval_s");
	if (s->usual > 0)
		json_double(json, (double)s->usual / PMON_TIME_PER_SEC);
	else
		json_none(json);
	json_key(json, "gaps"), json_u64(json, s->n_gaps);
	json_key(json, "damaged_places");
	json_u64(json, pmon_source_info(f->judged.logs.source)->losses);
	json_key(json, "counters");
	json_u64(json, pmon_schema_count(pmon_source_schema(f->judged.logs.input)));
	json_key(json, "counters_of_zero"), json_u64(json, filter_count_zero(f->filter));
}

static void
json_row(struct json *json, const struct first_row *row)
{
	pmon_time at;
	const struct pmon_value *extreme = first_extreme(row, &at);

	json_open(json, '{');
	json_key(json, "label"), json_str(json, row->label);
	json_path(json, row->series->name, row->series);
	json_key(json, "average"), json_value(json, &row->average);
	json_key(json, "p95"), json_value(json, &row->percentile);
	json_key(json, "extreme"), json_str(json, row->least ? "minimum" : "maximum");
	json_key(json, "worst"), json_value(json, extreme);
	json_key(json, "worst_time"), json_time(json, at);
	json_key(json, "unit"), json_str(json, out_unit(row->series));
	json_close(json, '}');
}

static void
json_overview(struct json *json, const struct first *f)
{
	struct first_row rows[FIRST_SERIES];
	size_t n = f->machines.n <= 1 ? first_rows(f, rows) : 0;

	json_key(json, "overview"), json_open(json, '[');
	for (size_t i = 0; i < n; i++)
		json_row(json, &rows[i]);
	json_close(json, ']');
}

// Of several machines.
static bool
json_each_machine(struct json *json, const struct first *f)
{
	size_t n = f->machines.n > 1 ? f->machines.n : 0;
	struct first_machine *list =
		first_matrix(&f->judged, pmon_source_schema(f->judged.logs.source), &f->machines);

	if (list == NULL)
		return false;
	json_key(json, "by_machine"), json_open(json, '[');
	for (size_t i = 0; i < n; i++) {
		json_open(json, '{');
		json_key(json, "machine"), json_text(json, list[i].name);
		json_key(json, "critical"), json_u64(json, list[i].findings[RULES_CRITICAL]);
		json_key(json, "warning"), json_u64(json, list[i].findings[RULES_WARNING]);
		json_close(json, '}');
	}
	json_close(json, ']');
	free(list);
	return true;
}

int
first_json(const struct first *f)
{
	struct json json = {.stream = stdout};
	bool good;

	json_open(&json, '{');
	json_key(&json, "version"), json_i64(&json, 1);
	good = judged_json_incidents(&json, &f->judged);
	json_log(&json, f);
	json_overview(&json, f);
	good = good && json_each_machine(&json, f);
	json_close(&json, '}');
	putchar('\n');
	return good ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}
