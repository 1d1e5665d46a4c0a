// canvas.h - the paper of a picture: colours, lines and texts by cairo
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_CANVAS_H
#define PMON_DRAW_CANVAS_H

#include "draw/calls.h"
#include "draw/picture.h"

struct draw_box {
	double x;
	double y;
	double width;
	double height;
};

// Where everything is.
struct draw_layout {
	double margin;
	double title_base; // lines on which texts stand
	double subtitle_base;
	struct draw_box panels[DRAW_PANELS];
	struct draw_box legend;
	size_t legend_rows; // of series; fewer than there are when there is no room
	double footer_base;
};

struct draw_canvas {
	cairo_t *cr;
	const struct draw_figure *figure;
	const struct draw_picture *picture;
	const struct draw_colours *colours;
	struct draw_layout layout;
	char missing[DRAW_LABEL];   // draw_missing_text()
	struct draw_pieces *pieces; // of SVG, or NULL
	// what was set last: pieces begin with it
	struct draw_rgb colour;
	double font_size;
	bool bold;
	bool was_short; // of memory, which cairo does not always report
};

#define DRAW_FONT       11.0 // pixels
#define DRAW_TITLE_FONT 15.0
#define DRAW_LEFT       ((double)DRAW_CAIRO_LEFT) // beside panels: labels of ticks
#define DRAW_RIGHT      20.0
#define DRAW_ROW        17.0 // of the legend

// Was the last call of cairo short of memory? See was_short.
void draw_note_memory(struct draw_canvas *c);

void draw_set_colour(struct draw_canvas *c, struct draw_rgb rgb, double alpha);
void draw_set_font(struct draw_canvas *c, double size, bool bold);
double draw_text_width(struct draw_canvas *c, const char *text);
void draw_text(struct draw_canvas *c, double x, double y, enum draw_anchor anchor,
	       const char *text);

// The text with its middle cut out where it is wider than width.
void draw_text_within(struct draw_canvas *c, double x, double y, double width,
		      enum draw_anchor anchor, const char *text);

// The label of a series in the same way, but labels that differ stay different.
void draw_label_within(struct draw_canvas *c, double x, double y, double width,
		       enum draw_anchor anchor, size_t series);

// A line of one pixel, sharp on screens.
void draw_hairline(struct draw_canvas *c, double x0, double y0, double x1, double y1);

void draw_fill_box(struct draw_canvas *c, const struct draw_box *box);

// Colour and dashes of a series.
void draw_set_series(struct draw_canvas *c, size_t series, double alpha);

// A panel or another part with a name, for those who do not see it, and a series with its numbers. NULL: no name.
// SVG alone has groups.
void draw_begin_group(struct draw_canvas *c, const char *kind, const char *name);
void draw_begin_series(struct draw_canvas *c, size_t series);
void draw_end_group(struct draw_canvas *c);

// ---- SVG (cairo_svg.c) ----------------------------------------------------------------------

// Draw all. Ids begin with prefix, which makes it an element of a page; NULL: a document. Returns NULL,
// or why it could not be done.
const char *draw_svg(struct draw_canvas *c, const char *prefix, draw_write_fn write, void *ctx);

void draw_svg_text(struct draw_canvas *c, double x, double y, enum draw_anchor anchor,
		   const char *text);

// ---- PNG (cairo_png.c) ----------------------------------------------------------------------

// Writes a PNG through `write`, with a chunk that says how large its pixels are. A draw_write_fn.
struct draw_png {
	draw_write_fn write;
	void *ctx;
	double dpi;
	size_t seen; // bytes
};
bool draw_png_write(void *png, const void *bytes, size_t len);

// ---- What is drawn on it --------------------------------------------------------------------

void draw_all(struct draw_canvas *c);         // cairo.c
void draw_time_panels(struct draw_canvas *c); // lines, areas, stacks (cairo_time.c)
void draw_bars(struct draw_canvas *c);        // cairo_bars.c
void draw_heat_map(struct draw_canvas *c);    // cairo_heat.c
void draw_legend(struct draw_canvas *c);      // cairo_legend.c

// The height that all rows need, below the subtitle.
double draw_bars_height(const struct draw_figure *figure);
double draw_heat_map_height(const struct draw_figure *figure);

// The labels of times below the last box, and their lines through n boxes.
void draw_time_axis(struct draw_canvas *c, const struct draw_box *last,
		    const struct draw_box *boxes, size_t n);

#endif
