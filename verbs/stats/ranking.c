// ranking.c - --sort, --limit and --percentile of pmon stats
// SPDX-License-Identifier: MIT

#include "verbs/stats/ranking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/utf.h"
#include "shell/args/suggest.h"
#include "shell/output/say.h"
#include "draw/unit.h"

enum field {
	FIELD_TOTAL,
	FIELD_AVERAGE,
	FIELD_MINIMUM,
	FIELD_MAXIMUM,
	FIELD_LAST,
	FIELD_NAME,
	FIELD_PERCENTILE,
};

static const struct {
	const char *name;
	enum field field;
} keys[] = {
	{"total", FIELD_TOTAL}, {"average", FIELD_AVERAGE}, {"minimum", FIELD_MINIMUM},
	{"min", FIELD_MINIMUM}, {"maximum", FIELD_MAXIMUM}, {"max", FIELD_MAXIMUM},
	{"last", FIELD_LAST},   {"name", FIELD_NAME},
};

#define N_KEYS (sizeof(keys) / sizeof(keys[0]))

// ---- Options --------------------------------------------------------------------------------

// Parse "99.9", with up to three decimals.
static bool
parse_percent(struct pmon_span text, uint32_t *out)
{
	double number;
	double thousandths;

	if (!pmon_num_parse_double(text, &number) || !(number >= 0 && number <= 100))
		return false;
	thousandths = round(number * PMON_PERCENT);
	*out = (uint32_t)thousandths;
	return fabs(number * PMON_PERCENT - thousandths) < 1e-6;
}

// False if there are too many.
static bool
add_percent(struct rank *rank, uint32_t percent)
{
	struct pmon_text name;

	for (size_t i = 0; i < rank->n; i++)
		if (rank->percents[i] == percent)
			return true;
	if (rank->n == RANK_PERCENTILES)
		return false;
	name = pmon_text_init(rank->names[rank->n], sizeof(rank->names[0]));
	pmon_text_char(&name, 'p');
	pmon_text_double(&name, (double)percent / PMON_PERCENT);
	rank->percents[rank->n++] = percent;
	return true;
}

static int
parse_percentiles(const char *text, struct rank *rank)
{
	while (text != NULL && *text != '\0') {
		size_t len = strcspn(text, ",");
		uint32_t percent;

		if (!parse_percent((struct pmon_span){text, len}, &percent))
			return say(EXIT_USAGE,
				   "stats: --percentile must be percentages from 0 to 100 "
				   "separated by commas, such as 50,95,99.9; not \"%.*s\"",
				   (int)len, text);
		if (!add_percent(rank, percent))
			return say(EXIT_USAGE, "stats: --percentile accepts at most %d percentages",
				   RANK_PERCENTILES);
		text += len + (text[len] == ',');
	}
	return EXIT_DONE;
}

static const char *
nearest_key(const char *text)
{
	const char *best = NULL;
	size_t best_distance = 3;

	for (size_t i = 0; i < N_KEYS; i++) {
		size_t distance =
			suggest_distance((struct pmon_span){text, strlen(text)},
					 (struct pmon_span){keys[i].name, strlen(keys[i].name)});

		if (distance >= best_distance)
			continue;
		best = keys[i].name;
		best_distance = distance;
	}
	return best;
}

static int
parse_key(const char *text, struct rank *rank)
{
	const char *near = nearest_key(text);

	rank->key = text;
	for (size_t i = 0; i < N_KEYS; i++)
		if (strcmp(keys[i].name, text) == 0) {
			rank->field = keys[i].field;
			return EXIT_DONE;
		}
	if (text[0] == 'p' &&
	    parse_percent((struct pmon_span){text + 1, strlen(text + 1)}, &rank->percent)) {
		rank->field = FIELD_PERCENTILE;
		if (add_percent(rank, rank->percent))
			return EXIT_DONE;
		return say(EXIT_USAGE, "stats: --percentile accepts at most %d percentages",
			   RANK_PERCENTILES);
	}
	return say(EXIT_USAGE,
		   "stats: --sort must be total, average, min, max, last, name or a percentile "
		   "such as p95, not \"%s\"%s%s%s",
		   text, near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
		   near != NULL ? "\"?" : "");
}

int
rank_parse(const struct args *args, struct rank *out)
{
	const char *key = OWN_OPTIONS(stats, args)->sort;
	int status;

	*out = (struct rank){.field = FIELD_NAME, .limit = args->limit};
	status = parse_percentiles(OWN_OPTIONS(stats, args)->percentile, out);
	if (status == EXIT_DONE && key != NULL)
		status = parse_key(key, out);
	return status;
}

bool
rank_is_ranking(const struct rank *rank)
{
	return rank->key != NULL && rank->field != FIELD_NAME;
}

bool
rank_by_total(const struct rank *rank)
{
	return rank->key != NULL && rank->field == FIELD_TOTAL;
}

// ---- Totals and percentiles -----------------------------------------------------------------

struct pmon_value
rank_total(const struct stats_row *row, const char **unit)
{
	struct pmon_value value = pmon_spread_total(row->spread, row->series, row->stats);
	double factor;

	*unit = draw_total_unit(row->series, &factor);
	if (*unit == NULL)
		return (struct pmon_value){.status = PMON_V_NO_DATA};
	value.value *= factor;
	return value;
}

struct pmon_value
rank_percentile(const struct stats_row *row, uint32_t percent)
{
	struct pmon_value value = pmon_spread_percentile(row->spread, row->stats, percent);

	return stats_row_value(row, &value);
}

const char *
rank_total_mark(const struct stats_row *row)
{
	if (!row->series->formatted)
		return "";
	return row->kind == PMON_AVERAGE_UNKNOWN || row->kind == PMON_AVERAGE_INFERRED ? "?" : "~";
}

const char *
rank_percentile_mark(const struct stats_row *row)
{
	return row->series->formatted ? "~" : "";
}

// ---- Order ----------------------------------------------------------------------------------

struct ranked {
	struct stats_row row;
	bool has_value;
	double value;
};

static struct pmon_value
value_of(const struct rank *rank, const struct stats_row *row)
{
	const char *unit;

	switch ((enum field)rank->field) {
	case FIELD_TOTAL:
		return rank_total(row, &unit);
	case FIELD_AVERAGE:
		return stats_row_average(row);
	case FIELD_MINIMUM:
		return stats_row_value(row, &row->stats->minimum);
	case FIELD_MAXIMUM:
		return stats_row_value(row, &row->stats->maximum);
	case FIELD_LAST:
		return stats_row_value(row, &row->stats->last);
	case FIELD_PERCENTILE:
		return rank_percentile(row, rank->percent);
	case FIELD_NAME:
		break;
	}
	return (struct pmon_value){.status = PMON_V_NO_DATA};
}

// The largest first; rows without a value last.
static int
largest_first(const void *a, const void *b)
{
	const struct ranked *x = a;
	const struct ranked *y = b;

	if (x->has_value != y->has_value)
		return x->has_value ? -1 : 1;
	if (x->has_value && x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return x->row.place < y->row.place ? -1 : x->row.place > y->row.place;
}

static int
by_name(const void *a, const void *b)
{
	const struct stats_row *x = &((const struct ranked *)a)->row;
	const struct stats_row *y = &((const struct ranked *)b)->row;
	int order = pmon_utf_compare_folded(x->path, y->path);

	return order != 0 ? order : x->place < y->place ? -1 : x->place > y->place;
}

// Drop sums and idle instances. Returns how many rows were dropped.
static size_t
drop_unranked(struct stats_rows *rows)
{
	size_t before = rows->n;

	rows->n = 0;
	for (size_t i = 0; i < before; i++)
		if (pmon_path_ranks(&rows->list[i].series->path) ||
		    (!rows->by_instance && rows->list[i].members > 1))
			rows->list[rows->n++] = rows->list[i];
	return before - rows->n;
}

static void
say_unlike(const struct rank *rank, const struct stats_rows *rows)
{
	double factor;

	for (size_t i = 1; i < rows->n; i++) {
		const char *unit = draw_total_unit(rows->list[i].series, &factor);
		const char *first = draw_total_unit(rows->list[0].series, &factor);
		bool same = rank_by_total(rank)
				    ? unit == first || (unit && first && strcmp(unit, first) == 0)
				    : draw_unit_of(rows->list[i].series).quantity ==
					      draw_unit_of(rows->list[0].series).quantity;

		if (!same) {
			say(0, "note: these counters have different units; use -c to choose "
			       "counters with the same unit");
			return;
		}
	}
}

static bool
sort(const struct rank *rank, struct stats_rows *rows)
{
	struct ranked *list = calloc(rows->n + 1, sizeof(*list));

	if (list == NULL)
		return false;
	for (size_t i = 0; i < rows->n; i++) {
		const struct stats_row *row = &rows->list[i];
		struct pmon_value value = value_of(rank, row);
		double factor = rank_by_total(rank) ? 1 : draw_unit_of(row->series).factor;

		list[i] = (struct ranked){*row, pmon_vstat_has_value(value.status),
					  value.value * factor};
	}
	qsort(list, rows->n, sizeof(*list), rank_is_ranking(rank) ? largest_first : by_name);
	for (size_t i = 0; i < rows->n; i++)
		rows->list[i] = list[i].row;
	free(list);
	return true;
}

int
rank_rows(const struct rank *rank, struct stats_rows *rows)
{
	size_t dropped = rank_is_ranking(rank) ? drop_unranked(rows) : 0;

	if (rank->key != NULL && !sort(rank, rows))
		return say(EXIT_FAILED, "not enough memory");
	if (rank->limit > 0 && rows->n > rank->limit)
		rows->n = (size_t)rank->limit;
	if (rows->n == 0 && dropped > 0)
		say(0, "note: _Total and Idle are not ranked, and no other instances were chosen; "
		       "omit --sort to list them");
	else if (rank_is_ranking(rank))
		say_unlike(rank, rows);
	return EXIT_DONE;
}
