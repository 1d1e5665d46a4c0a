// api_data.c - the data for drawing a window, and its value bar
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "os/threads.h"
#include "web/api.h"
#include "web/latency.h"
#include "web/picture.h"
#include "web/view_private.h"

#define DRAWN_DIGITS 7                     // of values that are only drawn: no picture shows more
#define MOST_WORKERS 4                     // threads per answer
#define VALUES_ALONE ((uint64_t)64 * 1024) // fewer are drawn faster than a thread is started

// The pictures of an answer, and for each the picture that sends its time axis.
struct pictures {
	struct picture list[CALL_IDS];
	size_t axis[CALL_IDS];  // index of its list of times
	size_t owner[CALL_IDS]; // for each list of times, the first picture that has it
	size_t n_axes;
	struct latency latency[CALL_IDS];
	size_t n;
};

static bool
same_times(const struct picture *a, const struct picture *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->points[i].ms != b->points[i].ms)
			return false;
	return true;
}

static size_t
find_axis(struct pictures *all, size_t picture)
{
	for (size_t i = 0; i < all->n_axes; i++)
		if (same_times(&all->list[all->owner[i]], &all->list[picture]))
			return i;
	all->owner[all->n_axes] = picture;
	return all->n_axes++;
}

// ---- JSON -----------------------------------------------------------------------------------

static void
put_axes(struct json *json, const struct pictures *all)
{
	json_key(json, "times"), json_open(json, '[');
	for (size_t i = 0; i < all->n_axes; i++) {
		const struct picture *p = &all->list[all->owner[i]];

		json_open(json, '[');
		for (size_t j = 0; j < p->n; j++)
			json_double(json, p->points[j].ms);
		json_close(json, ']');
	}
	json_close(json, ']');
}

enum which {
	LOW,
	HIGH,
	MEAN
};

static double
value_of(const struct picture_point *point, enum which which)
{
	switch (which) {
	case LOW:
		return point->low;
	case HIGH:
		return point->high;
	case MEAN:
		return point->mean;
	}
	return 0;
}

static void
put_points(struct json *json, const char *key, const struct picture *p, enum which which)
{
	json_key(json, key), json_open(json, '[');
	for (size_t i = 0; i < p->n; i++) {
		double value = value_of(&p->points[i], which);

		if (!p->points[i].has_value)
			json_none(json);
		else if (p->exact)
			json_double(json, value);
		else
			json_rounded(json, value, DRAWN_DIGITS);
	}
	json_close(json, ']');
}

static void
put_with_status(struct json *json, const char *key, const char *status_key,
		const struct pmon_value *value)
{
	json_key(json, key), json_value(json, value);
	json_key(json, status_key), json_str(json, pmon_vstat_name(value->status));
}

static void
put_bar(struct json *json, const struct pmon_stats *stats, const struct pmon_value *p95,
	const struct latency *latency)
{
	struct pmon_value average = pmon_stats_average(stats);

	if (latency->known && latency->operations > 0)
		average = (struct pmon_value){.value = latency->seconds / latency->operations};

	json_key(json, "bar"), json_open(json, '{');
	put_with_status(json, "last", "last_status", &stats->last);
	put_with_status(json, "average", "average_status", &average);
	json_key(json, "latency");
	if (latency->known)
		json_value(json, &average);
	else
		json_none(json);
	json_key(json, "minimum"), json_value(json, &stats->minimum);
	json_key(json, "maximum"), json_value(json, &stats->maximum);
	json_key(json, "minimum_time"), json_time(json, stats->minimum_time);
	json_key(json, "maximum_time"), json_time(json, stats->maximum_time);
	json_key(json, "p95"), json_value(json, p95);
	json_key(json, "samples"), json_u64(json, pmon_stats_samples(stats));
	json_key(json, "invalid"), json_u64(json, pmon_stats_invalid(stats));
	json_key(json, "first_time"), json_time(json, stats->first_raw_time);
	json_key(json, "last_time"), json_time(json, stats->last_raw_time);
	json_close(json, '}');
}

static void
put_series(struct json *json, const struct pictures *all, const struct call_ids *ids)
{
	json_key(json, "series"), json_open(json, '[');
	for (size_t i = 0; i < all->n; i++) {
		const struct picture *p = &all->list[i];

		json_open(json, '{');
		json_key(json, "id"), json_u64(json, ids->list[i]);
		json_key(json, "exact"), json_bool(json, p->exact);
		json_key(json, "times"), json_u64(json, all->axis[i]);
		put_points(json, p->exact ? "value" : "min", p, LOW);
		if (!p->exact)
			put_points(json, "max", p, HIGH);
		put_bar(json, &p->stats, &p->p95, &all->latency[i]);
		if (!p->exact)
			put_points(json, "mean", p, MEAN);
		json_close(json, '}');
	}
	json_close(json, ']');
}

// ---- The window -----------------------------------------------------------------------------

// The effective window: the requested one, limited to the stored samples.
static bool
cut(const struct store *store, const struct store_window *window, size_t columns,
    struct picture_grid *grid)
{
	struct store_extent all =
		store_extent(store, &(struct store_window){PMON_TIME_NONE, PMON_TIME_NONE});

	*grid = (struct picture_grid){all.first, all.last, columns};
	if (all.samples == 0)
		return false;
	if (window->from != PMON_TIME_NONE && window->from > all.first)
		grid->from = window->from;
	if (window->to != PMON_TIME_NONE && window->to < all.last)
		grid->to = window->to;
	return grid->from <= grid->to;
}

static void
put_window(struct json *json, const struct picture_grid *grid, bool any,
	   const struct store_extent *extent)
{
	json_key(json, "from"), json_time(json, any ? grid->from : PMON_TIME_NONE);
	json_key(json, "to"), json_time(json, any ? grid->to : PMON_TIME_NONE);
	json_key(json, "duration_s");
	json_double(json, extent->samples > 0 ? (double)(extent->last - extent->first) /
							(double)PMON_TIME_PER_SEC
					      : 0);
	json_key(json, "columns"), json_u64(json, grid->columns);
	json_key(json, "samples"), json_u64(json, extent->samples);
}

// ---- Drawing --------------------------------------------------------------------------------

// Several threads draw series: each takes the next one that none has taken yet.
struct drawing {
	const struct store *store;
	const struct call_ids *ids;
	const struct store_window *window;
	const struct picture_grid *grid;
	const struct pmon_calc_options *calc;
	struct picture *list;
	atomic_size_t next;
	atomic_bool no_memory;
};

static void
draw_some(void *ctx, size_t worker)
{
	struct drawing *d = ctx;
	size_t i;

	(void)worker;
	while ((i = atomic_fetch_add(&d->next, 1)) < d->ids->n)
		if (!picture_draw(&d->list[i], d->store, d->ids->list[i], d->window, d->grid,
				  d->calc))
			atomic_store(&d->no_memory, true);
}

// The number of threads that pays off for so many values.
static size_t
count_workers(size_t series, uint64_t samples)
{
	size_t most = pmon_threads_processors();

	if (series * samples < VALUES_ALONE)
		return 1;
	most = most > MOST_WORKERS ? MOST_WORKERS : most;
	return most < series ? most : series;
}

// Draw all series. Call with the store locked; the helper threads read it too.
static bool
draw(struct call *call, struct drawing *d, uint64_t samples, struct pictures *all)
{
	bool failed = false;

	d->list = all->list;
	all->n = d->ids->n;
	pmon_threads_run(count_workers(all->n, samples), draw_some, d);
	for (size_t i = 0; i < all->n; i++)
		failed |= all->list[i].failed;
	if (atomic_load(&d->no_memory))
		call_no_memory(call);
	else if (failed)
		call_fail(call, 500, NULL, "cannot read the temporary file");
	else
		for (size_t i = 0; i < all->n && call->status == 200; i++) {
			all->axis[i] = find_axis(all, i);
			(void)latency_in_window(call, d->store, d->ids->list[i], d->window,
						&all->latency[i]);
		}
	return call->status == 200;
}

// ---- What is usual --------------------------------------------------------------------------

#define MOST_PARTS 16

// Parts of a log that are not usual.
struct parts {
	struct store_window list[MOST_PARTS];
	size_t n;
};

// Take what is before the separator, and move the text past it.
static struct pmon_span
take(struct pmon_span *text, char separator)
{
	const char *at = memchr(text->ptr, separator, text->len);
	struct pmon_span part = {text->ptr, at != NULL ? (size_t)(at - text->ptr) : text->len};
	size_t used = part.len + (at != NULL ? 1 : 0);

	text->ptr += used;
	text->len -= used;
	return part;
}

// "FROM/TO,FROM/TO"
static bool
read_parts(struct call *call, struct parts *out)
{
	struct pmon_span text = call_param(call, "without");

	out->n = 0;
	while (text.len > 0) {
		struct pmon_span to = take(&text, ',');
		struct pmon_span from = take(&to, '/');
		struct store_window part;

		if (out->n == MOST_PARTS || !pmon_time_parse(from, 0, &part.from) ||
		    !pmon_time_parse(to, 0, &part.to) || part.from > part.to) {
			call_fail(call, 400, "without",
				  "without must be at most %d windows such as "
				  "2016-11-26T21:46:30Z/2016-11-26T21:50:00Z",
				  MOST_PARTS);
			return false;
		}
		out->list[out->n++] = part;
	}
	return true;
}

static void
put_usual(struct json *json, uint32_t id, const struct picture_usual *usual)
{
	json_open(json, '{');
	json_key(json, "id"), json_u64(json, id);
	json_key(json, "p5"), json_value(json, &usual->low);
	json_key(json, "p95"), json_value(json, &usual->high);
	json_key(json, "values"), json_u64(json, usual->values);
	json_close(json, '}');
}

// Compute the bands of all series. Call with the store locked.
static void
find_usual(struct call *call, const struct set *set, const struct call_ids *ids,
	   const struct parts *parts, struct picture_usual *list)
{
	for (size_t i = 0; i < ids->n && call->status == 200; i++)
		if (!picture_usual(&list[i], set->store, ids->list[i], parts->list, parts->n,
				   &call->view->calc))
			call_no_memory(call);
		else if (list[i].failed)
			call_fail(call, 500, NULL, "cannot read the temporary file");
}

void
api_usual(struct call *call)
{
	struct picture_usual *list;
	struct parts parts;
	struct call_ids ids;
	struct set *set;

	if (!call_set(call, "set", &set) || !call_ids(call, set, true, &ids) ||
	    !read_parts(call, &parts))
		return;
	list = calloc(ids.n + 1, sizeof(*list));
	if (list == NULL) {
		call_no_memory(call);
		return;
	}
	store_lock(set->store);
	find_usual(call, set, &ids, &parts, list);
	store_unlock(set->store);
	if (call->status == 200) {
		json_open(&call->json, '{');
		json_key(&call->json, "series"), json_open(&call->json, '[');
		for (size_t i = 0; i < ids.n; i++)
			put_usual(&call->json, ids.list[i], &list[i]);
		json_close(&call->json, ']');
		json_close(&call->json, '}');
	}
	free(list);
}

// ---- The request ----------------------------------------------------------------------------

void
api_data(struct call *call)
{
	struct pictures *all;
	struct store_extent extent;
	struct store_window window;
	struct picture_grid grid;
	struct call_ids ids;
	uint64_t columns = 1000;
	struct set *set;
	bool any;
	bool drawn;

	if (!call_set(call, "set", &set) || !call_ids(call, set, true, &ids) ||
	    !call_window(call, &window) || !call_number(call, "columns", 1, 4000, &columns))
		return;
	all = calloc(1, sizeof(*all));
	if (all == NULL) {
		call_no_memory(call);
		return;
	}
	store_lock(set->store);
	any = cut(set->store, &window, (size_t)columns, &grid);
	extent = store_extent(set->store, &window);
	drawn = draw(call,
		     &(struct drawing){.store = set->store,
				       .ids = &ids,
				       .window = &window,
				       .grid = &grid,
				       .calc = &call->view->calc},
		     extent.samples, all);
	store_unlock(set->store);
	if (drawn) {
		json_open(&call->json, '{');
		put_window(&call->json, &grid, any, &extent);
		put_axes(&call->json, all);
		put_series(&call->json, all, &ids);
		json_close(&call->json, '}');
	}
	for (size_t i = 0; i < all->n; i++)
		picture_free(&all->list[i]);
	free(all);
}
