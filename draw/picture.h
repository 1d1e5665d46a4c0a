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

#define DRAW_DPI 96

struct draw_picture {
	enum draw_type type;
	enum draw_theme theme;
	int width; // pixels of 1/96 inch, or points of 1/72 inch in PDF
	int height;
	int dpi;          // pixels an inch of PNG; 0: DRAW_DPI
	bool panels_only; // no paper, title and legend: for a page that has its own
};

// Receives the bytes of a picture piece by piece. false: they could not be written; drawing stops.
typedef bool (*draw_write_fn)(void *ctx, const void *bytes, size_t len);

#endif
