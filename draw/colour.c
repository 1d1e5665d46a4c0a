// colour.c - colours that most people can distinguish
// SPDX-License-Identifier: MIT
//
// Series have the eight colours of Okabe and Ito ("Color Universal Design", 2008), of which yellow is
// left out on white and black is the colour of the text; blue is lighter on black.

#include "draw/colour.h"

#include <math.h>
#include <stdio.h>

#define RGB(r, g, b)                                                                               \
	{                                                                                          \
		(r) / 255.0, (g) / 255.0, (b) / 255.0                                              \
	}

static const struct draw_colours themes[] = {
	[DRAW_LIGHT] = {.page = RGB(255, 255, 255),
			.text = RGB(31, 35, 40),
			.muted = RGB(101, 109, 118),
			.grid = RGB(230, 232, 235),
			.axis = RGB(160, 167, 175),
			.alarm = RGB(200, 30, 45)},
	[DRAW_DARK] = {.page = RGB(20, 22, 26),
		       .text = RGB(230, 237, 243),
		       .muted = RGB(145, 152, 161),
		       .grid = RGB(42, 46, 53),
		       .axis = RGB(95, 102, 112),
		       .alarm = RGB(255, 92, 92)},
};

static const struct draw_rgb palettes[][DRAW_PALETTE] = {
	[DRAW_LIGHT] = {RGB(0, 114, 178), RGB(213, 94, 0), RGB(0, 158, 115), RGB(204, 121, 167),
			RGB(230, 159, 0), RGB(86, 180, 233), RGB(75, 80, 88)},
	[DRAW_DARK] = {RGB(86, 180, 233), RGB(230, 159, 0), RGB(0, 185, 135), RGB(240, 228, 66),
		       RGB(224, 145, 190), RGB(230, 110, 25), RGB(190, 197, 205)},
};

const struct draw_colours *
draw_colours(enum draw_theme theme)
{
	return &themes[theme];
}

struct draw_rgb
draw_series_colour(enum draw_theme theme, unsigned i)
{
	return palettes[theme][i % DRAW_PALETTE];
}

struct draw_rgb
draw_between(struct draw_rgb a, struct draw_rgb b)
{
	return (struct draw_rgb){(a.r + b.r) / 2, (a.g + b.g) / 2, (a.b + b.b) / 2};
}

bool
draw_colour_at(enum draw_theme theme, size_t i, struct draw_named_colour *out)
{
	static const char *const names[] = {"page", "text", "muted", "grid", "axis", "alarm"};
	const struct draw_colours *c = draw_colours(theme);
	const struct draw_rgb colours[] = {c->page, c->text, c->muted, c->grid, c->axis, c->alarm};
	size_t n = sizeof(names) / sizeof(names[0]);

	if (i >= n + DRAW_PALETTE)
		return false;
	if (i < n)
		(void)snprintf(out->name, sizeof(out->name), "%s", names[i]);
	else
		(void)snprintf(out->name, sizeof(out->name), "s%u", (unsigned)(i - n) % 100);
	out->rgb = i < n ? colours[i] : draw_series_colour(theme, (unsigned)(i - n));
	return true;
}

unsigned
draw_series_colour_256(unsigned i)
{
	static const unsigned palette[DRAW_PALETTE] = {39, 208, 36, 175, 220, 117, 246};

	return palette[i % DRAW_PALETTE];
}

// A part of linear light as sRGB has it (IEC 61966-2-1), within what can be shown.
static double
gamma_of(double linear)
{
	double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;

	return fmin(fmax(v, 0), 1);
}

// Oklab to sRGB (B. Ottosson, "A perceptual color space for image processing", 2020).
static struct draw_rgb
oklab(double lightness, double a, double b)
{
	double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
	double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
	double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);

	return (struct draw_rgb){gamma_of(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
				 gamma_of(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
				 gamma_of(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

struct draw_rgb
draw_heat(double t)
{
	const double pi = 3.14159265358979323846;
	double hue;

	t = fmin(fmax(t, 0), 1);
	hue = (295 - 190 * t) * pi / 180; // violet over blue and green to yellow
	return oklab(0.25 + 0.67 * t, 0.13 * cos(hue), 0.13 * sin(hue));
}

unsigned
draw_heat_256(double t)
{
	struct draw_rgb c = draw_heat(t);

	// The cube of 6 * 6 * 6 colours, whose parts are 0, 95, 135 ... 255.
	unsigned r = c.r < 48 / 255.0 ? 0 : (unsigned)fmax(1, round((c.r * 255 - 55) / 40));
	unsigned g = c.g < 48 / 255.0 ? 0 : (unsigned)fmax(1, round((c.g * 255 - 55) / 40));
	unsigned b = c.b < 48 / 255.0 ? 0 : (unsigned)fmax(1, round((c.b * 255 - 55) / 40));

	return 16 + 36 * r + 6 * g + b;
}
