// plot.h - draw a figure on a canvas: the layout and its parts
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_PLOT_H
#define PMON_DRAW_PLOT_H

#include "draw/canvas.h"

// Positions of the parts.
struct draw_layout {
	double margin;
	double title_base; // text baselines
	double subtitle_base;
	struct draw_box panels[DRAW_PANELS];
	struct draw_box legend;
	size_t legend_rows; // rows that fit; possibly fewer than series
	double footer_base;
};

struct draw_plot {
	struct draw_canvas *canvas;
	const struct draw_figure *figure;
	const struct draw_picture *picture;
	const struct draw_colours *colours;
	struct draw_layout layout;
	char missing[DRAW_LABEL]; // draw_missing_text()
	bool failed;              // memory was short
};

#define DRAW_FONT       11.0 // pixels
#define DRAW_TITLE_FONT 15.0
#define DRAW_LEFT       ((double)DRAW_PICTURE_LEFT)
#define DRAW_RIGHT      20.0

void draw_text(struct draw_plot *plot, double x, double y, enum draw_anchor anchor,
	       const char *text);
double draw_text_width(struct draw_plot *plot, const char *text);

// Draw a text, elided in the middle if it is wider than width.
void draw_text_within(struct draw_plot *plot, double x, double y, double width,
		      enum draw_anchor anchor, const char *text);

// The same for the label of a series, keeping different labels different.
void draw_label_within(struct draw_plot *plot, double x, double y, double width,
		       enum draw_anchor anchor, size_t series);

// Set the colour and line style of a series.
void draw_set_series(struct draw_plot *plot, size_t series, double alpha);
struct draw_stroke draw_series_stroke(unsigned colour, double width);

// Begin a group with a name (NULL: none), or that of a series with its statistics.
void draw_begin_group(struct draw_plot *plot, const char *kind, const char *name);
void draw_begin_series(struct draw_plot *plot, size_t series);
void draw_end_group(struct draw_plot *plot);

void draw_time_panels(struct draw_plot *plot);   // lines, areas, stacks (plot_time.c)
void draw_bars(struct draw_plot *plot);          // plot_bars.c
void draw_heat_map(struct draw_plot *plot);      // plot_heat.c
void draw_distributions(struct draw_plot *plot); // plot_distribution.c

// The height of all rows below the subtitle.
double draw_bars_height(const struct draw_figure *figure);
double draw_heat_map_height(const struct draw_figure *figure);

// Time labels below the last box, and their grid lines through n boxes.
void draw_time_axis(struct draw_plot *plot, const struct draw_box *last,
		    const struct draw_box *boxes, size_t n);

#endif
