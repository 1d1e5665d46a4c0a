// api_changes.c - which counters of a set differ in a window, and which instances are busiest
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "query/members.h"
#include "shell/output/changed_json.h"
#include "web/api.h"
#include "web/extract.h"
#include "web/find.h"
#include "web/series.h"
#include "web/view_private.h"

#define BATCH      256  // series compared at once, including all of one process
#define MOST_BATCH 4096 // if one name has more places in Windows, they are not distinguished
#define MOST_ROWS  100

// ---- What changed ---------------------------------------------------------------------------

// Series that are read together.
struct batch {
	uint32_t ids[MOST_BATCH];
	size_t n;
};

// Count the samples outside and inside a window.
static void
count_samples(struct set *set, const struct store_window *window, uint64_t samples[2])
{
	store_lock(set->store);
	for (uint32_t at = store_begin(set->store); at < store_end(set->store); at++)
		samples[store_is_inside(set->store, window, at) ? CHANGED_AFTER : CHANGED_BEFORE]++;
	store_unlock(set->store);
}

// As in pmon changes, the last sample of the other side begins the first interval of this one.
static bool
read_sides(struct pmon_source *source, const struct store_window *window,
	   struct pmon_statistics *const sides[2])
{
	const struct pmon_sample *sample;
	enum pmon_status status;

	while ((status = pmon_source_next(source, &sample, NULL)) == PMON_OK) {
		bool is_in = (window->from == PMON_TIME_NONE || sample->time >= window->from) &&
			     (window->to == PMON_TIME_NONE || sample->time <= window->to);

		for (int side = 0; side < 2; side++) {
			struct pmon_sample copy = *sample;

			copy.preceding |= is_in != (side == CHANGED_AFTER);
			if (pmon_statistics_add(sides[side], &copy, NULL, NULL) != PMON_OK)
				return false;
		}
	}
	return status == PMON_END;
}

static bool
has_values(const struct pmon_statistics *statistics, size_t i)
{
	const struct pmon_stats *stats = pmon_statistics_at(statistics, i);

	return stats != NULL && pmon_vstat_has_value(stats->minimum.status);
}

// Make the newest row refer to the series of the set.
static void
put_in_set(struct changed *changed, struct set *set, const struct extract_names *names)
{
	struct changed_row *row = &changed->rows[changed->n - 1];
	uint32_t id = extract_id(names, row->series);

	store_lock(set->store);
	row->series = pmon_schema_at(store_schema(set->store), id);
	store_unlock(set->store);
}

static bool
compare(const struct extract_names *names, struct set *set, const struct pmon_schema *schema,
	struct pmon_statistics *const sides[2], struct changed *changed)
{
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);
		size_t n = changed->n;

		if (!changed_is_wanted(changed, series) || !has_values(sides[0], i) ||
		    !has_values(sides[1], i))
			continue;
		if (!changed_add(changed, series, sides[0], i, sides[1], i))
			return false;
		if (changed->n > n)
			put_in_set(changed, set, names);
	}
	return true;
}

static bool
compare_batch(struct call *call, struct set *set, const struct batch *batch,
	      const struct store_window *window, struct changed *changed)
{
	const struct store_window all = {PMON_TIME_NONE, PMON_TIME_NONE};
	struct pmon_statistics *sides[2] = {NULL, NULL};
	struct extract_names names;
	struct pmon_source *source;
	bool good;

	if (extract_processes(set, batch->ids, batch->n, &all, &source, NULL) != PMON_OK)
		return false;
	good = extract_names_open(&names, set, batch->ids, batch->n);
	for (int side = 0; good && side < 2; side++) {
		good = pmon_statistics_new(pmon_source_schema(source), &call->view->calc, NULL,
					   &sides[side], NULL) == PMON_OK;
		if (good)
			pmon_statistics_keep(sides[side], PMON_KEEP_PERCENTILES);
	}
	good = good && read_sides(source, window, sides) &&
	       compare(&names, set, pmon_source_schema(source), sides, changed);
	for (int side = 0; side < 2; side++)
		pmon_statistics_free(sides[side]);
	extract_names_close(&names);
	pmon_source_close(source);
	return good;
}

// All places of one process have the same name.
static int
compare_places(const struct pmon_path *a, const struct pmon_path *b)
{
	int order = pmon_text_order(a->machine, b->machine);

	if (order == 0)
		order = pmon_text_order(a->object, b->object);
	if (order == 0)
		order = pmon_text_order(a->parent, b->parent);
	return order != 0 ? order : pmon_text_order(a->instance, b->instance);
}

static int
by_place(const void *a, const void *b)
{
	const struct pmon_series *x = *(const struct pmon_series *const *)a;
	const struct pmon_series *y = *(const struct pmon_series *const *)b;
	int order = compare_places(&x->path, &y->path);

	return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

static bool
compare_all(struct call *call, struct set *set, const struct store_window *window,
	    struct changed *changed)
{
	struct batch *batch = calloc(1, sizeof(*batch));
	struct pmon_members members = {.seen = 0};
	bool good = batch != NULL;
	size_t n = 0;
	const struct pmon_series **list = series_all(call, set, &n);

	store_lock(set->store);
	good = good && pmon_members_learn(&members, store_schema(set->store));
	store_unlock(set->store);
	if (list != NULL && n > 1)
		qsort(list, n, sizeof(*list), by_place);
	for (size_t i = 0; list != NULL && good && i < n; i++) {
		bool is_last = i + 1 == n;
		bool ends = is_last || compare_places(&list[i]->path, &list[i + 1]->path) != 0;

		if (pmon_members_ranks(&members, list[i]) &&
		    (changed_is_wanted(changed, list[i]) || extract_tells(list[i])))
			batch->ids[batch->n++] = list[i]->id;
		if (!is_last && batch->n < MOST_BATCH && (batch->n < BATCH || !ends))
			continue;
		good = batch->n == 0 || compare_batch(call, set, batch, window, changed);
		batch->n = 0;
	}
	pmon_members_free(&members);
	free(list);
	free(batch);
	return list != NULL && good;
}

static void
put_changed(struct json *json, const struct changed *changed, size_t max)
{
	json_open(json, '{');
	json_key(json, "total"), json_u64(json, changed->n);
	json_key(json, "compared"), json_u64(json, changed->compared);
	json_key(json, "rows"), json_open(json, '[');
	for (size_t i = 0; i < changed->n && i < max; i++) {
		json_open(json, '{');
		changed_json(json, &changed->rows[i]);
		json_key(json, "series"), series_put(json, changed->rows[i].series);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_key(json, "samples_used");
	json_u64(json, changed->samples[CHANGED_BEFORE] + changed->samples[CHANGED_AFTER]);
	json_close(json, '}');
}

static bool
check_samples(struct call *call, const uint64_t samples[2])
{
	for (int side = 0; side < 2; side++)
		if (samples[side] < CHANGED_FEWEST) {
			call_fail(call, 400, "from",
				  "%llu sample%s %s of the window; %d are needed",
				  (unsigned long long)samples[side],
				  pmon_text_word(samples[side], "", "s"),
				  side == CHANGED_AFTER ? "inside" : "outside", CHANGED_FEWEST);
			return false;
		}
	return true;
}

void
api_changes(struct call *call)
{
	struct changed changed = {.n = 0};
	struct store_window window;
	uint64_t max = 20;
	struct set *set;

	if (!call_set(call, "set", &set) || !call_window(call, &window) ||
	    !call_number(call, "max", 1, MOST_ROWS, &max))
		return;
	count_samples(set, &window, changed.samples);
	if (!check_samples(call, changed.samples))
		return;
	if (compare_all(call, set, &window, &changed)) {
		changed_rank(&changed);
		put_changed(&call->json, &changed, (size_t)max);
	} else if (call->status == 200) {
		call_no_memory(call);
	}
	changed_free(&changed);
}

// ---- The busiest ----------------------------------------------------------------------------

struct row {
	const struct pmon_series *series;
	double total;
	double average;
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

static int
largest_first(const void *a, const void *b)
{
	const struct row *x = a;
	const struct row *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

static void
put_rows(struct json *json, struct rows *rows, size_t max)
{
	if (rows->n > 0)
		qsort(rows->list, rows->n, sizeof(*rows->list), largest_first);
	json_open(json, '{');
	json_key(json, "total"), json_u64(json, rows->n);
	json_key(json, "rows"), json_open(json, '[');
	for (size_t i = 0; i < rows->n && i < max; i++) {
		json_open(json, '{');
		json_key(json, "total"), json_double(json, rows->list[i].total);
		json_key(json, "average"), json_double(json, rows->list[i].average);
		json_key(json, "series"), series_put(json, rows->list[i].series);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

// Rank by average times time present in the window. Call with the store locked.
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
					  average.value});
}

void
api_top(struct call *call)
{
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
		if (!find_matches(&find, list[i]) || !pmon_path_ranks(&list[i]->path) ||
		    !pmon_type_is_displayed(list[i]->counter.type))
			continue;
		store_lock(set->store);
		good = rank(call, set->store, list[i], &window, &rows);
		store_unlock(set->store);
	}
	if (good)
		put_rows(&call->json, &rows, (size_t)max);
	else
		call_no_memory(call);
	pmon_mem_free(pmon_mem_allocator(NULL), rows.list, rows.cap * sizeof(*rows.list));
	free(list);
}
