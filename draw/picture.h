// picture.h - what a picture is: its type, size and look
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_PICTURE_H
#define PMON_DRAW_PICTURE_H

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

// A text with its position in the picture.
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

#endif
