// plot_distribution.c - the share of the time in which a value was not exceeded
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>

#include "draw/plot.h"

#define LINE      1.8
#define X_LABELS  18.0 // below a panel
#define LEAST_GAP 26.0 // between two labels of shares

static struct draw_box
box_of(const struct draw_plot *plot, size_t panel)
{
	struct draw_box box = plot->layout.panels[panel];

	if (panel + 1 < plot->figure->n_panels)
		box.height = fmax(box.height - X_LABELS, 4);
	return box;
}

static void
draw_shares(struct draw_plot *plot, const struct draw_box *box)
{
	int step = box->height / 4 > LEAST_GAP ? 25 : 50;

	for (int share = 0; share <= 100; share += step) {
		double y = box->y + (1 - share / 100.0) * box->height;
		char label[16];

		(void)snprintf(label, sizeof(label), "%d %%", share);
		draw_set_colour(plot->canvas, plot->colours->grid, 1);
		draw_hairline(plot->canvas, box->x, y, box->x + box->width, y);
		draw_set_colour(plot->canvas, plot->colours->muted, 1);
		draw_text(plot, box->x - 8, y + 4, DRAW_FROM_RIGHT, label);
	}
}

static void
draw_values(struct draw_plot *plot, const struct draw_panel *panel, const struct draw_box *box)
{
	for (int i = 0; i < panel->axis.n; i++) {
		double place = draw_axis_place(&panel->axis, draw_axis_tick(&panel->axis, i));
		double x = box->x + place * box->width;
		char label[48];

		draw_tick_text(panel, i, label, sizeof(label));
		draw_set_colour(plot->canvas, plot->colours->grid, 1);
		draw_hairline(plot->canvas, x, box->y, x, box->y + box->height);
		draw_set_colour(plot->canvas, plot->colours->muted, 1);
		x = fmin(x, plot->picture->width - draw_text_width(plot, label) / 2 - 4);
		draw_text(plot, x, box->y + box->height + 14, DRAW_CENTRED, label);
	}
}

// Steps up at each percentile: what lies between two of them is not known.
static void
draw_steps(struct draw_plot *plot, size_t series, const struct draw_box *box)
{
	const struct draw_series *s = &plot->figure->series[series];
	struct draw_stroke stroke = draw_series_stroke(s->colour, LINE);
	double y = box->y + box->height;

	draw_begin_series(plot, series);
	draw_set_series(plot, series, 1);
	for (int i = 0; i < DRAW_PERCENTILES; i++) {
		double x = box->x + draw_place(plot->figure, s, s->percentiles[i]) * box->width;

		if (i == 0)
			draw_move_to(plot->canvas, x, y);
		else
			draw_line_to(plot->canvas, x, y);
		y = box->y + (1 - i / (DRAW_PERCENTILES - 1.0)) * box->height;
		draw_line_to(plot->canvas, x, y);
	}
	draw_stroke(plot->canvas, &stroke);
	draw_end_group(plot);
}

static void
draw_limits(struct draw_plot *plot, const struct draw_panel *panel, const struct draw_box *box)
{
	static const double dashes[] = {5, 4};
	static const struct draw_stroke dashed = {.width = 1, .dashes = dashes, .n_dashes = 2};

	draw_set_colour(plot->canvas, plot->colours->alarm, 1);
	for (size_t i = 0; i < plot->figure->n_thresholds; i++) {
		const struct draw_threshold *t = &plot->figure->thresholds[i];
		double place;

		if (!draw_threshold_place(plot->figure, panel, t, &place))
			continue;
		draw_move_to(plot->canvas, box->x + place * box->width, box->y);
		draw_line_to(plot->canvas, box->x + place * box->width, box->y + box->height);
		draw_stroke(plot->canvas, &dashed);
		draw_text(plot, box->x + place * box->width - 4, box->y + box->height - 6,
			  DRAW_FROM_RIGHT, t->text);
	}
}

void
draw_distributions(struct draw_plot *plot)
{
	const struct draw_figure *f = plot->figure;

	draw_set_font(plot->canvas, DRAW_FONT, false);
	for (size_t panel = 0; panel < f->n_panels; panel++) {
		struct draw_box box = box_of(plot, panel);
		char heading[DRAW_LABEL + 64];

		(void)snprintf(heading, sizeof(heading),
			       "%s: share of the time at or below a value",
			       f->panels[panel].heading);
		draw_begin_group(plot, "panel", heading);
		draw_shares(plot, &box);
		draw_values(plot, &f->panels[panel], &box);
		draw_set_colour(plot->canvas, plot->colours->text, 1);
		draw_text_within(plot, box.x, box.y - 6, box.width, DRAW_FROM_LEFT, heading);
		for (size_t i = 0; i < f->n; i++)
			if (f->series[i].panel == panel && f->series[i].percentiles != NULL)
				draw_steps(plot, i, &box);
		draw_limits(plot, &f->panels[panel], &box);
		draw_end_group(plot);
	}
}
