// plot_bars.c - one bar per series: its average, with a whisker from minimum to maximum
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "draw/plot.h"
#include "draw/label.h"

#define HEADING       20.0
#define AXIS          22.0
#define ROW_LEAST     13.0
#define ROW_GOOD      18.0
#define ROW_MOST      26.0
#define NUMBER        70.0 // after the bars
#define NAME_SHARE    0.36
#define HEADING_SHARE 0.4 // the width of the labels relative to the bars

// The rows of a panel, one per series, and the area for its bars.
struct rows {
	size_t panel;
	struct draw_box box; // of bars
	double row;          // the height of a row
};

static size_t
count_of(const struct draw_figure *f, size_t panel)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->series[i].panel == panel;
	return n;
}

// What the bars and marks mean; the marks only in the first panel.
static void
write_meaning(const struct draw_figure *f, size_t panel, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);
	char marks[DRAW_LABEL];

	pmon_text_str(&t, "Average");
	if (panel == 0 && draw_marks_text(f, marks, sizeof(marks)) > 0) {
		pmon_text_str(&t, " (");
		pmon_text_str(&t, marks);
		pmon_text_str(&t, ")");
	}
	pmon_text_str(&t, "; thin line: minimum to maximum");
}

static void
draw_axis(struct draw_plot *plot, const struct rows *rows)
{
	const struct draw_panel *p = &plot->figure->panels[rows->panel];
	const struct draw_box *box = &rows->box;
	char what[2 * DRAW_LABEL];

	write_meaning(plot->figure, rows->panel, what, sizeof(what));

	draw_set_font(plot->canvas, DRAW_FONT, false);
	draw_set_colour(plot->canvas, plot->colours->muted, 1);
	draw_text_within(plot, plot->layout.margin, box->y - 7,
			 plot->picture->width * HEADING_SHARE, DRAW_FROM_LEFT, p->heading);
	draw_text_within(plot, box->x + box->width + NUMBER - 8, box->y - 7,
			 plot->picture->width * (1 - HEADING_SHARE) - 40, DRAW_FROM_RIGHT, what);
	for (int i = 0; i < p->axis.n; i++) {
		double tick = draw_axis_tick(&p->axis, i);
		double x = box->x + draw_axis_place(&p->axis, tick) * box->width;
		char label[48];

		draw_set_colour(plot->canvas, tick == 0 ? plot->colours->axis : plot->colours->grid,
				1);
		draw_hairline(plot->canvas, x, box->y, x, box->y + box->height);
		draw_tick_text(p, i, label, sizeof(label));
		draw_set_colour(plot->canvas, plot->colours->muted, 1);
		draw_text(plot, x, box->y + box->height + 14, DRAW_CENTRED, label);
	}
}

static void
draw_whisker(struct draw_plot *plot, const struct rows *rows, const struct draw_series *s, double y)
{
	double from = rows->box.x + draw_place(plot->figure, s, s->minimum.value) * rows->box.width;
	double to = rows->box.x + draw_place(plot->figure, s, s->maximum.value) * rows->box.width;

	draw_set_colour(plot->canvas, plot->colours->text, 1);
	draw_hairline(plot->canvas, from, y, to, y);
	draw_hairline(plot->canvas, from, y - 3, from, y + 3);
	draw_hairline(plot->canvas, to, y - 3, to, y + 3);
}

static void
draw_bar(struct draw_plot *plot, const struct rows *rows, size_t i, double y)
{
	const struct draw_series *s = &plot->figure->series[i];
	const struct draw_box *box = &rows->box;
	const struct draw_axis *axis = &plot->figure->panels[rows->panel].axis;
	double zero = box->x + draw_axis_place(axis, 0) * box->width;
	double thick = fmax(2, floor(rows->row * 0.6));
	double end = box->x + draw_place(plot->figure, s, s->average.value) * box->width;
	struct draw_box bar = {fmin(zero, end), floor(y - thick / 2), fabs(end - zero), thick};
	char text[48];

	draw_set_colour(plot->canvas, plot->colours->text, 1);
	draw_label_within(plot, box->x - 8, y + 4, box->x - 8 - plot->layout.margin,
			  DRAW_FROM_RIGHT, i);
	if (pmon_vstat_has_value(s->average.status)) {
		draw_set_series(plot, rows->panel, 1);
		draw_fill_box(plot->canvas, &bar);
	}
	if (pmon_vstat_has_value(s->minimum.status))
		draw_whisker(plot, rows, s, floor(y));
	draw_set_colour(plot->canvas, plot->colours->text, 1);
	if (pmon_vstat_has_value(s->average.status))
		draw_amount(s->average.value, &s->unit, text, sizeof(text));
	else
		draw_value_text(plot->figure, s, &s->average, text, sizeof(text));
	draw_text(plot, box->x + box->width + NUMBER - 8, y + 4, DRAW_FROM_RIGHT, text);
	draw_text(plot, box->x + box->width + NUMBER - 8, y + 4, DRAW_FROM_LEFT, s->average_mark);
}

static void
draw_limits(struct draw_plot *plot, const struct rows *rows)
{
	const struct draw_panel *p = &plot->figure->panels[rows->panel];
	double place;

	for (size_t i = 0; i < plot->figure->n_thresholds; i++) {
		if (!draw_threshold_place(plot->figure, p, &plot->figure->thresholds[i], &place))
			continue;
		place = rows->box.x + place * rows->box.width;
		draw_set_colour(plot->canvas, plot->colours->alarm, 1);
		draw_hairline(plot->canvas, place, rows->box.y, place,
			      rows->box.y + rows->box.height);
		draw_text(plot, place, rows->box.y - 3, DRAW_CENTRED,
			  plot->figure->thresholds[i].text);
	}
}

// The rows of a panel, at most `most`. Returns how many there are.
static size_t
draw_rows(struct draw_plot *plot, struct rows *rows, size_t most)
{
	const struct draw_figure *f = plot->figure;
	size_t n = count_of(f, rows->panel);
	size_t drawn = 0;

	n = n < most ? n : most;
	rows->box.height = rows->row * (double)n;
	draw_begin_group(plot, "panel", f->panels[rows->panel].heading);
	draw_axis(plot, rows);
	for (size_t i = 0; i < f->n && drawn < n; i++) {
		if (f->series[i].panel != rows->panel)
			continue;
		draw_begin_series(plot, i);
		draw_bar(plot, rows, i, rows->box.y + ((double)drawn + 0.5) * rows->row);
		draw_end_group(plot);
		drawn++;
	}
	draw_limits(plot, rows);
	draw_end_group(plot);
	return n;
}

double
draw_bars_height(const struct draw_figure *figure)
{
	return 8 + (HEADING + AXIS) * (double)figure->n_panels + ROW_GOOD * (double)figure->n;
}

void
draw_bars(struct draw_plot *plot)
{
	const struct draw_figure *f = plot->figure;
	double top = plot->layout.subtitle_base + 8;
	double room = plot->picture->height - top - plot->layout.margin - 4 -
		      (HEADING + AXIS) * (double)f->n_panels;
	double fitting = fmax(floor(room / ROW_LEAST), (double)f->n_panels);
	double share = fmin(fitting / (double)f->n, 1); // of its rows, in each panel
	double left = floor(plot->picture->width * NAME_SHARE);
	size_t drawn = 0;

	for (size_t p = 0; p < f->n_panels; p++) {
		size_t most = (size_t)fmax(1, floor(share * (double)count_of(f, p)));
		struct rows rows = {.panel = p};

		rows.row = fmin(room / ((double)f->n * share), ROW_MOST);
		rows.box = (struct draw_box){
			left, top + HEADING,
			plot->picture->width - left - NUMBER - plot->layout.margin, 0};
		drawn += draw_rows(plot, &rows, most);
		top = rows.box.y + rows.box.height + AXIS;
	}
	if (drawn < f->n) {
		char more[64];

		(void)snprintf(more, sizeof(more), "and %zu more with lower averages",
			       f->n - drawn);
		draw_set_colour(plot->canvas, plot->colours->muted, 1);
		draw_text(plot, left - 24, top - 8, DRAW_FROM_RIGHT, more);
	}
}
