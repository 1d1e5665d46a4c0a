// plot_time.c - panels over time: lines, areas, stacks
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdlib.h>

#include "draw/plot.h"
#include "draw/label.h"

#define LINE   1.5  // width of a line
#define DOT    4.4  // its diameter
#define SPARSE 14.0 // from this many pixels between values, each value gets a dot

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
draw_time_axis(struct draw_plot *plot, const struct draw_box *last, const struct draw_box *boxes,
	       size_t n)
{
	const struct draw_figure *f = plot->figure;
	struct draw_time_tick ticks[DRAW_TIME_TICKS];
	size_t n_ticks =
		draw_time_ticks(f->from, f->to, &f->clock, (size_t)(last->width / 82) + 1, ticks);
	double length = f->to > f->from ? (double)(f->to - f->from) : 1;

	draw_set_font(plot->canvas, DRAW_FONT, false);
	for (size_t i = 0; i < n_ticks; i++) {
		double x = x_of(last, (double)(ticks[i].time - f->from) / length);
		double half = draw_text_width(plot, ticks[i].label) / 2;

		draw_set_colour(plot->canvas,
				ticks[i].is_date ? plot->colours->axis : plot->colours->grid, 1);
		for (size_t j = 0; j < n; j++)
			draw_hairline(plot->canvas, x, boxes[j].y, x, boxes[j].y + boxes[j].height);
		draw_set_colour(plot->canvas,
				ticks[i].is_date ? plot->colours->text : plot->colours->muted, 1);
		draw_text(plot, fmin(x, plot->picture->width - half - 4),
			  last->y + last->height + 15, DRAW_CENTRED, ticks[i].label);
	}
}

static void
draw_tick_label(struct draw_plot *plot, const struct draw_panel *p, int i, double x, double y)
{
	char label[48];
	char shown[sizeof(label) + 8];
	size_t most;

	draw_tick_text(p, i, label, sizeof(label));
	most = draw_characters(label);
	draw_tail(label, most, false, shown, sizeof(shown));
	while (most > 4 && draw_text_width(plot, shown) > x - 4)
		draw_tail(label, --most, false, shown, sizeof(shown));
	draw_set_colour(plot->canvas, plot->colours->muted, 1);
	draw_text(plot, x, y, DRAW_FROM_RIGHT, shown);
}

static void
draw_value_axis(struct draw_plot *plot, size_t panel)
{
	const struct draw_panel *p = &plot->figure->panels[panel];
	const struct draw_box *box = &plot->layout.panels[panel];
	bool crowded = box->height / (p->axis.n - 1) < 14;

	draw_set_font(plot->canvas, DRAW_FONT, false);
	for (int i = 0; i < p->axis.n; i++) {
		double tick = draw_axis_tick(&p->axis, i);
		double y = y_of(box, draw_axis_place(&p->axis, tick));

		draw_set_colour(plot->canvas, tick == 0 ? plot->colours->axis : plot->colours->grid,
				1);
		draw_hairline(plot->canvas, box->x, y, box->x + box->width, y);
		// If there is no room for all labels, draw only the outermost.
		if (!crowded || i == 0 || i == p->axis.n - 1)
			draw_tick_label(plot, p, i, box->x - 8, y + 4);
	}
	draw_set_colour(plot->canvas, plot->colours->text, 1);
	draw_text_within(plot, box->x, box->y - 6, box->width, DRAW_FROM_LEFT, p->heading);
}

// ---- The way of a line ----------------------------------------------------------------------

// Draws the values of a series: from point to point, and along the extremes of each column.
struct walk {
	struct draw_plot *plot;
	const struct draw_series *series;
	const struct draw_box *box;
	double x; // of the newest point
	double y;
	double start_x; // of the run's first point
	size_t points;  // in the run
	bool fill;      // close runs at the base
	bool above;     // ... and draw only the part above it
	double base;
};

// Where an area begins: at zero, or at the nearest end of the axis.
static double
base_of(const struct draw_plot *plot, const struct draw_series *series)
{
	const struct draw_axis *axis = &plot->figure->panels[series->panel].axis;

	return y_of(&plot->layout.panels[series->panel],
		    fmin(fmax(draw_axis_place(axis, 0), 0), 1));
}

static bool
is_shown(const struct walk *w, double y)
{
	return !w->above || y < w->base;
}

static void
add_point(struct walk *w, double x, double value)
{
	struct draw_canvas *canvas = w->plot->canvas;
	double y = y_of(w->box, draw_column_place(w->plot->figure, w->series, value));

	if (w->points == 0) {
		w->start_x = x;
		draw_move_to(canvas, x, w->fill ? w->base : y);
	} else if (is_shown(w, y) != is_shown(w, w->y)) {
		draw_line_to(canvas, w->x + (x - w->x) * (w->base - w->y) / (y - w->y), w->base);
	}
	if (is_shown(w, y))
		draw_line_to(canvas, x, y);
	w->points++;
	w->x = x;
	w->y = y;
}

static void
end_run(struct walk *w)
{
	// A single value is one pixel wide.
	if (w->fill && w->points > 0)
		draw_line_to(w->plot->canvas, fmax(w->x, w->start_x + 1), w->base);
	w->points = 0;
}

// Draw the extremes of a column. The minimum first, then the maximum: a guess that makes no visible
// difference.
static void
add_column(struct walk *w, const struct pmon_envelope_column *column, double x)
{
	add_point(w, x, w->fill ? column->maximum : column->first);
	if (w->fill || column->count == 1)
		return;
	add_point(w, x, column->minimum);
	add_point(w, x, column->maximum);
	add_point(w, x, column->last);
}

static void
walk(struct walk *w)
{
	const struct draw_figure *f = w->plot->figure;

	for (size_t i = 0; i < f->columns; i++) {
		if (w->series->columns[i].count == 0)
			continue;
		if (!w->series->columns[i].joined)
			end_run(w);
		add_column(w, &w->series->columns[i],
			   x_of(w->box, draw_column_time(f, w->series, i)));
	}
	end_run(w);
}

// ---- Series ---------------------------------------------------------------------------------

// Is every value drawn separately, with enough space for a dot on each?
static bool
is_sparse(const struct draw_plot *plot, const struct draw_series *s)
{
	size_t n = 0;

	for (size_t i = 0; i < plot->figure->columns; i++)
		n += s->columns[i].count > 0;
	return (double)n * SPARSE < (double)plot->figure->columns;
}

// Is the value of a column not joined to any other, so that no line shows it?
static bool
is_alone(const struct draw_plot *plot, const struct draw_series *s, size_t i)
{
	size_t next = i + 1;

	while (next < plot->figure->columns && s->columns[next].count == 0)
		next++;
	return !s->columns[i].joined && (next == plot->figure->columns || !s->columns[next].joined);
}

static void
draw_dots(struct draw_plot *plot, const struct draw_series *s, const struct draw_box *box)
{
	static const struct draw_stroke dot = {.width = DOT, .round_ends = true};
	bool all = is_sparse(plot, s);

	for (size_t i = 0; i < plot->figure->columns; i++) {
		const struct pmon_envelope_column *column = &s->columns[i];
		double x;
		double y;

		if (column->count == 0 || !(all || is_alone(plot, s, i)))
			continue;
		x = x_of(box, draw_column_time(plot->figure, s, i));
		y = y_of(box, draw_column_place(plot->figure, s, column->last));
		draw_move_to(plot->canvas, x, y);
		draw_line_to(plot->canvas, x, y);
	}
	// Zero-length lines draw only their round caps, which stay round when a page stretches the
	// chart.
	draw_stroke(plot->canvas, &dot);
}

static void
draw_line(struct draw_plot *plot, size_t i)
{
	const struct draw_series *s = &plot->figure->series[i];
	const struct draw_box *box = &plot->layout.panels[s->panel];
	struct draw_stroke stroke = draw_series_stroke(s->colour, LINE);
	struct walk w = {.plot = plot, .series = s, .box = box};

	draw_set_series(plot, i, 1);
	walk(&w);
	draw_stroke(plot->canvas, &stroke);
	draw_dots(plot, s, box);
}

static void
draw_area(struct draw_plot *plot, size_t i, double alpha)
{
	const struct draw_series *s = &plot->figure->series[i];
	struct walk w = {.plot = plot,
			 .series = s,
			 .box = &plot->layout.panels[s->panel],
			 .fill = true,
			 .base = base_of(plot, s)};

	draw_set_series(plot, i, alpha);
	walk(&w);
	draw_fill(plot->canvas);
}

// Fill the area between the threshold and the line beyond it.
static void
draw_excess(struct draw_plot *plot, size_t i, double threshold_y)
{
	const struct draw_series *s = &plot->figure->series[i];
	struct walk w = {.plot = plot,
			 .series = s,
			 .box = &plot->layout.panels[s->panel],
			 .fill = true,
			 .above = true,
			 .base = threshold_y};

	draw_set_colour(plot->canvas, plot->colours->alarm, 0.22);
	walk(&w);
	draw_fill(plot->canvas);
}

// Mark missing values at the bottom of the panel.
static void
draw_missing(struct draw_plot *plot, size_t i)
{
	const struct draw_series *s = &plot->figure->series[i];
	const struct draw_box *box = &plot->layout.panels[s->panel];
	struct draw_box mark = {0, box->y + box->height - 8, 2, 8};

	draw_set_colour(plot->canvas, plot->colours->alarm, 1);
	for (size_t j = 0; j < plot->figure->columns; j++) {
		if (s->columns[j].missing == PMON_V_OK)
			continue;
		mark.x = x_of(box, ((double)j + 0.5) / (double)plot->figure->columns) - 1;
		draw_fill_box(plot->canvas, &mark);
	}
}

// ---- Panels ---------------------------------------------------------------------------------

#define TAG_HEIGHT 13

// A text to the left of x on a background that hides the lines behind it. Returns its left edge.
static double
draw_tag(struct draw_plot *plot, double x, double y, const char *text)
{
	double width = draw_text_width(plot, text);
	struct draw_box box = {x - width - 3, y - 10, width + 6, TAG_HEIGHT};

	draw_set_colour(plot->canvas, plot->colours->page, 0.85);
	draw_fill_box(plot->canvas, &box);
	draw_set_colour(plot->canvas, plot->colours->alarm, 1);
	draw_text(plot, x, y, DRAW_FROM_RIGHT, text);
	return box.x;
}

static void
draw_thresholds(struct draw_plot *plot, size_t panel)
{
	static const double dashes[] = {5, 4};
	static const struct draw_stroke dashed = {.width = 1, .dashes = dashes, .n_dashes = 2};
	const struct draw_box *box = &plot->layout.panels[panel];
	double right = box->x + box->width - 4;
	double tag_x = right; // of the previous tag
	double tag_y = -INFINITY;

	for (size_t i = 0; i < plot->figure->n_thresholds; i++) {
		const struct draw_threshold *t = &plot->figure->thresholds[i];
		double place;
		double y;

		if (!draw_threshold_place(plot->figure, &plot->figure->panels[panel], t, &place))
			continue;
		y = floor(y_of(box, place)) + 0.5;
		draw_begin_group(plot, "beyond", NULL);
		for (size_t j = 0; j < plot->figure->n; j++)
			if (!plot->figure->series[j].is_stacked && !t->below &&
			    plot->figure->series[j].panel == panel &&
			    draw_column_place(plot->figure, &plot->figure->series[j],
					      plot->figure->series[j].maximum.value) > place)
				draw_excess(plot, j, y);
		draw_end_group(plot);
		draw_set_colour(plot->canvas, plot->colours->alarm, 1);
		draw_move_to(plot->canvas, box->x, y);
		draw_line_to(plot->canvas, box->x + box->width, y);
		draw_stroke(plot->canvas, &dashed);
		y += 4; // next to its line
		tag_x = draw_tag(plot, fabs(y - tag_y) < TAG_HEIGHT ? tag_x - 3 : right, y,
				 t->text);
		tag_y = y;
	}
}

static void
draw_series_of(struct draw_plot *plot, size_t panel)
{
	enum draw_kind kind = plot->figure->kind;

	// Draw stacks from the top down: each series covers everything below its own part.
	for (size_t i = plot->figure->n; i-- > 0;)
		if (plot->figure->series[i].panel == panel && plot->figure->series[i].is_stacked) {
			draw_begin_series(plot, i);
			draw_area(plot, i, 1);
			draw_end_group(plot);
		}
	for (size_t i = 0; kind == DRAW_AREA && i < plot->figure->n; i++)
		if (plot->figure->series[i].panel == panel)
			draw_area(plot, i, 0.2);
	for (size_t i = 0; i < plot->figure->n; i++) {
		if (plot->figure->series[i].panel != panel)
			continue;
		if (plot->figure->series[i].is_stacked) {
			draw_missing(plot, i);
			continue;
		}
		draw_begin_series(plot, i);
		draw_line(plot, i);
		draw_missing(plot, i);
		draw_end_group(plot);
	}
}

// ---- Around the lines -----------------------------------------------------------------------

#define FEW_BANDS 3 // more of them hide each other

// The time of the incident, and where most values of a line are.
static void
draw_background(struct draw_plot *plot, size_t panel)
{
	const struct draw_figure *f = plot->figure;
	const struct draw_box *box = &plot->layout.panels[panel];
	double length = f->to > f->from ? (double)(f->to - f->from) : 1;
	size_t bands = 0;

	if (f->has_incident) {
		double from = x_of(box, fmax((double)(f->incident_from - f->from) / length, 0));
		double to = x_of(box, fmin((double)(f->incident_to - f->from) / length, 1));
		struct draw_box shade = {from, box->y, fmax(to - from, 1), box->height};

		draw_set_colour(plot->canvas, plot->colours->muted, 0.14);
		draw_fill_box(plot->canvas, &shade);
	}
	for (size_t i = 0; i < f->n; i++)
		bands += f->series[i].panel == panel && f->series[i].has_usual;
	for (size_t i = 0; i < f->n && bands <= FEW_BANDS; i++) {
		const struct draw_series *s = &f->series[i];

		if (s->panel == panel && s->has_usual) {
			double low = y_of(box, fmax(draw_place(f, s, s->usual_low), 0));
			double high = y_of(box, fmin(draw_place(f, s, s->usual_high), 1));
			struct draw_box band = {box->x, high, box->width, fmax(low - high, 1)};

			draw_set_series(plot, i, 0.16);
			draw_fill_box(plot->canvas, &band);
		}
	}
}

// ---- Names on areas -------------------------------------------------------------------------

#define NAME_HEIGHT 14.0

// The part of a stack that belongs to a series, in pixels, at each column.
struct band {
	double top[DRAW_LARGEST];
	double bottom[DRAW_LARGEST];
};

static void
find_band(const struct draw_plot *plot, size_t series, struct band *band)
{
	const struct draw_figure *f = plot->figure;
	const struct draw_series *s = &f->series[series];
	const struct draw_box *box = &plot->layout.panels[s->panel];
	const struct draw_series *below = NULL;

	for (size_t i = 0; i < series; i++)
		if (f->series[i].panel == s->panel)
			below = &f->series[i];
	for (size_t c = 0; c < f->columns; c++) {
		size_t at = draw_column_cover(f, s, c);
		bool any = at < f->columns;

		band->top[c] = any ? y_of(box, draw_column_place(f, s, s->columns[at].minimum)) : 0;
		band->bottom[c] =
			any && below != NULL
				? y_of(box, draw_column_place(f, below, below->columns[at].maximum))
				: box->y + box->height;
		if (!any)
			band->top[c] = band->bottom[c];
	}
}

// Write the name where the area has most room for it, if it has enough.
static void
draw_name(struct draw_plot *plot, size_t series, const struct band *band)
{
	const struct draw_figure *f = plot->figure;
	const struct draw_box *box = &plot->layout.panels[f->series[series].panel];
	const char *name = f->series[series].label;
	double per_pixel = (double)f->columns / box->width;
	size_t wide = (size_t)((draw_text_width(plot, name) + 8) * per_pixel) + 1;
	double best = NAME_HEIGHT;
	size_t best_at = f->columns;
	double middle = 0;

	for (size_t c = 0; c + wide <= f->columns; c += 4) {
		double top = box->y;
		double bottom = box->y + box->height;

		for (size_t i = c; i < c + wide && bottom - top > best; i++) {
			top = fmax(top, band->top[i]);
			bottom = fmin(bottom, band->bottom[i]);
		}
		if (bottom - top > best) {
			best = bottom - top;
			best_at = c;
			middle = (top + bottom) / 2;
		}
	}
	if (best_at == f->columns)
		return;
	draw_text(plot, box->x + ((double)best_at + (double)wide / 2) / per_pixel, middle + 4,
		  DRAW_CENTRED, name);
}

static void
draw_names(struct draw_plot *plot, size_t panel)
{
	struct band *band = malloc(sizeof(*band));

	draw_set_font(plot->canvas, DRAW_FONT, true);
	for (size_t i = 0; band != NULL && i < plot->figure->n; i++) {
		const struct draw_series *s = &plot->figure->series[i];

		if (s->panel != panel || !s->is_stacked || s->columns == NULL)
			continue;
		find_band(plot, i, band);
		draw_set_series(plot, i, 1);
		draw_set_colour(plot->canvas, draw_ink_on(plot->canvas->colour), 1);
		draw_name(plot, i, band);
	}
	plot->failed |= band == NULL;
	free(band);
	draw_set_font(plot->canvas, DRAW_FONT, false);
}

void
draw_time_panels(struct draw_plot *plot)
{
	if (plot->figure->n_panels == 0)
		return;
	draw_begin_group(plot, "times", NULL);
	draw_time_axis(plot, &plot->layout.panels[plot->figure->n_panels - 1], plot->layout.panels,
		       plot->figure->n_panels);
	draw_end_group(plot);
	for (size_t i = 0; i < plot->figure->n_panels; i++) {
		draw_begin_group(plot, "panel", plot->figure->panels[i].heading);
		draw_background(plot, i);
		draw_value_axis(plot, i);
		draw_series_of(plot, i);
		draw_names(plot, i);
		draw_thresholds(plot, i);
		draw_end_group(plot);
	}
}
