// term_heat.c - a heat map of cells: one row per instance
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>

#include "draw/colour.h"
#include "draw/label.h"
#include "draw/page.h"

// The characters for 0..1 without colour.
static struct draw_cell
heat_cell(const struct draw_page *p, double place)
{
	static const uint32_t shades[] = {0x00B7, 0x2591, 0x2592, 0x2593, 0x2588};
	static const char marks[] = ".:-=+*#%@";

	place = fmin(fmax(place, 0), 0.9999);
	if (p->terminal->colour)
		return (struct draw_cell){.character = draw_either(p, 0x2588, '#'),
					  .colour = (uint16_t)draw_heat_256(place)};
	if (p->terminal->ascii)
		return (struct draw_cell){
			.character = (uint32_t)marks[(int)(place * (sizeof(marks) - 1))],
			.colour = DRAW_PLAIN};
	return (struct draw_cell){.character = shades[(int)(place * 5)], .colour = DRAW_PLAIN};
}

static void
put_cell(struct draw_page *p, const struct draw_area *map, size_t i, int x)
{
	const struct draw_figure *f = p->figure;
	const struct draw_series *s = &f->series[i];
	size_t first = (size_t)x * f->columns / (size_t)map->width;
	size_t end = ((size_t)x + 1) * f->columns / (size_t)map->width;
	double best = -1;

	for (size_t c = first; c < end || c == first; c++) {
		size_t cover = draw_column_cover(f, s, c);

		if (cover < f->columns)
			best = fmax(best, draw_column_place(f, s, s->columns[cover].maximum));
	}
	if (best >= 0)
		*draw_cell_at(p, map->x + x, map->y + (int)i) = heat_cell(p, best);
}

static void
put_scale(struct draw_page *p, int y)
{
	const struct draw_panel *panel = &p->figure->panels[0];
	double last =
		draw_axis_place(&panel->axis, draw_axis_tick(&panel->axis, panel->axis.n - 1));
	int width = 20;
	char low[48];
	char high[48];
	int x;

	draw_tick_text(panel, 0, low, sizeof(low));
	draw_tick_text(panel, panel->axis.n - 1, high, sizeof(high));
	x = p->width - width - 4 - (int)draw_characters(low) - (int)draw_characters(high);
	x += draw_page_text(p, x, y, DRAW_DIM, p->width, low) + 1;
	for (int i = 0; i < width; i++)
		*draw_cell_at(p, x + i, y) = heat_cell(p, last * i / (width - 1));
	draw_page_text(p, x + width + 1, y, DRAW_DIM, p->width, high);
}

void
draw_page_heat(struct draw_page *p)
{
	const struct draw_figure *f = p->figure;
	int name = p->width / 3 < 30 ? p->width / 3 : 30;
	int rows = p->height - p->next - 5;
	struct draw_area map = {name + 1, p->next + 1, p->width - name - 1, (int)f->n};
	struct draw_area times = map;
	char text[DRAW_LABEL + 8];

	if (f->n == 0)
		return;
	map.height = map.height > rows ? rows : map.height;
	draw_elide(f->panels[0].heading, (size_t)map.width, p->terminal->ascii, text, sizeof(text));
	draw_page_text(p, map.x, p->next, DRAW_PLAIN, map.width, text);
	for (int i = 0; i < map.height; i++) {
		draw_label_text(f, (size_t)i, (size_t)name, p->terminal->ascii, text, sizeof(text));
		draw_page_text(p, 0, map.y + i, DRAW_PLAIN, name, text);
		for (int x = 0; x < map.width; x++)
			put_cell(p, &map, (size_t)i, x);
	}
	times.y = map.y + map.height;
	draw_page_times(p, &times, false);
	put_scale(p, times.y + 1);
	if (map.height < (int)f->n) {
		(void)snprintf(text, sizeof(text), "and %d more with lower averages",
			       (int)f->n - map.height);
		draw_page_text(p, 0, times.y + 1, DRAW_DIM, p->width, text);
	}
	p->next = times.y + 2;
}
