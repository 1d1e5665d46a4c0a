// api_changes.c - which counters of a set are different in a window, and which instances are the busiest
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/unit.h"
#include "model/schema.h"
#include "query/compare.h"
#include "web/api.h"
#include "web/find.h"
#include "web/series.h"
#include "web/view_private.h"

#define BATCH        64 // series that are compared at once
#define LEAST_EFFECT 3  // as in pmon changes
#define LEAST_SHARE  0.2
#define MOST_EFFECT  100
#define MOST_ROWS    100

struct row {
	const struct pmon_series *series;
	double score;
	double before; // medians, or an average and 0
	double after;
};

struct rows {
	struct row *list;
	size_t n;
	size_t cap;
};

static bool
add_row(struct rows *rows, struct row row)
{
	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &rows->list, &rows->cap, rows->n + 1,
			   sizeof(*rows->list)))
		return false;
	rows->list[rows->n++] = row;
	return true;
}

static void
free_rows(struct rows *rows)
{
	pmon_mem_free(pmon_mem_allocator(NULL), rows->list, rows->cap * sizeof(*rows->list));
}

static int
largest_first(const void *a, const void *b)
{
	const struct row *x = a;
	const struct row *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

static void
put_rows(struct json *json, struct rows *rows, size_t max, const char *const names[3])
{
	if (rows->n > 0)
		qsort(rows->list, rows->n, sizeof(*rows->list), largest_first);
	json_open(json, '{');
	json_key(json, "total"), json_u64(json, rows->n);
	json_key(json, "rows"), json_open(json, '[');
	for (size_t i = 0; i < rows->n && i < max; i++) {
		json_open(json, '{');
		json_key(json, names[0]), json_double(json, rows->list[i].score);
		json_key(json, names[1]), json_double(json, rows->list[i].before);
		if (names[2] != NULL)
			json_key(json, names[2]), json_double(json, rows->list[i].after);
		json_key(json, "series"), series_put(json, rows->list[i].series);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

// A sum of others, or what is left of them.
static bool
is_rest(const struct pmon_series *series)
{
	return pmon_path_is_total(&series->path) ||
	       pmon_text_same(series->path.instance, PMON_SPAN("Idle"));
}

// ---- What changed ---------------------------------------------------------------------------

struct comparison {
	const struct pmon_series *list[BATCH];
	size_t n;
	struct pmon_schema schema;
	struct pmon_statistics *sides[2]; // outside of the window, and in it
};

static bool
open_comparison(struct comparison *c, const struct pmon_calc_options *calc)
{
	uint32_t id;

	pmon_schema_init(&c->schema, pmon_mem_allocator(NULL));
	for (size_t i = 0; i < c->n; i++)
		if (pmon_schema_add(&c->schema, &c->list[i]->path, &c->list[i]->counter,
				    (uint32_t)i, BATCH, &id) != PMON_OK)
			return false;
	for (int side = 0; side < 2; side++) {
		if (pmon_statistics_new(&c->schema, calc, NULL, &c->sides[side], NULL) != PMON_OK)
			return false;
		pmon_statistics_keep(c->sides[side], PMON_KEEP_PERCENTILES);
	}
	return true;
}

static void
close_comparison(struct comparison *c)
{
	for (int side = 0; side < 2; side++)
		pmon_statistics_free(c->sides[side]);
	pmon_schema_free(&c->schema);
	*c = (struct comparison){.n = 0};
}

// Feed series i to both sides: a sample of the other side begins the first interval of this one. Under the lock of the
// store.
static bool
read_series(struct comparison *c, const struct store *store, uint32_t i,
	    const struct store_window *window)
{
	const struct store_window all = {PMON_TIME_NONE, PMON_TIME_NONE};
	struct store_value value;
	struct store_walk walk;

	store_walk_open(&walk, store, c->list[i]->id, &all, NULL);
	while (store_walk_next(&walk, &value)) {
		const struct store_sample *at = store_sample_at(store, value.at);
		bool is_in = store_is_inside(store, window, value.at);

		for (int side = 0; side < 2; side++) {
			struct pmon_sample sample = {.time = at->time,
						     .stream = at->stream,
						     .ordinal = at->ordinal,
						     .lead_in = is_in != (side == 1),
						     .n = 1,
						     .series = &i,
						     .raw = &value.raw};

			if (pmon_statistics_add(c->sides[side], &sample, NULL, NULL) != PMON_OK)
				return false;
		}
	}
	return true;
}

static bool
compare(struct comparison *c, struct rows *rows)
{
	for (size_t i = 0; i < c->n; i++) {
		struct pmon_comparison result;
		bool comparable;

		if (pmon_compare(c->sides[0], i, c->sides[1], i, NULL, &comparable, &result) !=
		    PMON_OK)
			return false;
		if (!comparable || fabs(result.effect) < LEAST_EFFECT ||
		    result.share < LEAST_SHARE ||
		    !draw_is_large(c->list[i], result.after - result.before))
			continue;
		if (!add_row(rows,
			     (struct row){c->list[i],
					  fmin(fabs(result.effect), MOST_EFFECT) * result.share,
					  result.before, result.after}))
			return false;
	}
	return true;
}

static bool
compare_batch(struct call *call, struct set *set, struct comparison *c,
	      const struct store_window *window, struct rows *rows)
{
	bool good = open_comparison(c, &call->view->calc);

	for (uint32_t i = 0; good && i < c->n; i++) {
		store_lock(set->store);
		good = read_series(c, set->store, i, window);
		store_unlock(set->store);
	}
	good = good && compare(c, rows);
	close_comparison(c);
	return good;
}

void
api_changes(struct call *call)
{
	static const char *const names[3] = {"score", "before", "after"};
	struct comparison c = {.n = 0};
	const struct pmon_series **list;
	struct rows rows = {.n = 0};
	struct store_window window;
	uint64_t max = 20;
	bool good = true;
	struct set *set;
	size_t n;

	if (!call_set(call, "set", &set) || !call_window(call, &window) ||
	    !call_number(call, "max", 1, MOST_ROWS, &max))
		return;
	list = series_all(call, set, &n);
	if (list == NULL)
		return;
	for (size_t i = 0; good && i < n; i++) {
		const struct pmon_counter_type *type = pmon_series_type(list[i]);

		if (pmon_type_is_displayed(list[i]->counter.type) && !pmon_type_is_hex(type) &&
		    !is_rest(list[i]) && (type == NULL || type->formula != PMON_FORMULA_ELAPSED))
			c.list[c.n++] = list[i];
		if (c.n == BATCH || (i + 1 == n && c.n > 0))
			good = compare_batch(call, set, &c, &window, &rows);
	}
	if (good)
		put_rows(&call->json, &rows, (size_t)max, names);
	else
		call_no_memory(call);
	free_rows(&rows);
	free(list);
}

// ---- The busiest ----------------------------------------------------------------------------

// By what each made of the window: its average times how long it was there. Under the lock of the store.
static bool
rank(struct call *call, const struct store *store, const struct pmon_series *series,
     const struct store_window *window, struct rows *rows)
{
	struct pmon_value average;
	struct store_value value;
	struct store_walk walk;

	store_walk_open(&walk, store, series->id, window, &call->view->calc);
	while (store_walk_next(&walk, &value))
		(void)pmon_stats_add(&walk.stats, &value.raw);
	average = pmon_stats_average(&walk.stats);
	if (!pmon_vstat_has_value(average.status))
		return true;
	return add_row(rows, (struct row){series,
					  average.value *
						  (double)(walk.stats.last_raw_time -
							   walk.stats.first_raw_time) /
						  PMON_TIME_PER_SEC,
					  average.value, 0});
}

void
api_top(struct call *call)
{
	static const char *const names[3] = {"total", "average", NULL};
	const struct pmon_series **list;
	struct rows rows = {.n = 0};
	struct store_window window;
	struct find find;
	uint64_t max = 5;
	bool good = true;
	struct set *set;
	size_t n;

	if (!call_set(call, "set", &set) || !find_open(&find, call, true) ||
	    !call_window(call, &window) || !call_number(call, "max", 1, MOST_ROWS, &max))
		return;
	list = series_all(call, set, &n);
	if (list == NULL)
		return;
	for (size_t i = 0; good && i < n; i++) {
		if (!find_matches(&find, list[i]) || is_rest(list[i]) ||
		    !pmon_type_is_displayed(list[i]->counter.type))
			continue;
		store_lock(set->store);
		good = rank(call, set->store, list[i], &window, &rows);
		store_unlock(set->store);
	}
	if (good)
		put_rows(&call->json, &rows, (size_t)max, names);
	else
		call_no_memory(call);
	free_rows(&rows);
	free(list);
}
