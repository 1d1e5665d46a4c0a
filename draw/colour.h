// colour.h - colours that most people can distinguish
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_COLOUR_H
#define PMON_DRAW_COLOUR_H

#include <stdbool.h>
#include <stddef.h>

// sRGB, each part 0..1.
struct draw_rgb {
	double r;
	double g;
	double b;
};

enum draw_theme {
	DRAW_LIGHT,
	DRAW_DARK
};

// Everything of a picture that is not data.
struct draw_colours {
	struct draw_rgb page;
	struct draw_rgb text;
	struct draw_rgb muted; // text that may be overlooked
	struct draw_rgb grid;
	struct draw_rgb axis;
	struct draw_rgb alarm; // thresholds and what is beyond them
};

const struct draw_colours *draw_colours(enum draw_theme theme);

// Colour of series i, and its dashes, which differ once the colours begin anew.
#define DRAW_PALETTE 7
#define DRAW_DASHES  4
struct draw_rgb draw_series_colour(enum draw_theme theme, unsigned i);

// The same for a terminal whose background is not known: a number of its 256 colours.
unsigned draw_series_colour_256(unsigned i);

// The colour in the middle of two.
struct draw_rgb draw_between(struct draw_rgb a, struct draw_rgb b);

// The colours of a theme that pictures use one by one, each with a name: "page", "text" ... and "s0" ...
// for series. For pages that set them as variables. Returns false after the last.
struct draw_named_colour {
	char name[8];
	struct draw_rgb rgb;
};
bool draw_colour_at(enum draw_theme theme, size_t i, struct draw_named_colour *out);

// A scale of colours for 0..1 on which equal steps look equal, from dark blue to bright yellow.
struct draw_rgb draw_heat(double t);
unsigned draw_heat_256(double t);

#endif
