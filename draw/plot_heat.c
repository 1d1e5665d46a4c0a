// plot_heat.c - a heat map: one row per instance, time from left to right, values as colours
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>

#include "draw/plot.h"

#define NAME_SHARE 0.28
#define ROW_LEAST  12.0
#define ROW_GOOD   16.0
#define ROW_MOST   120.0
#define MAP_GOOD   160.0 // the least height of all rows together
#define ABOVE      28.0  // for the name of the counter
#define SCALE      46.0  // below the map, for its colour scale
#define TIME       24.0
#define SCALE_LONG 260.0

struct map {
	struct draw_box box;
	size_t rows; // possibly fewer than series
	double row;
};

// Labels get the width that they need, but not most of the picture.
static double
left_of(struct draw_plot *plot)
{
	double width = 30;

	draw_set_font(plot->canvas, DRAW_FONT, false);
	for (size_t i = 0; i < plot->figure->n; i++)
		width = fmax(width, draw_text_width(plot, plot->figure->series[i].label));
	return ceil(fmin(plot->layout.margin + width + 10, plot->picture->width * NAME_SHARE));
}

static struct map
lay_map(struct draw_plot *plot)
{
	double left = left_of(plot);
	double top = plot->layout.subtitle_base + ABOVE;
	double room = plot->picture->height - top - TIME - SCALE;
	struct map map = {.rows = plot->figure->n};

	if (room < (double)map.rows * ROW_LEAST)
		map.rows = (size_t)fmax(1, floor(room / ROW_LEAST));
	map.row = fmin(fmax(floor(room / (double)map.rows), 2), ROW_MOST);
	map.box = (struct draw_box){left, top, plot->picture->width - left - DRAW_RIGHT,
				    map.row * (double)map.rows};
	return map;
}

// The cells of a row: the largest value of each column. An empty column gets the next value,
// because a value computed from two samples is for the time between them. Cells without a value are
// transparent.
static void
draw_row(struct draw_plot *plot, const struct map *map, size_t i)
{
	const struct draw_figure *f = plot->figure;
	const struct draw_series *s = &f->series[i];
	struct draw_box box = {map->box.x, map->box.y + (double)i * map->row, map->box.width,
			       map->row};
	uint8_t levels[DRAW_LARGEST] = {0};

	for (size_t j = 0; j < f->columns; j++) {
		size_t cover = draw_column_cover(f, s, j);

		if (cover < f->columns)
			levels[j] = draw_level(draw_column_place(f, s, s->columns[cover].maximum));
	}
	plot->canvas->calls->cells(plot->canvas, &box, levels, f->columns);
}

static void
draw_names(struct draw_plot *plot, const struct map *map)
{
	draw_set_font(plot->canvas, DRAW_FONT, false);
	draw_set_colour(plot->canvas, plot->colours->text, 1);
	for (size_t i = 0; i < map->rows; i++)
		draw_label_within(plot, map->box.x - 8,
				  map->box.y + ((double)i + 0.5) * map->row + 4,
				  map->box.x - 8 - plot->layout.margin, DRAW_FROM_RIGHT, i);
	// Separate rows that are high enough by a line in the page's colour.
	draw_set_colour(plot->canvas, plot->colours->page, 1);
	for (size_t i = 1; map->row >= 20 && i < map->rows; i++)
		draw_hairline(plot->canvas, map->box.x, map->box.y + (double)i * map->row,
			      map->box.x + map->box.width, map->box.y + (double)i * map->row);
}

// The colour scale with the numbers at its ends.
static void
draw_scale(struct draw_plot *plot, const struct map *map)
{
	const struct draw_panel *p = &plot->figure->panels[0];
	double width = fmin(SCALE_LONG, map->box.width / 2);
	struct draw_box box = {map->box.x + map->box.width - width,
			       map->box.y + map->box.height + TIME + 10, width, 9};
	int every = p->axis.n > 6 ? 2 : 1;
	uint8_t levels[DRAW_LEVELS];

	for (unsigned i = 0; i < DRAW_LEVELS; i++)
		levels[i] = (uint8_t)(i + 1);
	plot->canvas->calls->cells(plot->canvas, &box, levels, DRAW_LEVELS);
	draw_set_colour(plot->canvas, plot->colours->muted, 1);
	draw_set_font(plot->canvas, DRAW_FONT, false);
	for (int i = 0; i < p->axis.n; i += every) {
		double place = draw_axis_place(&p->axis, draw_axis_tick(&p->axis, i));
		double x = map->box.x + map->box.width - width * (1 - place);
		char label[48];

		draw_tick_text(p, i, label, sizeof(label));
		x = fmin(x, plot->picture->width - draw_text_width(plot, label) / 2 - 4);
		draw_text(plot, x, box.y + 21, DRAW_CENTRED, label);
	}
}

double
draw_heat_map_height(const struct draw_figure *figure)
{
	return ABOVE + fmax(ROW_GOOD * (double)figure->n, MAP_GOOD) + TIME + SCALE;
}

void
draw_heat_map(struct draw_plot *plot)
{
	struct map map = lay_map(plot);
	char more[64];

	if (plot->figure->n == 0)
		return;
	draw_begin_group(plot, "panel", plot->figure->panels[0].heading);
	draw_set_font(plot->canvas, DRAW_FONT, false);
	draw_set_colour(plot->canvas, plot->colours->text, 1);
	draw_text_within(plot, map.box.x, map.box.y - 7, map.box.width, DRAW_FROM_LEFT,
			 plot->figure->panels[0].heading);
	draw_time_axis(plot, &map.box, NULL, 0);
	for (size_t i = 0; i < map.rows; i++) {
		draw_begin_series(plot, i);
		draw_row(plot, &map, i);
		draw_end_group(plot);
	}
	draw_names(plot, &map);
	draw_scale(plot, &map);
	draw_end_group(plot);
	if (map.rows == plot->figure->n)
		return;
	(void)snprintf(more, sizeof(more), "and %zu more with lower averages",
		       plot->figure->n - map.rows);
	draw_set_font(plot->canvas, DRAW_FONT, false);
	draw_set_colour(plot->canvas, plot->colours->muted, 1);
	draw_text(plot, plot->layout.margin, map.box.y + map.box.height + TIME + 18, DRAW_FROM_LEFT,
		  more);
}
