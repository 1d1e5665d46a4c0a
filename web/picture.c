// picture.c - what a window of a series looks like on so many columns of pixels
// SPDX-License-Identifier: MIT

#include "web/picture.h"

#include <math.h>
#include <stdlib.h>

#define UNIX_EPOCH INT64_C(116444736000000000) // 1970-01-01 in 100 ns since 1601

// One column while it is filled.
struct column {
	double low;
	double high;
	double sum;
	size_t n; // values
	bool has_sample;
};

struct canvas {
	struct picture *picture;
	const struct picture_grid *grid;
	struct column *columns;
	pmon_time newest; // of the exact points
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

// Exact points are kept as long as there is room for them and time goes forward.
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
add(struct canvas *canvas, pmon_time time, const struct pmon_value *value)
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

static void
draw_walk(struct canvas *canvas, struct store_walk *walk)
{
	const struct store *store = walk->cursor.store;
	pmon_time before = PMON_TIME_NONE;
	struct store_value value;

	while (store_walk_next(walk, &value)) {
		pmon_time time = store_sample_at(store, value.at)->time;
		struct pmon_value shown;

		if (walk->gap && before != PMON_TIME_NONE)
			add(canvas, before + (time - before) / 2, NULL);
		shown = pmon_stats_add(&walk->stats, &value.raw);
		add(canvas, time, &shown);
		before = time;
	}
}

bool
picture_draw(struct picture *picture, const struct store *store, uint32_t id,
	     const struct store_window *window, const struct picture_grid *grid,
	     const struct pmon_calc_options *options)
{
	struct canvas canvas = {.picture = picture, .grid = grid};
	struct store_walk walk;

	*picture = (struct picture){.exact = true, .cap = 2 * grid->columns};
	picture->points = malloc(picture->cap * sizeof(*picture->points));
	canvas.columns = calloc(grid->columns, sizeof(*canvas.columns));
	if (picture->points == NULL || canvas.columns == NULL) {
		free(canvas.columns);
		return false;
	}
	store_walk_open(&walk, store, id, window, options);
	draw_walk(&canvas, &walk);
	if (!picture->exact)
		draw_columns(&canvas);
	free(canvas.columns);
	picture->stats = walk.stats;
	picture->failed = walk.cursor.failed;
	return true;
}

void
picture_free(struct picture *picture)
{
	free(picture->points);
}
