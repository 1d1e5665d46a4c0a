// cairo.h - a figure as SVG, PNG or PDF
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_CAIRO_H
#define PMON_DRAW_CAIRO_H

#include "draw/colour.h"
#include "draw/figure.h"

enum draw_type {
	DRAW_SVG,
	DRAW_PNG,
	DRAW_PDF
};

enum draw_anchor {
	DRAW_FROM_LEFT,
	DRAW_CENTRED,
	DRAW_FROM_RIGHT
};

// A text as it would stand in the picture.
struct draw_placed_text {
	double x;
	double y; // of the line that it stands on
	enum draw_anchor anchor;
	double size; // pixels
	bool bold;
	struct draw_rgb colour;
	const char *text;
};
typedef void (*draw_text_fn)(void *ctx, const struct draw_placed_text *text);

struct draw_picture {
	enum draw_type type;
	enum draw_theme theme;
	int width; // pixels, or points of 1/72 inch in PDF
	int height;
	bool panels_only;  // no paper, title and legend: for a page that has its own
	draw_text_fn text; // takes the texts, which are then not drawn; or NULL
	void *text_ctx;
};

#define DRAW_SMALLEST 200 // pixels of either side
#define DRAW_LARGEST  16000

// Columns that an envelope should have for a picture of this width.
size_t draw_cairo_columns(const struct draw_picture *picture);

// How many panels there is room for, and steps between the ticks of one.
size_t draw_cairo_panels(const struct draw_picture *picture);
int draw_cairo_steps(const struct draw_picture *picture, const struct draw_figure *figure);

// Takes the bytes of a picture as they come. false: they could not be written, and no more are wanted.
typedef bool (*draw_write_fn)(void *ctx, const void *bytes, size_t len);

// Draw. Returns NULL, or why it could not be done (static text).
const char *draw_cairo(const struct draw_figure *figure, const struct draw_picture *picture,
		       draw_write_fn write, void *ctx);

// Draw panels for an HTML page: an svg element that goes into the page as it is. Its texts are texts,
// its colours are variables of the page (draw_colour_at(): --page, --s0 ...), and its ids begin with prefix, so that
// several pictures get along in one page. type, text and panels_only of the picture are not looked at.
const char *draw_inline(const struct draw_figure *figure, const struct draw_picture *picture,
			const char *prefix, draw_write_fn write, void *ctx);

#endif
