// rows.c - the rows of pmon stats: one per series or group
// SPDX-License-Identifier: MIT

#include "verbs/stats/rows.h"

#include <stdlib.h>
#include <string.h>

#include "verbs/stats/by.h"
#include "base/mem.h"
#include "base/utf.h"
#include "shell/output/say.h"
#include "draw/unit.h"
#include "query/statistics.h"

// ---- --where --------------------------------------------------------------------------------

static const char *const fields[] = {"last", "average", "minimum", "maximum", "samples", "invalid"};
#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

enum op {
	LESS,
	LESS_EQUAL,
	GREATER,
	GREATER_EQUAL,
	EQUAL,
	UNEQUAL
};

#define SAMPLES 4 // the first field that is not a displayed value

struct condition {
	size_t field;
	enum op op;
	struct draw_threshold limit;
};

static bool
parse_op(const char **text, struct condition *out)
{
	static const char *const ops[] = {"<", "<=", ">", ">=", "=", "!="};
	size_t best = 0;

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		size_t len = strlen(ops[i]);

		if (len <= best || strncmp(*text, ops[i], len) != 0)
			continue;
		best = len;
		out->op = (enum op)i;
	}
	*text += best;
	return best > 0;
}

// "average>50", "maximum>20ms"
static bool
parse_condition(const char *text, struct condition *out)
{
	size_t len = strcspn(text, "<>=! ");

	for (out->field = 0; out->field < N_FIELDS; out->field++)
		if (strlen(fields[out->field]) == len &&
		    strncmp(fields[out->field], text, len) == 0)
			break;
	text += len;
	text += strspn(text, " ");
	if (out->field == N_FIELDS || !parse_op(&text, out))
		return false;
	text += strspn(text, " ");
	return draw_threshold_parse(text, &out->limit);
}

static bool
value_of(const struct stats_row *row, size_t field, double *out)
{
	const struct pmon_stats *stats = row->stats;
	struct pmon_value average = stats_row_average(row);
	struct pmon_value last = stats_row_value(row, &stats->last);
	struct pmon_value minimum = stats_row_value(row, &stats->minimum);
	struct pmon_value maximum = stats_row_value(row, &stats->maximum);
	const struct pmon_value *values[] = {&last, &average, &minimum, &maximum};

	if (field >= SAMPLES) {
		*out = (double)(field == SAMPLES ? pmon_stats_samples(stats)
						 : stats_row_invalid(row));
		return true;
	}
	*out = values[field]->value;
	return pmon_vstat_has_value(values[field]->status);
}

// Does the unit of a condition fit the row? A number without a unit is compared with displayed
// values.
static bool
is_of_unit(const struct condition *condition, const struct stats_row *row)
{
	return condition->limit.any || condition->field >= SAMPLES ||
	       draw_unit_of(row->series).quantity == condition->limit.quantity;
}

static bool
holds(const struct condition *condition, const struct stats_row *row)
{
	double limit = condition->limit.value;
	double value;

	if (!is_of_unit(condition, row) || !value_of(row, condition->field, &value))
		return false;
	if (!condition->limit.any && condition->field < SAMPLES)
		value *= draw_unit_of(row->series).factor;
	switch (condition->op) {
	case LESS:
		return value < limit;
	case LESS_EQUAL:
		return value <= limit;
	case GREATER:
		return value > limit;
	case GREATER_EQUAL:
		return value >= limit;
	case EQUAL:
		return !(value < limit || value > limit);
	case UNEQUAL:
		return value < limit || value > limit;
	}
	return false;
}

// A condition with a unit that no row has is an error; print the unit of the first row.
static int
check_units(const struct stats_rows *rows, const struct args *args)
{
	struct condition condition;

	for (size_t i = 0; i < OWN_OPTIONS(stats, args)->where.n && rows->n > 0; i++) {
		size_t row = 0;

		(void)parse_condition(OWN_OPTIONS(stats, args)->where.list[i], &condition);
		while (row < rows->n && !is_of_unit(&condition, &rows->list[row]))
			row++;
		if (row < rows->n)
			continue;
		return say(EXIT_USAGE,
			   "stats: --where \"%s\": no counter is measured in %s; %.*s allows %s",
			   OWN_OPTIONS(stats, args)->where.list[i],
			   draw_unit_names(condition.limit.quantity), (int)rows->list[0].path.len,
			   rows->list[0].path.ptr,
			   draw_unit_names(draw_unit_of(rows->list[0].series).quantity));
	}
	return EXIT_DONE;
}

// ---- --by -----------------------------------------------------------------------------------

int
rows_check(const struct args *args)
{
	struct condition condition;
	enum by by;

	if (!by_parse(args->by, &by))
		return say(EXIT_USAGE,
			   "stats: --by must be machine, instance, object or process, not \"%s\"",
			   args->by);
	for (size_t i = 0; i < OWN_OPTIONS(stats, args)->where.n; i++) {
		const char *text = OWN_OPTIONS(stats, args)->where.list[i];

		if (!parse_condition(text, &condition))
			return say(EXIT_USAGE,
				   "stats: --where must be a condition such as 'average>50' or "
				   "'maximum>20ms', on last, average, minimum, maximum, samples or "
				   "invalid, with a unit of %s, or without a unit; not \"%s\"",
				   DRAW_UNITS, text);
		if (condition.limit.any)
			continue;
		if (condition.field >= SAMPLES && condition.limit.quantity != DRAW_COUNT)
			return say(EXIT_USAGE,
				   "stats: --where \"%s\": %s is a number without a unit", text,
				   fields[condition.field]);
		if (args->calc.default_scale || args->calc.times_1000)
			return say(EXIT_USAGE,
				   "stats: --where \"%s\": values have no unit with --scale or "
				   "--times-1000; omit the unit",
				   text);
	}
	return EXIT_DONE;
}

static int
compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

// Series can be added only if these fields match, in addition to the name of their group.
static int
compare_kinds(const struct stats_row *a, const struct stats_row *b)
{
	const struct pmon_calc *x = &a->stats->calc;
	const struct pmon_calc *y = &b->stats->calc;
	int order = compare_numbers(x->counter.type, y->counter.type);

	if (order == 0)
		order = compare_numbers(x->counter.time_base, y->counter.time_base);
	if (order == 0 && x->options.default_scale)
		order = compare_numbers(x->counter.default_scale, y->counter.default_scale);
	return order;
}

static int
compare_groups(const struct stats_row *a, const struct stats_row *b)
{
	int order = pmon_utf_compare_folded(a->path, b->path); // paths ignore case

	return order != 0 ? order : compare_kinds(a, b);
}

static int
compare_machines(const struct stats_row *a, const struct stats_row *b)
{
	return pmon_utf_compare_folded(a->series->path.machine, b->series->path.machine);
}

// Sort rows by group, within it by machine, with totals after the others.
static int
by_group(const void *a, const void *b)
{
	const struct stats_row *x = a;
	const struct stats_row *y = b;
	int order = compare_groups(x, y);

	if (order == 0)
		order = compare_machines(x, y);
	if (order == 0)
		order = pmon_path_is_total(&x->series->path) - pmon_path_is_total(&y->series->path);
	return order != 0 ? order : compare_numbers((int64_t)x->place, (int64_t)y->place);
}

static int
by_place(const void *a, const void *b)
{
	const struct stats_row *x = a;
	const struct stats_row *y = b;

	return compare_numbers((int64_t)x->place, (int64_t)y->place);
}

// Sort by machine, whose tables are printed one after the other.
static int
by_machine(const void *a, const void *b)
{
	int order = compare_machines(a, b);

	return order != 0 ? order : by_place(a, b);
}

// A group's average is per operation if the operations of each member are known or it had none.
static void
add_kind(struct stats_row *group, const struct stats_row *member)
{
	enum pmon_average_kind kind = pmon_series_group_kind(member->series);

	if (group->kind == PMON_AVERAGE_DERIVED && member->kind == PMON_AVERAGE_DERIVED) {
		group->seconds += member->seconds;
		group->operations += member->operations;
		return;
	}
	if (group->kind == PMON_AVERAGE_DERIVED)
		group->kind = kind;
	group->operations = 0;
	if (kind > group->kind)
		group->kind = kind;
}

static void
add_member(struct stats_row *group, struct pmon_stats *stats, const struct stats_row *member)
{
	if (pmon_stats_gather(stats, member->stats) != PMON_OK)
		group->has_average = false;
	group->members++;
	add_kind(group, member);
	if (member->place < group->place) {
		group->place = member->place;
		group->path = member->path; // of several spellings use the first one listed
	}
}

// Do the members of this total, or another total of its machine, precede it in its group?
static bool
is_in_others(const struct stats_row *row)
{
	return pmon_path_is_total(&row->series->path) && compare_machines(row - 1, row) == 0;
}

// Add the spread of a row to that of a group, which may be new. False if out of memory.
static bool
add_spread(struct stats_rows *rows, size_t group, const struct stats_row *row)
{
	if (row->spread == NULL)
		return true;
	rows->list[group].spread = &rows->spreads[group];
	return pmon_spread_merge(&rows->spreads[group], &rows->arena, row->spread);
}

// Combine each run of rows with the same group into one row. False if out of memory.
static bool
fold(struct stats_rows *rows, enum by by)
{
	bool good = true;
	size_t n = 0;

	qsort(rows->list, rows->n, sizeof(*rows->list), by_group);
	for (size_t i = 0; good && i < rows->n; i++) {
		struct stats_row row = rows->list[i];
		struct stats_row *group = n > 0 ? &rows->list[n - 1] : NULL;

		if (group != NULL && compare_groups(group, &row) == 0) {
			if (by != BY_INSTANCE && is_in_others(&rows->list[i]))
				continue;
			add_member(group, &rows->stats[n - 1], &row);
			good = add_spread(rows, n - 1, &row);
			continue;
		}
		rows->stats[n] = *row.stats;
		rows->stats[n].last = (struct pmon_value){.status = PMON_V_NO_DATA};
		rows->list[n] = row;
		rows->list[n].stats = &rows->stats[n];
		good = add_spread(rows, n++, &row);
	}
	rows->n = n;
	for (size_t i = 0; i < n; i++)
		rows->no_average += !rows->list[i].has_average;
	qsort(rows->list, n, sizeof(*rows->list), by == BY_MACHINE ? by_machine : by_place);
	return good;
}

// ---- Both -----------------------------------------------------------------------------------

struct pmon_value
stats_row_value(const struct stats_row *row, const struct pmon_value *value)
{
	struct pmon_value shown = *value;

	if (row->processors > 0)
		shown.value /= (double)row->processors;
	return shown;
}

struct pmon_value
stats_row_average(const struct stats_row *row)
{
	struct pmon_value average = {.status = PMON_V_NO_DATA};

	if (row->operations > 0)
		return (struct pmon_value){.value = row->seconds / row->operations};
	if (row->has_average)
		average = pmon_stats_average(row->stats);
	return stats_row_value(row, &average);
}

// --per-cpu: show shares of the time of all processors, like Task Manager. Returns an exit status.
static int
divide(struct stats_rows *rows, struct logs *logs)
{
	for (size_t i = 0; i < rows->n; i++) {
		rows->list[i].processors = logs_divisor(logs, rows->list[i].series);
		if (rows->list[i].processors == 0)
			return EXIT_FAILED;
	}
	return EXIT_DONE;
}

struct pmon_span
stats_row_text(const struct pmon_series *series, const struct pmon_stats *stats)
{
	// The tail may be from the sample before the window.
	if (!stats->has_tail || stats->tail.time < stats->first_raw_time)
		return (struct pmon_span){NULL, 0};
	return pmon_series_text(series, &stats->tail);
}

uint64_t
stats_row_invalid(const struct stats_row *row)
{
	uint64_t n = pmon_stats_invalid(row->stats);

	return stats_row_text(row->series, row->stats).ptr == NULL
		       ? n
		       : n - row->stats->count[PMON_V_NOT_DISPLAYED];
}

// Add the row of a series. False if out of memory.
static bool
put_row(struct stats_rows *rows, const struct logs *logs, const struct pmon_series *series,
	const struct pmon_stats *stats, enum by by)
{
	struct stats_row *row = &rows->list[rows->n];
	char *text;

	*row = (struct stats_row){.series = series,
				  .path = series->name,
				  .stats = stats,
				  .members = 1,
				  .has_average = true,
				  .kind = pmon_series_average_kind(series),
				  .place = rows->n};
	if (by != BY_SERIES) {
		text = rows->texts[rows->n] = by_text(&series->path, by, logs->naming.hide_machine);
		if (text == NULL)
			return false;
		row->path = (struct pmon_span){text, strlen(text)};
	} else if (logs->request.format == OUT_TEXT) {
		row->path = naming_path(&logs->naming, series);
	}
	rows->n++;
	return true;
}

// If the log has the rate, the average of a displayed latency is weighted by operations.
static void
derive(struct stats_row *row, const struct pmon_statistics *statistics)
{
	if (pmon_statistics_latency(statistics, row->series->id, &row->seconds, &row->operations))
		row->kind = PMON_AVERAGE_DERIVED;
	else
		row->operations = 0;
}

static bool
fill_rows(struct stats_rows *rows, const struct logs *logs,
	  const struct pmon_statistics *statistics, const struct pmon_series *const *list, size_t n,
	  enum by by)
{
	rows->list = calloc(n + 1, sizeof(*rows->list));
	rows->texts = calloc(n + 1, sizeof(*rows->texts));
	rows->stats = by != BY_SERIES ? calloc(n + 1, sizeof(*rows->stats)) : NULL;
	rows->spreads = by != BY_SERIES ? calloc(n + 1, sizeof(*rows->spreads)) : NULL;
	if (rows->list == NULL || rows->texts == NULL ||
	    (by != BY_SERIES && (rows->stats == NULL || rows->spreads == NULL)))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, list[i]->id);

		// A series that is only in the sample before the window is not listed.
		if (stats == NULL || pmon_stats_samples(stats) == 0)
			continue;
		if (logs->request.also != NULL &&
		    !pmon_select_shows(logs->patterns.select, list[i]))
			continue;
		// Texts cannot be added, and merged logs have none.
		if (list[i]->counter.type == PMON_PERF_COUNTER_TEXT &&
		    (by != BY_SERIES || stats_row_text(list[i], stats).ptr == NULL))
			continue;
		if (!put_row(rows, logs, list[i], stats, by))
			return false;
		rows->list[rows->n - 1].spread = pmon_statistics_spread(statistics, list[i]->id);
		if (!logs->request.calc.default_scale && !logs->request.calc.times_1000)
			derive(&rows->list[rows->n - 1], statistics);
	}
	return true;
}

// Keep the rows that satisfy all conditions.
static void
filter(struct stats_rows *rows, const struct args *args)
{
	const struct words *conditions = &OWN_OPTIONS(stats, args)->where;

	for (size_t i = 0; i < conditions->n; i++) {
		struct condition condition;
		size_t n = 0;

		(void)parse_condition(conditions->list[i],
				      &condition); // rows_check() has validated it
		for (size_t row = 0; row < rows->n; row++)
			if (holds(&condition, &rows->list[row]))
				rows->list[n++] = rows->list[row];
		rows->n = n;
	}
}

int
rows_make(struct stats_rows *rows, struct logs *logs, const struct args *args,
	  const struct pmon_statistics *statistics)
{
	size_t n;
	const struct pmon_series **list = logs_series(logs, &n);
	enum by by;
	bool filled;

	*rows = (struct stats_rows){.n = 0};
	pmon_arena_init(&rows->arena, pmon_mem_allocator(NULL));
	if (list == NULL)
		return EXIT_FAILED;
	(void)by_parse(args->by, &by);
	rows->by_process = logs->request.by_process;
	if (by == BY_PROCESS) // each series is a process already
		by = BY_SERIES;
	rows->grouped = by != BY_SERIES;
	rows->by_instance = by == BY_SERIES || by == BY_INSTANCE;
	filled = fill_rows(rows, logs, statistics, list, n, by);
	rows->n_texts = n;
	free(list);
	if (!filled || (rows->grouped && !fold(rows, by)))
		return say(EXIT_FAILED, "not enough memory");
	if (logs->request.per_cpu && divide(rows, logs) != EXIT_DONE)
		return EXIT_FAILED;
	if (check_units(rows, args) != EXIT_DONE)
		return EXIT_USAGE;
	filter(rows, args);
	return EXIT_DONE;
}

void
rows_free(struct stats_rows *rows)
{
	for (size_t i = 0; rows->texts != NULL && i < rows->n_texts; i++)
		free(rows->texts[i]);
	free(rows->texts);
	pmon_arena_free(&rows->arena);
	free(rows->spreads);
	free(rows->stats);
	free(rows->list);
}
