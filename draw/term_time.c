// term_time.c - panels over time as text: lines of Braille dots, stacks of blocks
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/label.h"
#include "draw/page.h"

#define ALARM 196 // an index into the 256 colours

// The dots of a panel: two by four per cell, or one if only ASCII is available.
struct dots {
	struct draw_page *page;
	struct draw_area area;
	int per_x;
	int per_y;
	size_t series;
};

static struct dots
dots_of(struct draw_page *p, const struct draw_area *area)
{
	bool ascii = p->terminal->ascii;

	return (struct dots){
		.page = p, .area = *area, .per_x = ascii ? 1 : 2, .per_y = ascii ? 1 : 4};
}

// y counts from the bottom.
static void
set_dot(struct dots *d, int x, int y)
{
	// Dots 1 2 3 7 are the left side from top to bottom, 4 5 6 8 the right one.
	static const uint8_t bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
	int down = d->area.height * d->per_y - 1 - y;
	struct draw_cell *cell;

	if (x < 0 || x >= d->area.width * d->per_x || down < 0 || y < 0)
		return;
	cell = draw_cell_at(d->page, d->area.x + x / d->per_x, d->area.y + down / d->per_y);
	cell->colour = draw_page_colour(d->page, d->series);
	if (d->page->terminal->ascii) {
		cell->character = (uint32_t)(unsigned char)draw_letter(d->series);
		return;
	}
	cell->character = 0;
	cell->dots |= bits[x % 2][down % 4];
}

static int
row_of(const struct dots *d, double value)
{
	const struct draw_figure *f = d->page->figure;
	double place = draw_column_place(f, &f->series[d->series], value);

	place = fmin(fmax(place, 0), 1);
	return (int)(place * (d->area.height * d->per_y - 1) + 0.5);
}

static void
set_dots(struct dots *d, int x, int y0, int y1)
{
	for (int y = y0 < y1 ? y0 : y1; y <= y0 || y <= y1; y++)
		set_dot(d, x, y);
}

static int
column_x(const struct dots *d, size_t column)
{
	return (int)(column * (size_t)(d->area.width * d->per_x) / d->page->figure->columns);
}

struct end {
	int x;
	int y;
	bool any;
};

// Draw a line from its end to a point: in each x, the part of the line within it.
static void
lead_to(struct dots *d, const struct end *end, int x, int y, int floor_y)
{
	int previous = end->y;

	for (int i = end->x + 1; i <= x; i++) {
		int next = end->y + (int)lround((double)(y - end->y) * (i - end->x) / (x - end->x));
		int from = next > previous ? previous + 1 : next < previous ? previous - 1 : next;

		set_dots(d, i, floor_y >= 0 ? floor_y : from, next);
		previous = next;
	}
}

// Draw the line of a series; floor_y is the base of its area, or -1.
static void
draw_line(struct dots *d, int floor_y)
{
	const struct draw_figure *f = d->page->figure;
	const struct draw_series *s = &f->series[d->series];
	struct end end = {.any = false};

	for (size_t i = 0; i < f->columns; i++) {
		const struct pmon_envelope_column *c = &s->columns[i];
		int x = column_x(d, i);

		if (c->count == 0)
			continue;
		if (end.any && c->joined)
			lead_to(d, &end, x, row_of(d, c->first), floor_y);
		set_dots(d, x, floor_y >= 0 ? floor_y : row_of(d, c->minimum),
			 row_of(d, c->maximum));
		end = (struct end){x, row_of(d, c->last), true};
	}
}

// ---- Stacks ---------------------------------------------------------------------------------

// The height of a sum at x in eighths of a cell; -1 if it has no value.
static int
eighths_of(const struct dots *d, const struct draw_series *s, int x)
{
	const struct draw_figure *f = d->page->figure;
	size_t first = (size_t)x * f->columns / (size_t)d->area.width;
	size_t end = ((size_t)x + 1) * f->columns / (size_t)d->area.width;
	double best = -1;

	for (size_t i = first; i < end || i == first; i++) {
		size_t cover = draw_column_cover(f, s, i);

		if (cover < f->columns)
			best = fmax(best, draw_column_place(f, s, s->columns[cover].maximum));
	}
	return best < 0 ? -1 : (int)lround(fmin(best, 1) * d->area.height * 8);
}

// The character that fills this many eighths of a cell; 0 if that would be invisible.
static uint32_t
block_of(const struct dots *d, int eighths)
{
	bool parts = !d->page->terminal->ascii && d->page->terminal->colour;

	if (parts && eighths > 0 && eighths < 8)
		return 0x2580 + (uint32_t)eighths;
	return eighths >= 4 ? draw_fill_of(d->page, d->series) : 0;
}

// Fill from the bottom to the sum. The preceding series are drawn over it later.
static void
draw_stack(struct dots *d)
{
	const struct draw_series *s = &d->page->figure->series[d->series];

	for (int x = 0; x < d->area.width; x++) {
		int eighths = eighths_of(d, s, x);

		for (int y = 0; y * 8 < eighths; y++) {
			uint32_t block = block_of(d, eighths - y * 8);
			bool part = block > 0x2580 && block < 0x2588;
			struct draw_cell *cell = draw_cell_at(d->page, d->area.x + x,
							      d->area.y + d->area.height - 1 - y);

			// If two series share a cell, the one with the larger part gets it.
			if (block == 0 || (part && cell->character == 0x2588 && eighths % 8 < 4))
				continue;
			if (part && cell->character == 0x2588)
				block = 0x2588;
			*cell = (struct draw_cell){.character = block,
						   .colour = draw_page_colour(d->page, d->series)};
		}
	}
}

// ---- Around the lines -----------------------------------------------------------------------

static int
tick_row(const struct draw_area *area, const struct draw_panel *panel, int tick)
{
	double place = draw_axis_place(&panel->axis, draw_axis_tick(&panel->axis, tick));

	return area->y + (int)lround((1 - place) * (area->height - 1));
}

static void
draw_axis(struct draw_page *p, const struct draw_area *area, const struct draw_panel *panel)
{
	for (int y = 0; y < area->height; y++)
		*draw_cell_at(p, area->x - 1, area->y + y) = (struct draw_cell){
			.character = draw_either(p, 0x2502, '|'), .colour = DRAW_DIM};
	for (int i = 0; i < panel->axis.n; i++) {
		int y = tick_row(area, panel, i);
		char label[48];
		char shown[sizeof(label) + 8];

		draw_tick_text(panel, i, label, sizeof(label));
		draw_tail(label, (size_t)area->x - 2, p->terminal->ascii, shown, sizeof(shown));
		draw_page_text_right(p, area->x - 2, y, DRAW_DIM, shown);
		*draw_cell_at(p, area->x - 1, y) = (struct draw_cell){
			.character = draw_either(p, 0x2524, '+'), .colour = DRAW_DIM};
	}
}

static void
draw_threshold(struct draw_page *p, const struct draw_area *area, double place, const char *text)
{
	int y = area->y + (int)lround((1 - place) * (area->height - 1));

	for (int x = 0; x < area->width; x++) {
		struct draw_cell *cell = draw_cell_at(p, area->x + x, y);

		if (cell->character == 0 && cell->dots == 0)
			*cell = (struct draw_cell){.character = draw_either(p, 0x254C, '-'),
						   .colour = ALARM};
	}
	draw_page_text_right(p, area->x + area->width, y, ALARM, text);
}

// Put the letter of each series at the height of its last value, and below others if these are
// already there.
static void
draw_letters(struct draw_page *p, const struct draw_area *area, size_t panel)
{
	const struct draw_figure *f = p->figure;

	for (size_t i = 0; i < f->n; i++) {
		const struct draw_series *s = &f->series[i];
		char letter[2] = {draw_letter(i), '\0'};
		size_t last = f->columns;
		int y;

		while (last > 0 && s->columns[last - 1].count == 0)
			last--;
		if (s->panel != panel || last == 0)
			continue;
		y = (int)lround((1 - draw_column_place(f, s, s->columns[last - 1].last)) *
				(area->height - 1));
		for (int x = 1; x < DRAW_TERM_RIGHT; x++) {
			struct draw_cell *cell =
				draw_cell_at(p, area->x + area->width + x, area->y + y);

			if (cell->character != 0)
				continue;
			draw_page_text(p, area->x + area->width + x, area->y + y,
				       draw_page_colour(p, i), 1, letter);
			break;
		}
	}
}

static void
draw_missing(struct draw_page *p, const struct draw_area *area, size_t panel)
{
	const struct draw_figure *f = p->figure;

	for (size_t i = 0; i < f->n; i++)
		for (size_t c = 0; f->series[i].panel == panel && c < f->columns; c++)
			if (f->series[i].columns[c].missing != PMON_V_OK)
				*draw_cell_at(p,
					      area->x + (int)(c * (size_t)area->width / f->columns),
					      area->y + area->height - 1) = (struct draw_cell){
					.character = draw_either(p, 0xD7, '!'), .colour = ALARM};
}

static void
draw_series_of(struct draw_page *p, const struct draw_area *area, size_t panel)
{
	const struct draw_figure *f = p->figure;
	struct dots d = dots_of(p, area);

	// The first series are on top. In areas the last ones are, because they are smaller in a
	// sorted list.
	for (size_t n = 0; n < f->n; n++) {
		size_t i = f->kind == DRAW_AREA ? n : f->n - 1 - n;
		double zero = draw_axis_place(&f->panels[panel].axis, 0);
		int floor_y = (int)lround(fmin(fmax(zero, 0), 1) * (area->height * d.per_y - 1));

		d.series = i;
		if (f->series[i].panel != panel)
			continue;
		if (f->series[i].is_stacked)
			draw_stack(&d);
		else
			draw_line(&d, f->kind == DRAW_AREA ? floor_y : -1);
	}
}

static void
draw_panel(struct draw_page *p, const struct draw_area *area, size_t panel)
{
	const struct draw_figure *f = p->figure;
	char heading[DRAW_LABEL + 8];
	double place;

	draw_elide(f->panels[panel].heading, (size_t)area->width, p->terminal->ascii, heading,
		   sizeof(heading));
	draw_page_text(p, area->x, area->y - 1, DRAW_PLAIN, area->width, heading);
	draw_axis(p, area, &f->panels[panel]);
	draw_series_of(p, area, panel);
	for (size_t i = 0; i < f->n_thresholds; i++)
		if (draw_threshold_place(f, &f->panels[panel], &f->thresholds[i], &place))
			draw_threshold(p, area, place, f->thresholds[i].text);
	draw_missing(p, area, panel);
	draw_letters(p, area, panel);
}

// The time of the incident, on the line of the time axis.
static void
draw_incident(struct draw_page *p, int y, int width)
{
	const struct draw_figure *f = p->figure;
	double length = (double)(f->to - f->from);

	for (int x = 0; f->has_incident && x < width; x++) {
		double t = (x + 0.5) / width * length;

		if (t >= (double)(f->incident_from - f->from) &&
		    t <= (double)(f->incident_to - f->from))
			*draw_cell_at(p, DRAW_TERM_LEFT + x, y) = (struct draw_cell){
				.character = draw_either(p, 0x2501, '='), .colour = ALARM};
	}
}

void
draw_page_panels(struct draw_page *p, int bottom)
{
	int panels = (int)p->figure->n_panels;
	int width = p->width - DRAW_TERM_LEFT - DRAW_TERM_RIGHT;
	int rows = bottom - 2 - p->next;
	struct draw_area times = {DRAW_TERM_LEFT, bottom - 1, width, 1};

	for (int i = 0; i < panels; i++) {
		int top = p->next + rows * i / panels + 1;
		struct draw_area area = {DRAW_TERM_LEFT, top, width,
					 p->next + rows * (i + 1) / panels - top};

		draw_panel(p, &area, (size_t)i);
	}
	for (int x = -1; x < width; x++)
		*draw_cell_at(p, DRAW_TERM_LEFT + x, bottom - 2) =
			(struct draw_cell){.character = x < 0 ? draw_either(p, 0x2514, '+')
							      : draw_either(p, 0x2500, '-'),
					   .colour = DRAW_DIM};
	draw_incident(p, bottom - 2, width);
	draw_page_times(p, &times, true);
	p->next = bottom;
}
