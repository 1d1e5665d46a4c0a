// trend.c - pmon trend: which counters grow or run out, and how fast
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "draw/unit.h"
#include "model/pace.h"
#include "query/display.h"
#include "query/members.h"
#include "query/trend.h"
#include "shell/args/groups.h"
#include "shell/args/verb.h"
#include "shell/input/logs.h"
#include "shell/input/picked.h"
#include "shell/output/episode.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/process/process.h"
#include "verbs/trend/levels.h"

// Smaller changes over the whole time are not listed, unless the counter was named. Growth deserves
// attention earlier than a difference between two times (draw_is_large()), because it continues: 1
// MB in an hour is 168 MB in a week.
#define LEAST_CHANGE 0.1 // share of the median, or of the distance to the limit
#define LEAST_BYTES  1048576
#define LEAST_COUNT  10
#define LEAST_SHARE  1 // of 100

struct row {
	const struct pmon_series *series;
	const struct pmon_trend *trend;
	struct pmon_trend_result result;
	double limit; // NaN: unknown
	double hours; // until the limit is reached; NaN: unknown, or never
	// over the whole time, as a share of the median or of the distance to the limit
	double change;
};

struct trends {
	const struct args *args;
	struct logs logs;
	struct picked picked;
	struct pmon_members members;
	struct by_series series; // struct pmon_trend
	struct pmon_values values;
	struct pmon_paces paces;
	size_t seen; // series of the schema examined so far
	size_t looked_at;
	struct row *rows;
	size_t n;
};

static const struct out_column columns[] = {
	{"path", NULL, 0, OUT_LEFT},
	{"pid", NULL, 0, OUT_RIGHT},
	{"slope_per_hour", NULL, 0, OUT_RIGHT},
	{"unit", NULL, 0, OUT_LEFT},
	{"significance", NULL, 0, OUT_RIGHT},
	{"monotone", NULL, 0, OUT_RIGHT},
	{"first", NULL, 0, OUT_RIGHT},
	{"last", NULL, 0, OUT_RIGHT},
	{"limit", NULL, 0, OUT_RIGHT},
	{"hours_to_limit", NULL, 0, OUT_RIGHT},
};

static const struct out_column text_columns[] = {
	{"slope_per_hour", "Per hour", 0, OUT_RIGHT},
	{"first", "First", 0, OUT_RIGHT},
	{"last", "Last", 0, OUT_RIGHT},
	{"monotone", "Monotone", 0, OUT_RIGHT},
	{"limit", "Limit", 0, OUT_RIGHT},
	{"hours_to_limit", "Reached in", 0, OUT_RIGHT},
	{"path", "Counter", 0, OUT_LEFT},
};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

// ---- Reading --------------------------------------------------------------------------------

// Did the user name counters? Then both directions are shown, and also counters that cannot leak.
static bool
are_named(const struct trends *t)
{
	return request_has_patterns(&t->logs.request);
}

static bool
ranks(const struct trends *t, const struct pmon_series *series)
{
	return pmon_members_ranks(&t->members, series) || patterns_rank(&t->logs.patterns, series);
}

static bool
may_be_listed(const struct trends *t, const struct pmon_series *series)
{
	return pmon_select_shows(t->logs.patterns.select, series) && ranks(t, series) &&
	       (are_named(t) || levels_can_leak(series));
}

// A limit is read together with the counters that it limits.
static bool
is_wanted(const struct trends *t, const struct pmon_series *series)
{
	return may_be_listed(t, series) ||
	       pmon_text_match(PMON_SPAN("*Limit*"), pmon_series_english(series)->counter);
}

static bool
pick_new(struct trends *t)
{
	const struct pmon_schema *schema = pmon_source_schema(t->logs.source);

	if (!pmon_members_learn(&t->members, schema))
		return false;
	for (; t->seen < pmon_schema_count(schema); t->seen++)
		if (is_wanted(t, pmon_schema_at(schema, t->seen)) &&
		    !picked_add(&t->picked, (uint32_t)t->seen))
			return false;
	return true;
}

static bool
add_values(struct trends *t, const struct pmon_sample *sample, const struct pmon_value *values)
{
	struct pmon_sample on_axis;

	if (!pmon_paces_axis(&t->paces, sample, &on_axis))
		return false;
	if (sample->preceding)
		return true;
	for (size_t i = 0; i < sample->n; i++) {
		struct pmon_trend *trend;

		if (!pmon_vstat_has_value(values[i].status))
			continue;
		trend = by_series_get(&t->series, sample->series[i]);
		if (trend == NULL || !pmon_trend_add(trend, NULL, on_axis.time, values[i].value))
			return false;
	}
	return true;
}

static bool
add_sample(struct trends *t, const struct pmon_sample *sample)
{
	const struct pmon_value *values;
	struct pmon_err err;

	if (!pick_new(t))
		return false;
	sample = picked_of(&t->picked, sample);
	return sample != NULL && pmon_values_add(&t->values, sample, &values, &err) == PMON_OK &&
	       add_values(t, sample, values);
}

static int
read_all(struct trends *t)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	pmon_values_init(&t->values, pmon_source_schema(t->logs.source), &t->args->calc, NULL);
	while (logs_next(&t->logs, &sample, &status))
		if (!add_sample(t, sample))
			return say(EXIT_FAILED, "not enough memory");
	return status;
}

// ---- Limits ---------------------------------------------------------------------------------

// The newest value of the counter with this name for the same instance.
static double
value_beside(const struct trends *t, const struct pmon_series *series, const char *counter)
{
	const struct pmon_schema *schema = pmon_source_schema(t->logs.source);
	struct pmon_path path = *pmon_series_english(series);

	path.counter = (struct pmon_span){counter, strlen(counter)};
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_trend *trend = by_series_find(&t->series, i);

		if (trend != NULL && trend->values > 0 &&
		    pmon_path_same(pmon_series_english(pmon_schema_at(schema, i)), &path))
			return trend->last;
	}
	return NAN;
}

static void
find_limit(const struct trends *t, struct row *row)
{
	const char *counter;
	double ahead;

	row->limit = row->hours = NAN;
	if (!levels_limit(row->series, &row->limit, &counter))
		return;
	if (counter != NULL)
		row->limit = value_beside(t, row->series, counter);
	ahead = (row->limit - row->trend->last) / row->result.whole.slope;
	if (isfinite(ahead) && ahead > 0)
		row->hours = ahead;
}

// ---- Rows -----------------------------------------------------------------------------------

static double
whole_change(const struct row *row)
{
	double hours = (double)(row->trend->last_time - row->trend->first_time) /
		       (3600.0 * PMON_TIME_PER_SEC);

	return fabs(row->result.whole.slope) * hours;
}

// The change over the whole time relative to the median or to the distance to the limit, whichever
// is larger.
static double
change_of(const struct row *row)
{
	double base = fabs(row->result.level);

	if (!isnan(row->hours))
		base = fmin(base, fabs(row->limit - row->trend->last));
	return base > 0 ? whole_change(row) / base : HUGE_VAL;
}

static bool
grows_enough(const struct row *row)
{
	struct draw_unit unit = draw_unit_of(row->series);
	double change = whole_change(row) * unit.factor;

	switch (unit.quantity) {
	case DRAW_BYTES:
		return change >= LEAST_BYTES;
	case DRAW_COUNT:
		return change >= LEAST_COUNT;
	case DRAW_PERCENT:
		return change >= LEAST_SHARE;
	default:
		return true;
	}
}

static bool
goes_the_bad_way(const struct row *row)
{
	return levels_counts_free(row->series) == (row->result.whole.slope < 0);
}

// pmon's own memory grows while it samples, because it keeps values.
static bool
is_own(const struct trends *t, const struct pmon_series *series)
{
	return pmon_source_info(t->logs.source)->live && t->args->sampling.replay == NULL &&
	       series->of_process && series->process_id == process_id();
}

static bool
is_shown(const struct trends *t, const struct row *row)
{
	if (!pmon_trend_lasts(row->trend, &row->result) || !(row->change >= LEAST_CHANGE))
		return false;
	if (are_named(t))
		return true;
	return goes_the_bad_way(row) && grows_enough(row) &&
	       (levels_is_resource(row->series) || row->trend->falls > 0);
}

static bool
add_row(struct trends *t, const struct pmon_series *series, const struct pmon_trend *trend)
{
	struct row row = {.series = series, .trend = trend};

	if (trend->values == 0 || !may_be_listed(t, series) || (!are_named(t) && is_own(t, series)))
		return true;
	t->looked_at++;
	if (pmon_trend_result(trend, NULL, &row.result) != PMON_OK)
		return false;
	find_limit(t, &row);
	row.change = change_of(&row);
	if (is_shown(t, &row))
		t->rows[t->n++] = row;
	return true;
}

static bool
is_same_instance(const struct pmon_series *a, const struct pmon_series *b)
{
	struct pmon_path path = a->path;

	path.counter = b->path.counter;
	return a->process_id == b->process_id && a->thread_id == b->thread_id &&
	       pmon_path_same(&path, &b->path);
}

// Does another row represent the same, better?
static bool
is_stood_for(const struct trends *t, const struct row *row)
{
	struct levels_choice own = levels_choice(row->series);

	for (size_t i = 0; own.group > 0 && i < t->n; i++) {
		struct levels_choice other = levels_choice(t->rows[i].series);

		if (other.group == own.group && other.order < own.order &&
		    is_same_instance(t->rows[i].series, row->series))
			return true;
	}
	return false;
}

static bool
drop_repetitions(struct trends *t)
{
	bool *dropped = calloc(t->n + 1, sizeof(*dropped));
	size_t n = 0;

	if (dropped == NULL)
		return false;
	for (size_t i = 0; i < t->n; i++)
		dropped[i] = is_stood_for(t, &t->rows[i]);
	for (size_t i = 0; i < t->n; i++)
		if (!dropped[i])
			t->rows[n++] = t->rows[i];
	t->n = n;
	free(dropped);
	return true;
}

static int
worst_first(const void *a, const void *b)
{
	const struct row *x = a;
	const struct row *y = b;

	if (x->change != y->change)
		return x->change > y->change ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

static int
rank(struct trends *t)
{
	const struct pmon_schema *schema = pmon_source_schema(t->logs.source);
	bool good;

	t->rows = calloc(pmon_schema_count(schema) + 1, sizeof(*t->rows));
	good = t->rows != NULL;
	for (size_t i = 0; good && i < t->series.n; i++)
		good = add_row(t, pmon_schema_at(schema, i), by_series_find(&t->series, i));
	if (!good || (!are_named(t) && !drop_repetitions(t)))
		return say(EXIT_FAILED, "not enough memory");
	qsort(t->rows, t->n, sizeof(*t->rows), worst_first);
	return EXIT_DONE;
}

// ---- Output ---------------------------------------------------------------------------------

static struct pmon_value
a_value(double value)
{
	return (struct pmon_value){value, isfinite(value) ? PMON_V_OK : PMON_V_NOT_FINITE,
				   PMON_POLICY_DEFAULT};
}

static void
put_quantity(struct out *out, const struct row *row, double number)
{
	struct pmon_value value = a_value(number);

	if (isfinite(number))
		out_quantity(out, row->series, &value);
	else
		out_null(out);
}

// Round to hours above a day, and to minutes above an hour: it is an estimate.
static void
put_hours(struct out *out, double hours)
{
	const int64_t minute = 60 * PMON_TIME_PER_SEC;
	int64_t unit = hours >= 24 ? 60 * minute : hours >= 1 ? minute : PMON_TIME_PER_SEC;

	if (isnan(hours))
		out_null(out);
	else if (hours > 24 * 365)
		out_str(out, "over a year");
	else
		out_length(out, (int64_t)(hours * 60 * (double)minute / (double)unit + 0.5) * unit);
}

static void
put_share(struct out *out, double share)
{
	char text[16];

	// A negative zero becomes 0.
	(void)snprintf(text, sizeof(text), "%.0f %%", round(100 * share) + 0.0);
	out_str(out, text);
}

static void
put_text_row(const struct trends *t, struct out *out, const struct row *row)
{
	put_quantity(out, row, row->result.whole.slope);
	put_quantity(out, row, row->trend->first);
	put_quantity(out, row, row->trend->last);
	put_share(out, row->result.monotone);
	put_quantity(out, row, row->limit);
	put_hours(out, row->hours);
	out_text(out, naming_path(&t->logs.naming, row->series));
}

static void
put_row(struct out *out, const struct row *row)
{
	out_path(out, row->series->name, row->series);
	out_pid(out, row->series);
	out_double(out, row->result.whole.slope);
	out_str(out, out_unit(row->series));
	out_double(out, row->result.whole.significance);
	out_double(out, row->result.monotone);
	out_double(out, row->trend->first);
	out_double(out, row->trend->last);
	out_double(out, row->limit);
	out_double(out, row->hours);
}

static int
print_trends(struct trends *t)
{
	bool as_text = t->args->format == OUT_TEXT;
	struct out out;

	if (as_text && t->n == 0)
		return EXIT_DONE;
	if (as_text) {
		logs_hide_machine(&t->logs);
		logs_print_heading(&t->logs);
	}
	out_begin(&out, stdout, t->args->format, "series", as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS : N_COLUMNS, &t->logs.clock);
	out.used = &t->logs.used;
	for (size_t i = 0; i < args_rows(t->args, t->n); i++)
		if (as_text)
			put_text_row(t, &out, &t->rows[i]);
		else
			put_row(&out, &t->rows[i]);
	return out_end(&out);
}

// Having no rows is a result too, so print what was examined.
static void
say_none(const struct trends *t)
{
	if (t->n == 0 && t->looked_at > 0)
		say(0, "none of %zu counter%s %s from beginning to end", t->looked_at,
		    pmon_text_word(t->looked_at, "", "s"),
		    are_named(t) ? "changed in one direction" : "got worse");
}

static int
finish(struct trends *t, int status)
{
	for (size_t i = 0; i < t->series.n; i++)
		pmon_trend_free(by_series_find(&t->series, i), NULL);
	by_series_free(&t->series);
	picked_free(&t->picked);
	pmon_members_free(&t->members);
	pmon_values_free(&t->values);
	pmon_paces_free(&t->paces);
	free(t->rows);
	return logs_close(&t->logs, status);
}

static int
trend_run(const struct args *args)
{
	struct trends t = {
		.args = args, .picked = PICKED, .series = BY_SERIES_OF(struct pmon_trend)};
	struct request request = request_from(args);
	int status;

	request.by_process |= args->identity == IDENTITY_PROCESS;
	request.also = levels_limits;
	status = logs_open(&t.logs, &request);
	if (status == EXIT_DONE)
		status = read_all(&t);
	if (status == EXIT_DONE)
		status = logs_check_patterns(&t.logs);
	if (status == EXIT_DONE)
		status = rank(&t);
	if (status == EXIT_DONE)
		status = print_trends(&t);
	if (status == EXIT_DONE)
		say_none(&t);
	return finish(&t, status);
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select), GROUP(options_window),   GROUP(options_limit),
	GROUP(options_format), GROUP(options_analysis), OPTION_END,
};

const struct verb verb_trend = {
	.name = "trend",
	.operands = "[FILE...]",
	.summary = "find leaks: counters that grow or run out, and how fast",
	.details = "Lists gauges, such as handles, private bytes or free space, that got "
		   "steadily\nworse over the log, largest change first. A process that grows only "
		   "in its first\nminutes is not listed: the second half must grow too. -c chooses "
		   "counters of any\nkind; they are listed if they rise or fall.\n\nThe slope is "
		   "the median of the slopes between all pairs of at most 120 points\n(Theil-Sen). "
		   "Monotone is the share of changes from sample to sample that go in\nthe same "
		   "direction as the slope. \"Reached in\" is the time until a known limit\nis "
		   "reached.\n\nExamples:\n  pmon trend server.blg\n  pmon trend -c "
		   "'\\Process(w3wp*)\\Handle Count' monday.blg tuesday.blg\n  pmon trend --from "
		   "10:30 --format json server.blg\n  pmon trend --interval 10s --duration 1h      "
		   "    this machine, for an hour\n",
	.options = options,
	.run = trend_run,
	.live = LIVE_MINUTE,
};
