// cairo_time.c - panels over time: lines, areas, stacks
// SPDX-License-Identifier: MIT

#include <math.h>

#include "draw/canvas.h"
#include "draw/label.h"

#define DOT    4.4  // its diameter
#define SPARSE 14.0 // pixels between values from which on each has a dot

// ---- Axes -----------------------------------------------------------------------------------

static double
x_of(const struct draw_box *box, double place)
{
	return box->x + place * box->width;
}

static double
y_of(const struct draw_box *box, double place)
{
	return box->y + (1 - place) * box->height;
}

void
draw_time_axis(struct draw_canvas *c, const struct draw_box *last, const struct draw_box *boxes,
	       size_t n)
{
	const struct draw_figure *f = c->figure;
	struct draw_time_tick ticks[DRAW_TIME_TICKS];
	size_t n_ticks =
		draw_time_ticks(f->from, f->to, &f->clock, (size_t)(last->width / 82) + 1, ticks);
	double length = f->to > f->from ? (double)(f->to - f->from) : 1;

	draw_set_font(c, DRAW_FONT, false);
	for (size_t i = 0; i < n_ticks; i++) {
		double x = x_of(last, (double)(ticks[i].time - f->from) / length);
		double half = draw_text_width(c, ticks[i].label) / 2;

		draw_set_colour(c, ticks[i].is_date ? c->colours->axis : c->colours->grid, 1);
		for (size_t j = 0; j < n; j++)
			draw_hairline(c, x, boxes[j].y, x, boxes[j].y + boxes[j].height);
		draw_set_colour(c, ticks[i].is_date ? c->colours->text : c->colours->muted, 1);
		draw_text(c, fmin(x, c->picture->width - half - 4), last->y + last->height + 15,
			  DRAW_CENTRED, ticks[i].label);
	}
}

static void
draw_tick_label(struct draw_canvas *c, const struct draw_panel *p, int i, double x, double y)
{
	char label[48];
	char shown[sizeof(label) + 8];
	size_t most;

	draw_tick_text(p, i, label, sizeof(label));
	most = draw_characters(label);
	draw_tail(label, most, false, shown, sizeof(shown));
	while (most > 4 && draw_text_width(c, shown) > x - 4)
		draw_tail(label, --most, false, shown, sizeof(shown));
	draw_set_colour(c, c->colours->muted, 1);
	draw_text(c, x, y, DRAW_FROM_RIGHT, shown);
}

static void
draw_value_axis(struct draw_canvas *c, size_t panel)
{
	const struct draw_panel *p = &c->figure->panels[panel];
	const struct draw_box *box = &c->layout.panels[panel];
	bool crowded = box->height / (p->axis.n - 1) < 14;

	draw_set_font(c, DRAW_FONT, false);
	for (int i = 0; i < p->axis.n; i++) {
		double tick = draw_axis_tick(&p->axis, i);
		double y = y_of(box, draw_axis_place(&p->axis, tick));

		draw_set_colour(c, tick == 0 ? c->colours->axis : c->colours->grid, 1);
		draw_hairline(c, box->x, y, box->x + box->width, y);
		// Where there is no room for all labels the outermost are enough.
		if (!crowded || i == 0 || i == p->axis.n - 1)
			draw_tick_label(c, p, i, box->x - 8, y + 4);
	}
	draw_set_colour(c, c->colours->text, 1);
	draw_text_within(c, box->x, box->y - 6, box->width, DRAW_FROM_LEFT, p->heading);
}

// ---- The way of a line ----------------------------------------------------------------------

// A walk over the values of a series: from point to point, and along the extremes of each column.
struct walk {
	struct draw_canvas *c;
	const struct draw_series *series;
	const struct draw_box *box;
	double x;       // of the newest point
	double start_x; // of the first one of the run
	size_t points;  // of the run
	bool fill;      // runs are closed at the bottom
	double dot;     // radius of the dots of points that are alone, or of all of them
	bool dots;
};

static double
bottom_of(const struct walk *w)
{
	const struct draw_axis *axis = &w->c->figure->panels[w->series->panel].axis;

	return y_of(w->box, fmin(fmax(draw_axis_place(axis, 0), 0), 1));
}

static void
put_point(struct walk *w, double x, double value)
{
	double y = y_of(w->box, draw_column_place(w->c->figure, w->series, value));

	if (w->points++ == 0) {
		w->start_x = x;
		cairo.move_to(w->c->cr, x, w->fill ? bottom_of(w) : y);
	}
	cairo.line_to(w->c->cr, x, y);
	w->x = x;
}

static void
end_run(struct walk *w)
{
	if (w->fill && w->points > 0) {
		// A value that is alone is a pixel wide.
		if (w->x - w->start_x < 1)
			cairo.line_to(w->c->cr, w->start_x + 1, bottom_of(w));
		else
			cairo.line_to(w->c->cr, w->x, bottom_of(w));
		cairo.close_path(w->c->cr);
	}
	w->points = 0;
}

// Along what a column holds. That the smallest comes before the largest is a guess, which nobody sees.
static void
put_column(struct walk *w, const struct pmon_envelope_column *column, double x)
{
	put_point(w, x, w->fill ? column->maximum : column->first);
	if (w->fill || column->count == 1)
		return;
	put_point(w, x, column->minimum);
	put_point(w, x, column->maximum);
	put_point(w, x, column->last);
}

static void
walk(struct walk *w)
{
	const struct draw_figure *f = w->c->figure;

	for (size_t i = 0; i < f->columns; i++) {
		if (w->series->columns[i].count == 0)
			continue;
		if (!w->series->columns[i].joined)
			end_run(w);
		put_column(w, &w->series->columns[i],
			   x_of(w->box, draw_column_time(f, w->series, i)));
	}
	end_run(w);
}

// ---- Series ---------------------------------------------------------------------------------

// Has every value its own place, so that a dot on each shows it?
static bool
is_sparse(const struct draw_canvas *c, const struct draw_series *s)
{
	size_t n = 0;

	for (size_t i = 0; i < c->figure->columns; i++)
		n += s->columns[i].count > 0;
	return (double)n * SPARSE < (double)c->figure->columns;
}

// Is the value of a column joined to none, so that no line shows it?
static bool
is_alone(const struct draw_canvas *c, const struct draw_series *s, size_t i)
{
	size_t next = i + 1;

	while (next < c->figure->columns && s->columns[next].count == 0)
		next++;
	return !s->columns[i].joined && (next == c->figure->columns || !s->columns[next].joined);
}

static void
draw_dots(struct draw_canvas *c, const struct draw_series *s, const struct draw_box *box)
{
	bool all = is_sparse(c, s);

	for (size_t i = 0; i < c->figure->columns; i++) {
		const struct pmon_envelope_column *column = &s->columns[i];
		double x;
		double y;

		if (column->count == 0 || !(all || is_alone(c, s, i)))
			continue;
		x = x_of(box, draw_column_time(c->figure, s, i));
		y = y_of(box, draw_column_place(c->figure, s, column->last));
		cairo.move_to(c->cr, x, y);
		cairo.line_to(c->cr, x, y);
	}
	// Lines without a length have round ends only, which stay round where a page widens the chart.
	cairo.set_line_width(c->cr, DOT);
	cairo.set_line_cap(c->cr, CAIRO_LINE_CAP_ROUND);
	cairo.stroke(c->cr);
	cairo.set_line_cap(c->cr, CAIRO_LINE_CAP_BUTT);
}

static void
draw_line(struct draw_canvas *c, size_t i)
{
	const struct draw_series *s = &c->figure->series[i];
	const struct draw_box *box = &c->layout.panels[s->panel];
	struct walk w = {.c = c, .series = s, .box = box};

	draw_set_series(c, i, 1);
	cairo.set_line_width(c->cr, 1.5);
	cairo.set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
	walk(&w);
	cairo.stroke(c->cr);
	draw_dots(c, s, box);
}

static void
draw_fill(struct draw_canvas *c, size_t i, double alpha)
{
	const struct draw_series *s = &c->figure->series[i];
	struct walk w = {.c = c, .series = s, .box = &c->layout.panels[s->panel], .fill = true};

	draw_set_series(c, i, alpha);
	walk(&w);
	cairo.fill(c->cr);
}

// What of the line is beyond the threshold: its area, seen through a window above the threshold.
static void
draw_excess(struct draw_canvas *c, size_t i, double threshold_y)
{
	const struct draw_series *s = &c->figure->series[i];
	const struct draw_box *box = &c->layout.panels[s->panel];
	struct walk w = {.c = c, .series = s, .box = box, .fill = true};

	cairo.save(c->cr);
	cairo.rectangle(c->cr, box->x, box->y, box->width, threshold_y - box->y);
	cairo.clip(c->cr);
	draw_set_colour(c, c->colours->alarm, 0.22);
	walk(&w);
	cairo.fill(c->cr);
	cairo.restore(c->cr);
}

// Where values are missing: a mark on the bottom of the panel.
static void
draw_missing(struct draw_canvas *c, size_t i)
{
	const struct draw_series *s = &c->figure->series[i];
	const struct draw_box *box = &c->layout.panels[s->panel];

	draw_set_colour(c, c->colours->alarm, 1);
	for (size_t j = 0; j < c->figure->columns; j++) {
		if (s->columns[j].missing == PMON_V_OK)
			continue;
		cairo.rectangle(c->cr,
				x_of(box, ((double)j + 0.5) / (double)c->figure->columns) - 1,
				box->y + box->height - 8, 2, 8);
		cairo.fill(c->cr);
	}
}

// ---- Panels ---------------------------------------------------------------------------------

#define TAG_HEIGHT 13

// A text to the left of x on a piece of page, so that lines do not cross it. Returns where it begins.
static double
draw_tag(struct draw_canvas *c, double x, double y, const char *text)
{
	double width = draw_text_width(c, text);
	struct draw_box box = {x - width - 3, y - 10, width + 6, TAG_HEIGHT};

	draw_set_colour(c, c->colours->page, 0.85);
	draw_fill_box(c, &box);
	draw_set_colour(c, c->colours->alarm, 1);
	draw_text(c, x, y, DRAW_FROM_RIGHT, text);
	return box.x;
}

static void
draw_thresholds(struct draw_canvas *c, size_t panel)
{
	static const double dashes[] = {5, 4};
	const struct draw_box *box = &c->layout.panels[panel];
	double right = box->x + box->width - 4;
	double tag_x = right; // of the tag before
	double tag_y = -INFINITY;

	for (size_t i = 0; i < c->figure->n_thresholds; i++) {
		const struct draw_threshold *t = &c->figure->thresholds[i];
		double place;
		double y;

		if (!draw_threshold_place(c->figure, &c->figure->panels[panel], t, &place))
			continue;
		y = floor(y_of(box, place)) + 0.5;
		draw_begin_group(c, "beyond", NULL);
		for (size_t j = 0; j < c->figure->n; j++)
			if (c->figure->kind != DRAW_STACKED && !t->below &&
			    c->figure->series[j].panel == panel &&
			    draw_column_place(c->figure, &c->figure->series[j],
					      c->figure->series[j].maximum.value) > place)
				draw_excess(c, j, y);
		draw_end_group(c);
		draw_set_colour(c, c->colours->alarm, 1);
		cairo.set_line_width(c->cr, 1);
		cairo.set_dash(c->cr, dashes, 2, 0);
		cairo.move_to(c->cr, box->x, y);
		cairo.line_to(c->cr, box->x + box->width, y);
		cairo.stroke(c->cr);
		y += 4; // on its line
		tag_x = draw_tag(c, fabs(y - tag_y) < TAG_HEIGHT ? tag_x - 3 : right, y, t->text);
		tag_y = y;
	}
}

static void
draw_series_of(struct draw_canvas *c, size_t panel)
{
	enum draw_kind kind = c->figure->kind;

	// Stacks from the top: each covers all of the next but its own part.
	for (size_t i = c->figure->n; kind == DRAW_STACKED && i-- > 0;)
		if (c->figure->series[i].panel == panel) {
			draw_begin_series(c, i);
			draw_fill(c, i, 1);
			draw_end_group(c);
		}
	for (size_t i = 0; kind == DRAW_AREA && i < c->figure->n; i++)
		if (c->figure->series[i].panel == panel)
			draw_fill(c, i, 0.2);
	for (size_t i = 0; i < c->figure->n; i++) {
		if (c->figure->series[i].panel != panel)
			continue;
		if (kind == DRAW_STACKED) {
			draw_missing(c, i);
			continue;
		}
		draw_begin_series(c, i);
		draw_line(c, i);
		draw_missing(c, i);
		draw_end_group(c);
	}
}

void
draw_time_panels(struct draw_canvas *c)
{
	if (c->figure->n_panels == 0)
		return;
	draw_begin_group(c, "times", NULL);
	draw_time_axis(c, &c->layout.panels[c->figure->n_panels - 1], c->layout.panels,
		       c->figure->n_panels);
	draw_end_group(c);
	for (size_t i = 0; i < c->figure->n_panels; i++) {
		draw_begin_group(c, "panel", c->figure->panels[i].heading);
		draw_value_axis(c, i);
		draw_series_of(c, i);
		draw_thresholds(c, i);
		draw_end_group(c);
	}
}
