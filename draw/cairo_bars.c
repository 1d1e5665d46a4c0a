// cairo_bars.c - a bar a series: its average, with a whisker from minimum to maximum
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>

#include "draw/canvas.h"
#include "draw/label.h"

#define HEADING    20.0
#define AXIS       22.0
#define ROW_LEAST  13.0
#define ROW_GOOD   18.0
#define ROW_MOST   26.0
#define NUMBER     70.0 // after the bars
#define NAME_SHARE 0.36

// Rows of a panel, one a series, and where its bars are.
struct rows {
	size_t panel;
	struct draw_box box; // of bars
	double row;          // height of one
};

static size_t
count_of(const struct draw_figure *f, size_t panel)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->series[i].panel == panel;
	return n;
}

static void
draw_axis(struct draw_canvas *c, const struct rows *rows)
{
	const struct draw_panel *p = &c->figure->panels[rows->panel];
	const struct draw_box *box = &rows->box;

	draw_set_font(c, DRAW_FONT, false);
	draw_set_colour(c, c->colours->muted, 1);
	draw_text_within(c, c->layout.margin, box->y - 7, c->picture->width * 0.6, DRAW_FROM_LEFT,
			 p->heading);
	draw_text(c, box->x + box->width + NUMBER - 8, box->y - 7, DRAW_FROM_RIGHT,
		  "Average; thin line: minimum to maximum");
	for (int i = 0; i < p->axis.n; i++) {
		double tick = draw_axis_tick(&p->axis, i);
		double x = box->x + draw_axis_place(&p->axis, tick) * box->width;
		char label[48];

		draw_set_colour(c, tick == 0 ? c->colours->axis : c->colours->grid, 1);
		draw_hairline(c, x, box->y, x, box->y + box->height);
		draw_tick_text(p, i, label, sizeof(label));
		draw_set_colour(c, c->colours->muted, 1);
		draw_text(c, x, box->y + box->height + 14, DRAW_CENTRED, label);
	}
}

static void
draw_whisker(struct draw_canvas *c, const struct rows *rows, const struct draw_series *s, double y)
{
	double from = rows->box.x + draw_place(c->figure, s, s->minimum.value) * rows->box.width;
	double to = rows->box.x + draw_place(c->figure, s, s->maximum.value) * rows->box.width;

	draw_set_colour(c, c->colours->text, 1);
	draw_hairline(c, from, y, to, y);
	draw_hairline(c, from, y - 3, from, y + 3);
	draw_hairline(c, to, y - 3, to, y + 3);
}

static void
draw_bar(struct draw_canvas *c, const struct rows *rows, size_t i, double y)
{
	const struct draw_series *s = &c->figure->series[i];
	const struct draw_box *box = &rows->box;
	const struct draw_axis *axis = &c->figure->panels[rows->panel].axis;
	double zero = box->x + draw_axis_place(axis, 0) * box->width;
	double thick = fmax(2, floor(rows->row * 0.6));
	double end = box->x + draw_place(c->figure, s, s->average.value) * box->width;
	struct draw_box bar = {fmin(zero, end), floor(y - thick / 2), fabs(end - zero), thick};
	char text[48];

	draw_set_colour(c, c->colours->text, 1);
	draw_label_within(c, box->x - 8, y + 4, box->x - 8 - c->layout.margin, DRAW_FROM_RIGHT, i);
	if (pmon_vstat_has_value(s->average.status)) {
		draw_set_series(c, rows->panel, 1);
		draw_fill_box(c, &bar);
	}
	if (pmon_vstat_has_value(s->minimum.status))
		draw_whisker(c, rows, s, floor(y));
	draw_set_colour(c, c->colours->text, 1);
	if (pmon_vstat_has_value(s->average.status))
		draw_amount(s->average.value, &s->unit, text, sizeof(text));
	else
		draw_value_text(c->figure, s, &s->average, text, sizeof(text));
	draw_text(c, box->x + box->width + NUMBER - 8, y + 4, DRAW_FROM_RIGHT, text);
}

static void
draw_limits(struct draw_canvas *c, const struct rows *rows)
{
	const struct draw_panel *p = &c->figure->panels[rows->panel];
	double place;

	for (size_t i = 0; i < c->figure->n_thresholds; i++) {
		if (!draw_threshold_place(c->figure, p, &c->figure->thresholds[i], &place))
			continue;
		place = rows->box.x + place * rows->box.width;
		draw_set_colour(c, c->colours->alarm, 1);
		draw_hairline(c, place, rows->box.y, place, rows->box.y + rows->box.height);
		draw_text(c, place, rows->box.y - 3, DRAW_CENTRED, c->figure->thresholds[i].text);
	}
}

// The rows of a panel, of which at most `most` have room. Returns how many.
static size_t
draw_rows(struct draw_canvas *c, struct rows *rows, size_t most)
{
	const struct draw_figure *f = c->figure;
	size_t n = count_of(f, rows->panel);
	size_t drawn = 0;

	n = n < most ? n : most;
	rows->box.height = rows->row * (double)n;
	draw_begin_group(c, "panel", f->panels[rows->panel].heading);
	draw_axis(c, rows);
	for (size_t i = 0; i < f->n && drawn < n; i++) {
		if (f->series[i].panel != rows->panel)
			continue;
		draw_begin_series(c, i);
		draw_bar(c, rows, i, rows->box.y + ((double)drawn + 0.5) * rows->row);
		draw_end_group(c);
		drawn++;
	}
	draw_limits(c, rows);
	draw_end_group(c);
	return n;
}

double
draw_bars_height(const struct draw_figure *figure)
{
	return 8 + (HEADING + AXIS) * (double)figure->n_panels + ROW_GOOD * (double)figure->n;
}

void
draw_bars(struct draw_canvas *c)
{
	const struct draw_figure *f = c->figure;
	double top = c->layout.subtitle_base + 8;
	double room = c->picture->height - top - c->layout.margin - 4 -
		      (HEADING + AXIS) * (double)f->n_panels;
	double fitting = fmax(floor(room / ROW_LEAST), (double)f->n_panels);
	double share = fmin(fitting / (double)f->n, 1); // of the rows of each panel
	double left = floor(c->picture->width * NAME_SHARE);
	size_t drawn = 0;

	for (size_t p = 0; p < f->n_panels; p++) {
		size_t most = (size_t)fmax(1, floor(share * (double)count_of(f, p)));
		struct rows rows = {.panel = p};

		rows.row = fmin(room / ((double)f->n * share), ROW_MOST);
		rows.box =
			(struct draw_box){left, top + HEADING,
					  c->picture->width - left - NUMBER - c->layout.margin, 0};
		drawn += draw_rows(c, &rows, most);
		top = rows.box.y + rows.box.height + AXIS;
	}
	if (drawn < f->n) {
		char more[64];

		(void)snprintf(more, sizeof(more), "and %zu more with lower averages",
			       f->n - drawn);
		draw_set_colour(c, c->colours->muted, 1);
		draw_text(c, left - 24, top - 8, DRAW_FROM_RIGHT, more);
	}
}
