// picture.c - reduce a window of a series to columns of pixels
// SPDX-License-Identifier: MIT

#include "web/picture.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/calc.h"
#include "query/spread.h"

#define P5         5000 // thousandths of a percent
#define P95        95000
#define UNIX_EPOCH INT64_C(116444736000000000) // 1970-01-01 in 100 ns since 1601

// One column while it is filled.
struct column {
	double low;
	double high;
	double sum;
	size_t n; // values
	bool has_sample;
};

// The values for a percentile.
struct spread {
	struct pmon_spread values;
	struct pmon_arena arena;
};

struct canvas {
	struct picture *picture;
	const struct picture_grid *grid;
	struct column *columns;
	pmon_time newest; // of the exact points
	struct spread spread;
};

double
picture_ms(pmon_time time)
{
	return (double)(time - UNIX_EPOCH) / (double)PMON_TIME_PER_MSEC;
}

static size_t
column_of(const struct picture_grid *grid, pmon_time time)
{
	double span = (double)(grid->to - grid->from);
	double at = (double)(time - grid->from) * (double)grid->columns;

	if (span <= 0 || at <= 0)
		return 0;
	at /= span;
	return at < (double)grid->columns ? (size_t)at : grid->columns - 1;
}

// Exact points are kept as long as there is room and time moves forward.
static void
add_exact(struct canvas *canvas, pmon_time time, const struct pmon_value *value)
{
	struct picture *p = canvas->picture;
	bool has_value = value != NULL && pmon_vstat_has_value(value->status);

	p->exact = p->exact && p->n < p->cap && (p->n == 0 || time >= canvas->newest);
	if (!p->exact)
		return;
	p->points[p->n] = (struct picture_point){.ms = picture_ms(time), .has_value = has_value};
	if (has_value)
		p->points[p->n].low = p->points[p->n].high = p->points[p->n].mean = value->value;
	p->n++;
	canvas->newest = time;
}

// value NULL: the series was absent.
static void
add_shown(struct canvas *canvas, pmon_time time, const struct pmon_value *value)
{
	struct column *c = &canvas->columns[column_of(canvas->grid, time)];

	add_exact(canvas, time, value);
	c->has_sample = true;
	if (value == NULL || !pmon_vstat_has_value(value->status))
		return;
	if (c->n == 0 || value->value < c->low)
		c->low = value->value;
	if (c->n == 0 || value->value > c->high)
		c->high = value->value;
	c->sum += value->value;
	c->n++;
}

static void
draw_columns(struct canvas *canvas)
{
	const struct picture_grid *grid = canvas->grid;
	struct picture *p = canvas->picture;
	double from = picture_ms(grid->from);
	double width = (picture_ms(grid->to) - from) / (double)grid->columns;

	p->n = 0;
	for (size_t i = 0; i < grid->columns; i++) {
		const struct column *c = &canvas->columns[i];

		if (c->has_sample)
			p->points[p->n++] = (struct picture_point){
				.ms = floor(from + ((double)i + 0.5) * width),
				.low = c->low,
				.high = c->high,
				.mean = c->n > 0 ? c->sum / (double)c->n : 0,
				.has_value = c->n > 0};
	}
}

// Add a raw value to the statistics, weighted by the time that it covers. After an absence, a level
// says nothing about the time before it. False if memory runs out.
static bool
add_value(struct spread *spread, struct store_walk *walk, const struct pmon_raw *raw,
	  bool is_counted, struct pmon_value *shown)
{
	bool is_next = !walk->gap || pmon_calc_needs_two(&walk->stats.calc);
	struct pmon_raw older;
	bool has_older = is_next && pmon_spread_older(&walk->stats, &older);

	*shown = pmon_stats_add(&walk->stats, raw);
	return !is_counted || !pmon_vstat_has_value(shown->status) ||
	       pmon_spread_add(&spread->values, &spread->arena, PMON_KEEP_PERCENTILES,
			       has_older ? &older : NULL, raw, shown->value);
}

static bool
draw_walk(struct canvas *canvas, struct store_walk *walk)
{
	const struct store *store = walk->cursor.store;
	pmon_time before = PMON_TIME_NONE;
	struct store_value value;

	while (store_walk_next(walk, &value)) {
		pmon_time time = store_sample_at(store, value.at)->time;
		struct pmon_value shown;

		if (walk->gap && before != PMON_TIME_NONE)
			add_shown(canvas, before + (time - before) / 2, NULL);
		if (!add_value(&canvas->spread, walk, &value.raw, true, &shown))
			return false;
		add_shown(canvas, time, &shown);
		before = time;
	}
	return true;
}

static void
open_spread(struct spread *spread, const struct store *store, uint32_t id)
{
	*spread = (struct spread){.values = {.has_value = false}};
	pmon_spread_begin(&spread->values, pmon_schema_at(store_schema(store), id));
	pmon_arena_init(&spread->arena, pmon_mem_allocator(NULL));
}

bool
picture_draw(struct picture *picture, const struct store *store, uint32_t id,
	     const struct store_window *window, const struct picture_grid *grid,
	     const struct pmon_calc_options *options)
{
	struct canvas canvas = {.picture = picture, .grid = grid};
	struct store_walk walk;
	bool good;

	*picture = (struct picture){.exact = true, .cap = 2 * grid->columns};
	picture->points = malloc(picture->cap * sizeof(*picture->points));
	canvas.columns = calloc(grid->columns, sizeof(*canvas.columns));
	if (picture->points == NULL || canvas.columns == NULL) {
		free(canvas.columns);
		return false;
	}
	store_walk_open(&walk, store, id, window, options);
	open_spread(&canvas.spread, store, id);
	good = draw_walk(&canvas, &walk);
	if (!picture->exact)
		draw_columns(&canvas);
	free(canvas.columns);
	picture->stats = walk.stats;
	picture->p95 = pmon_spread_percentile(&canvas.spread.values, &walk.stats, P95);
	picture->failed = walk.cursor.failed;
	pmon_arena_free(&canvas.spread.arena);
	return good;
}

static bool
is_outside(const struct store_window *parts, size_t n, pmon_time time)
{
	for (size_t i = 0; i < n; i++)
		if (time >= parts[i].from && time <= parts[i].to)
			return false;
	return true;
}

bool
picture_usual(struct picture_usual *usual, const struct store *store, uint32_t id,
	      const struct store_window *parts, size_t n, const struct pmon_calc_options *options)
{
	const struct store_window whole = {PMON_TIME_NONE, PMON_TIME_NONE};
	struct store_walk walk;
	struct store_value value;
	struct spread spread;
	bool good = true;

	*usual = (struct picture_usual){.values = 0};
	open_spread(&spread, store, id);
	store_walk_open(&walk, store, id, &whole, options);
	while (good && store_walk_next(&walk, &value)) {
		pmon_time time = store_sample_at(store, value.at)->time;
		bool is_counted = is_outside(parts, n, time);
		struct pmon_value shown;

		good = add_value(&spread, &walk, &value.raw, is_counted, &shown);
		usual->values += is_counted && pmon_vstat_has_value(shown.status);
	}
	usual->low = pmon_spread_percentile(&spread.values, &walk.stats, P5);
	usual->high = pmon_spread_percentile(&spread.values, &walk.stats, P95);
	usual->failed = walk.cursor.failed;
	pmon_arena_free(&spread.arena);
	return good;
}

void
picture_free(struct picture *picture)
{
	free(picture->points);
}
