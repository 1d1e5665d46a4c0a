// picture.h - a figure as a picture: SVG, PNG or PDF
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_PICTURE_H
#define PMON_DRAW_PICTURE_H

#include "draw/colour.h"
#include "draw/figure.h"

enum draw_type {
	DRAW_SVG,
	DRAW_PNG, // needs draw_cairo_load()
	DRAW_PDF, // the same
};

#define DRAW_DPI 96

struct draw_picture {
	enum draw_type type;
	enum draw_theme theme;
	int width; // pixels of 1/96 inch, or points of 1/72 inch in PDF
	int height;
	int dpi; // pixels per inch of PNG; 0: DRAW_DPI
	// An svg element to embed in an HTML page, which has its own background, title and legend. Its
	// colours are CSS variables of the page (draw_colour_at(): --page, --s0 ...); it has no ids.
	bool in_page;
};

#define DRAW_SMALLEST 200 // pixels of width or height
#define DRAW_LARGEST  16000

// Receives the bytes of a picture piece by piece. Returns false on a write error, which stops drawing.
typedef bool (*draw_write_fn)(void *ctx, const void *bytes, size_t len);

// Load cairo, for PNG and PDF. It reads no input, so it can run before entering a sandbox.
PMON_NODISCARD enum pmon_status draw_cairo_load(struct pmon_err *err);

// Converts a length in the picture to PNG pixels by its dpi.
int draw_png_size(const struct draw_picture *picture, int length);

// The height needed for a whole figure with assigned panels: all panels, and all rows of the legend, bars or
// heat map.
int draw_picture_height(const struct draw_figure *figure);

#define DRAW_PICTURE_LEFT 76 // left of panels, for tick labels

// The number of envelope columns for a picture of this width.
size_t draw_picture_columns(const struct draw_picture *picture);

// The number of panels that fit, and of intervals between the ticks of one.
size_t draw_picture_panels(const struct draw_picture *picture);
int draw_picture_steps(const struct draw_picture *picture, const struct draw_figure *figure);

// Draw. Returns NULL, or the reason for failure (static text).
const char *draw_picture(const struct draw_figure *figure, const struct draw_picture *picture,
			 draw_write_fn write, void *ctx);

#endif
