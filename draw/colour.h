// colour.h - palette of colours that most people can distinguish
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

// Colours for everything except data.
struct draw_colours {
	struct draw_rgb page;
	struct draw_rgb text;
	struct draw_rgb muted; // less important text
	struct draw_rgb grid;
	struct draw_rgb axis;
	struct draw_rgb alarm; // thresholds and values beyond them
};

// The colours of the page: cmake/colours.cmake takes them from web/page/style.css, which says how they were chosen.
#define DRAW_PALETTE 8
extern const struct draw_colours draw_themes[];
extern const struct draw_rgb draw_palettes[][DRAW_PALETTE];

const struct draw_colours *draw_colours(enum draw_theme theme);

// Colour of series i, and its dashes, which differ once the colours repeat.
#define DRAW_DASHES 4
struct draw_rgb draw_series_colour(enum draw_theme theme, unsigned i);

// The same for a terminal with an unknown background: an index into its 256 colours.
unsigned draw_series_colour_256(unsigned i);

// The colour of text on an area: dark or light, whichever has more contrast (WCAG 2.2).
struct draw_rgb draw_ink_on(struct draw_rgb area);

// The midpoint of two colours.
struct draw_rgb draw_between(struct draw_rgb a, struct draw_rgb b);

// Lists the colours of a theme by name: "page", "text" ... and "s0" ... for series. Pages set them as CSS
// variables. Returns false after the last.
struct draw_named_colour {
	char name[8];
	struct draw_rgb rgb;
};
bool draw_colour_at(enum draw_theme theme, size_t i, struct draw_named_colour *out);

// A perceptually uniform colour scale for 0..1, from dark blue to bright yellow.
struct draw_rgb draw_heat(double t);
unsigned draw_heat_256(double t);

#endif
