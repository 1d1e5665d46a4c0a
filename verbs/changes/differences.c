// differences.c - series at two times, ranked by how much they differ
// SPDX-License-Identifier: MIT

#include "verbs/changes/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "shell/args/verb.h"
#include "shell/input/judged_json.h"
#include "shell/output/episode.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "draw/unit.h"
#include "shell/output/changed_json.h"

static const struct out_column columns[] = {
	{"path", NULL, 0, OUT_LEFT},
	{"pid", NULL, 0, OUT_RIGHT},
	{"before_average", NULL, 0, OUT_RIGHT},
	{"before_p95", NULL, 0, OUT_RIGHT},
	{"after_average", NULL, 0, OUT_RIGHT},
	{"after_p95", NULL, 0, OUT_RIGHT},
	{"factor", NULL, 0, OUT_RIGHT},
	{"effect", NULL, 0, OUT_RIGHT},
	{"unit", NULL, 0, OUT_LEFT},
	{"before_p99", NULL, 0, OUT_RIGHT},
	{"after_p99", NULL, 0, OUT_RIGHT},
	{"before_outside", NULL, 0, OUT_RIGHT},
	{"after_outside", NULL, 0, OUT_RIGHT},
};

static const struct out_column text_columns[] = {
	{"before_average", "Before", 0, OUT_RIGHT}, {"after_average", "After", 0, OUT_RIGHT},
	{"factor", "Factor", 0, OUT_RIGHT},         {"before_p95", "p95 before", 0, OUT_RIGHT},
	{"after_p95", "p95 after", 0, OUT_RIGHT},   {"before_p99", "p99 before", 0, OUT_RIGHT},
	{"after_p99", "p99 after", 0, OUT_RIGHT},   {"after_outside", "Unusual", 0, OUT_RIGHT},
	{"effect", "Effect", 0, OUT_RIGHT},         {"path", "Counter", 0, OUT_LEFT},
};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

// ---- Reading --------------------------------------------------------------------------------

int
differences_open(struct differences *d, enum time_side side, const struct logs *logs)
{
	struct pmon_err err;

	d->logs[side] = logs;
	d->changed.named = d->args->patterns.n + d->args->pattern_files.n > 0;
	if (pmon_statistics_new(pmon_source_schema(logs->source), &logs->request.calc, NULL,
				&d->statistics[side], &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	pmon_statistics_keep(d->statistics[side], PMON_KEEP_PERCENTILES);
	return EXIT_DONE;
}

int
differences_add(struct differences *d, enum time_side side, const struct pmon_sample *sample,
		const struct pmon_value **values)
{
	struct pmon_err err;

	d->changed.samples[side] += !sample->preceding;
	pmon_used_add(&d->used, sample);
	if (pmon_statistics_add(d->statistics[side], sample, values, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

// ---- Pairs ----------------------------------------------------------------------------------

bool
differences_is_wanted(const struct differences *d, const struct pmon_series *series)
{
	return changed_is_wanted(&d->changed, series);
}

bool
differences_has(const struct differences *d, enum time_side side, const struct pmon_series *series)
{
	const struct pmon_stats *stats = pmon_statistics_at(d->statistics[side], series->id);

	return stats != NULL && pmon_vstat_has_value(stats->minimum.status);
}

static bool
ranks(const struct differences *d, enum time_side side, const struct pmon_series *series)
{
	return series != NULL && (pmon_members_ranks(&d->members[side], series) ||
				  patterns_rank(&d->logs[side]->patterns, series));
}

static bool
learn_members(struct differences *d)
{
	for (int side = BEFORE; side <= AFTER; side++)
		if (!pmon_members_learn(&d->members[side],
					pmon_source_schema(d->logs[side]->source)))
			return false;
	return true;
}

int
differences_pair(struct differences *d, const struct pmon_series *before,
		 const struct pmon_series *after)
{
	if (!learn_members(d))
		return say(EXIT_FAILED, "not enough memory");
	if (!ranks(d, BEFORE, before) && !ranks(d, AFTER, after))
		return EXIT_DONE;
	if (before == NULL || after == NULL) {
		d->unpaired[before == NULL ? AFTER : BEFORE]++;
		return EXIT_DONE;
	}
	if (!changed_add(&d->changed, after, d->statistics[BEFORE], before->id,
			 d->statistics[AFTER], after->id))
		return say(EXIT_FAILED, "not enough memory");
	return EXIT_DONE;
}

// ---- Output ---------------------------------------------------------------------------------

static void
put_times(struct out *out, double factor, const char *unit)
{
	char text[32];

	(void)snprintf(text, sizeof(text), fabs(factor) >= 100 ? "%.0f%s" : "%.3g%s", factor, unit);
	if (isfinite(factor))
		out_str(out, text);
	else
		out_null(out);
}

static void
put_text_row(const struct logs *logs, struct out *out, const struct changed_row *row)
{
	out_quantity(out, row->series, &row->average[BEFORE]);
	out_quantity(out, row->series, &row->average[AFTER]);
	put_times(out, row->factor, "x");
	out_quantity(out, row->series, &row->p95[BEFORE]);
	out_quantity(out, row->series, &row->p95[AFTER]);
	out_quantity(out, row->series, &row->p99[BEFORE]);
	out_quantity(out, row->series, &row->p99[AFTER]);
	put_times(out, 100 * row->outside[AFTER], " %");
	put_times(out, row->comparison.effect, "");
	out_text(out, naming_path(&logs->naming, row->series));
}

static void
put_row(struct out *out, const struct changed_row *row)
{
	const struct pmon_counter_type *type = pmon_series_type(row->series);

	out_path(out, row->series->name, row->series);
	out_pid(out, row->series);
	for (int side = BEFORE; side <= AFTER; side++) {
		out_value(out, type, &row->average[side]);
		out_value(out, type, &row->p95[side]);
	}
	out_double(out, row->factor);
	out_double(out, row->comparison.effect);
	out_str(out, out_unit(row->series));
	for (int side = BEFORE; side <= AFTER; side++)
		out_value(out, type, &row->p99[side]);
	for (int side = BEFORE; side <= AFTER; side++)
		out_double(out, row->outside[side]);
}

static void
json_row(struct json *json, const struct changed_row *row)
{
	json_open(json, '{');
	json_path(json, row->series->name, row->series);
	json_key(json, "pid");
	if (row->series->of_process && row->series->process_id >= 0)
		json_i64(json, row->series->process_id);
	else
		json_none(json);
	changed_json(json, row);
	json_key(json, "unit"), json_str(json, out_unit(row->series));
	json_close(json, '}');
}

// The incidents of each log.
static bool
json_logs(struct json *json, const struct differences *d)
{
	static const char *const sides[] = {"before", "after"};
	bool good = true;

	json_key(json, "logs"), json_open(json, '{');
	for (int side = BEFORE; side <= AFTER; side++) {
		json_key(json, sides[side]), json_open(json, '{');
		good = judged_json_incidents(json, d->judged[side]) && good;
		json_close(json, '}');
	}
	json_close(json, '}');
	return good;
}

static int
print_json(const struct differences *d)
{
	struct json json = {.stream = stdout};
	bool good;

	json_open(&json, '{');
	json_key(&json, "version"), json_i64(&json, 1);
	json_key(&json, "series"), json_open(&json, '[');
	for (size_t i = 0; i < args_rows(d->args, d->changed.n); i++)
		json_row(&json, &d->changed.rows[i]);
	json_close(&json, ']');
	json_used(&json, &d->used);
	good = d->judged[AFTER] == NULL || json_logs(&json, d);
	json_close(&json, '}');
	putchar('\n');
	return good ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

static int
print_table(const struct differences *d, struct logs *logs)
{
	bool as_text = out_is_for_people(d->args->format);
	struct out out;

	if (as_text && d->changed.n == 0)
		return EXIT_DONE;
	if (as_text) {
		logs_hide_machine(logs);
		logs_print_heading(logs);
	}
	out_begin(&out, stdout, d->args->format, "series", as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS : N_COLUMNS, &logs->clock);
	for (size_t i = 0; i < args_rows(d->args, d->changed.n); i++)
		if (as_text)
			put_text_row(logs, &out, &d->changed.rows[i]);
		else
			put_row(&out, &d->changed.rows[i]);
	return out_end(&out);
}

// Having no rows is a result too, so print what was compared.
static void
say_others(const struct differences *d, const char *what)
{
	if (d->changed.n == 0 && d->changed.compared > 0)
		say(0, "none of %zu counter%s %s by at least a fifth and %d times its noise",
		    d->changed.compared, pmon_text_word(d->changed.compared, "", "s"), what,
		    CHANGED_LEAST_EFFECT);
	if (d->unpaired[BEFORE] + d->unpaired[AFTER] > 0)
		say(0, "counters with values on one side only: %zu before, %zu after",
		    d->unpaired[BEFORE], d->unpaired[AFTER]);
}

int
differences_print(struct differences *d, struct logs *logs, const char *what)
{
	int status;

	for (int side = BEFORE; side <= AFTER; side++)
		if (d->changed.samples[side] < CHANGED_FEWEST)
			return say(EXIT_FAILED, "%s: %llu sample%s %s; %d are needed",
				   d->args->verb->name,
				   (unsigned long long)d->changed.samples[side],
				   pmon_text_word(d->changed.samples[side], "", "s"),
				   side == BEFORE ? "before" : "after", CHANGED_FEWEST);
	changed_rank(&d->changed);
	status = d->args->format == OUT_JSON ? print_json(d) : print_table(d, logs);
	if (status == EXIT_DONE)
		say_others(d, what);
	return status;
}

void
differences_free(struct differences *d)
{
	for (int side = BEFORE; side <= AFTER; side++) {
		pmon_statistics_free(d->statistics[side]);
		pmon_members_free(&d->members[side]);
	}
	changed_free(&d->changed);
}
