// cairo_heat.c - a heat map: a row an instance, time from left to right, the value as a colour
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>

#include "draw/canvas.h"

#define NAME_SHARE 0.28
#define ROW_LEAST  12.0
#define ROW_GOOD   16.0
#define ROW_MOST   120.0
#define MAP_GOOD   160.0 // of all rows together, at the least
#define ABOVE      28.0  // the name of the counter
#define SCALE      46.0  // below the map: its colours
#define TIME       24.0
#define SCALE_LONG 260.0

struct map {
	struct draw_box box;
	size_t rows; // at most as many as there are series
	double row;
};

// Names take what they need, but not most of the width.
static double
left_of(struct draw_canvas *c)
{
	double width = 30;

	draw_set_font(c, DRAW_FONT, false);
	for (size_t i = 0; i < c->figure->n; i++)
		width = fmax(width, draw_text_width(c, c->figure->series[i].label));
	return ceil(fmin(c->layout.margin + width + 10, c->picture->width * NAME_SHARE));
}

static struct map
lay_map(struct draw_canvas *c)
{
	double left = left_of(c);
	double top = c->layout.subtitle_base + ABOVE;
	double room = c->picture->height - top - TIME - SCALE;
	struct map map = {.rows = c->figure->n};

	if (room < (double)map.rows * ROW_LEAST)
		map.rows = (size_t)fmax(1, floor(room / ROW_LEAST));
	map.row = fmin(fmax(floor(room / (double)map.rows), 2), ROW_MOST);
	map.box = (struct draw_box){left, top, c->picture->width - left - DRAW_RIGHT,
				    map.row * (double)map.rows};
	return map;
}

static uint32_t
pixel(double place)
{
	struct draw_rgb rgb = draw_heat(place);

	return 0xFF000000u | (uint32_t)lround(rgb.r * 255) << 16 |
	       (uint32_t)lround(rgb.g * 255) << 8 | (uint32_t)lround(rgb.b * 255);
}

// The pixels of a row: the largest value of each column, and the next one where a column is empty,
// because the value of a pair is that of the time that led to it. What has no value is transparent.
static void
fill_row(const struct draw_figure *f, const struct draw_series *s, uint32_t *pixels)
{
	for (size_t i = 0; i < f->columns; i++) {
		size_t cover = draw_column_cover(f, s, i);

		pixels[i] = 0;
		if (cover < f->columns)
			pixels[i] = pixel(draw_column_place(f, s, s->columns[cover].maximum));
	}
}

// The cells of a row as an image of a pixel a cell, drawn large and without smoothing.
static void
draw_row(struct draw_canvas *c, const struct map *map, size_t i)
{
	int columns = (int)c->figure->columns;
	cairo_surface_t *image = cairo.image_surface_create(CAIRO_FORMAT_ARGB32, columns, 1);

	if (cairo.surface_status(image) == CAIRO_STATUS_SUCCESS) {
		cairo.surface_flush(image);
		fill_row(c->figure, &c->figure->series[i],
			 (uint32_t *)(void *)cairo.image_surface_get_data(image));
		cairo.surface_mark_dirty(image);
		cairo.save(c->cr);
		cairo.translate(c->cr, map->box.x, map->box.y + (double)i * map->row);
		cairo.scale(c->cr, map->box.width / columns, map->row);
		cairo.set_source_surface(c->cr, image, 0, 0);
		cairo.pattern_set_filter(cairo.get_source(c->cr), CAIRO_FILTER_NEAREST);
		cairo.rectangle(c->cr, 0, 0, columns, 1);
		cairo.fill(c->cr);
		cairo.restore(c->cr);
	}
	cairo.surface_destroy(image);
}

static void
draw_names(struct draw_canvas *c, const struct map *map)
{
	draw_set_font(c, DRAW_FONT, false);
	draw_set_colour(c, c->colours->text, 1);
	for (size_t i = 0; i < map->rows; i++)
		draw_label_within(c, map->box.x - 8, map->box.y + ((double)i + 0.5) * map->row + 4,
				  map->box.x - 8 - c->layout.margin, DRAW_FROM_RIGHT, i);
	// A line of page between rows that are high enough for it.
	draw_set_colour(c, c->colours->page, 1);
	for (size_t i = 1; map->row >= 20 && i < map->rows; i++)
		draw_hairline(c, map->box.x, map->box.y + (double)i * map->row,
			      map->box.x + map->box.width, map->box.y + (double)i * map->row);
}

// From which number to which the colours go.
static void
draw_scale(struct draw_canvas *c, const struct map *map)
{
	const struct draw_panel *p = &c->figure->panels[0];
	double width = fmin(SCALE_LONG, map->box.width / 2);
	struct draw_box box = {map->box.x + map->box.width - width,
			       map->box.y + map->box.height + TIME + 10, 1, 9};
	int every = p->axis.n > 6 ? 2 : 1;

	for (int i = 0; i < (int)width; i++) {
		draw_set_colour(c, draw_heat(i / (width - 1)), 1);
		draw_fill_box(c, &box);
		box.x++;
	}
	draw_set_colour(c, c->colours->muted, 1);
	draw_set_font(c, DRAW_FONT, false);
	for (int i = 0; i < p->axis.n; i += every) {
		double place = draw_axis_place(&p->axis, draw_axis_tick(&p->axis, i));
		double x = map->box.x + map->box.width - width * (1 - place);
		char label[48];

		draw_tick_text(p, i, label, sizeof(label));
		x = fmin(x, c->picture->width - draw_text_width(c, label) / 2 - 4);
		draw_text(c, x, box.y + 21, DRAW_CENTRED, label);
	}
}

double
draw_heat_map_height(const struct draw_figure *figure)
{
	return ABOVE + fmax(ROW_GOOD * (double)figure->n, MAP_GOOD) + TIME + SCALE;
}

void
draw_heat_map(struct draw_canvas *c)
{
	struct map map = lay_map(c);
	char more[64];

	if (c->figure->n == 0)
		return;
	draw_begin_group(c, "panel", c->figure->panels[0].heading);
	draw_set_font(c, DRAW_FONT, false);
	draw_set_colour(c, c->colours->text, 1);
	draw_text_within(c, map.box.x, map.box.y - 7, map.box.width, DRAW_FROM_LEFT,
			 c->figure->panels[0].heading);
	draw_time_axis(c, &map.box, NULL, 0);
	for (size_t i = 0; i < map.rows; i++) {
		draw_begin_series(c, i);
		draw_row(c, &map, i);
		draw_end_group(c);
	}
	draw_names(c, &map);
	draw_scale(c, &map);
	draw_end_group(c);
	if (map.rows == c->figure->n)
		return;
	(void)snprintf(more, sizeof(more), "and %zu more with lower averages",
		       c->figure->n - map.rows);
	draw_set_font(c, DRAW_FONT, false);
	draw_set_colour(c, c->colours->muted, 1);
	draw_text(c, c->layout.margin, map.box.y + map.box.height + TIME + 18, DRAW_FROM_LEFT,
		  more);
}
