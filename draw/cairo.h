// cairo.h - a figure as SVG, PNG or PDF
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_CAIRO_H
#define PMON_DRAW_CAIRO_H

#include "draw/picture.h"

// Load cairo; nothing is drawn before. It reads no input, so it can be done before a sandbox is entered.
PMON_NODISCARD enum pmon_status draw_cairo_load(struct pmon_err *err);

#define DRAW_SMALLEST 200 // pixels of either side
#define DRAW_LARGEST  16000

// Pixels of a PNG for a length of the picture, by its dpi.
int draw_png_size(const struct draw_picture *picture, int length);

// The height that shows all of a figure, whose panels are assigned: every panel, and every row of
// the legend, of bars or of a heat map. picture->height is ignored.
int draw_cairo_height(const struct draw_picture *picture, const struct draw_figure *figure);

#define DRAW_CAIRO_LEFT 76 // of panels: labels of ticks

// Columns that an envelope should have for a picture of this width.
size_t draw_cairo_columns(const struct draw_picture *picture);

// How many panels there is room for, and steps between the ticks of one.
size_t draw_cairo_panels(const struct draw_picture *picture);
int draw_cairo_steps(const struct draw_picture *picture, const struct draw_figure *figure);

// Draw. Returns NULL, or why it could not be done (static text).
const char *draw_cairo(const struct draw_figure *figure, const struct draw_picture *picture,
		       draw_write_fn write, void *ctx);

// Draw panels for an HTML page: an svg element for direct inclusion in the page. Its texts stay
// texts, its colours are CSS variables of the page (draw_colour_at(): --page, --s0 ...), and its
// ids begin with prefix, so that they do not collide with those of other pictures in the page.
// type, text and panels_only of the picture are ignored.
const char *draw_inline(const struct draw_figure *figure, const struct draw_picture *picture,
			const char *prefix, draw_write_fn write, void *ctx);

#endif
