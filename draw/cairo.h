// cairo.h - a figure as SVG, PNG or PDF
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_CAIRO_H
#define PMON_DRAW_CAIRO_H

#include "draw/picture.h"

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
