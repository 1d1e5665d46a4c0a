// colour.c - colours that most people can distinguish
// SPDX-License-Identifier: MIT

#include "draw/colour.h"

#include <math.h>
#include <stdio.h>

const struct draw_colours *
draw_colours(enum draw_theme theme)
{
	return &draw_themes[theme];
}

struct draw_rgb
draw_series_colour(enum draw_theme theme, unsigned i)
{
	return draw_palettes[theme][i % DRAW_PALETTE];
}

static double
linear_of(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double
luminance(struct draw_rgb c)
{
	return 0.2126 * linear_of(c.r) + 0.7152 * linear_of(c.g) + 0.0722 * linear_of(c.b);
}

struct draw_rgb
draw_ink_on(struct draw_rgb area)
{
	struct draw_rgb dark = draw_colours(DRAW_LIGHT)->text;
	struct draw_rgb light = draw_colours(DRAW_LIGHT)->page;
	double middle = sqrt((luminance(dark) + 0.05) * (luminance(light) + 0.05)) - 0.05;

	return luminance(area) > middle ? dark : light;
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
	static const unsigned palette[DRAW_PALETTE] = {39, 208, 36, 175, 220, 117, 100, 246};

	return palette[i % DRAW_PALETTE];
}

// Convert a linear-light component to sRGB (IEC 61966-2-1), clamped to the displayable range.
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

	// The colour cube has 6 * 6 * 6 colours, with components 0, 95, 135 ... 255.
	unsigned r = c.r < 48 / 255.0 ? 0 : (unsigned)fmax(1, round((c.r * 255 - 55) / 40));
	unsigned g = c.g < 48 / 255.0 ? 0 : (unsigned)fmax(1, round((c.g * 255 - 55) / 40));
	unsigned b = c.b < 48 / 255.0 ? 0 : (unsigned)fmax(1, round((c.b * 255 - 55) / 40));

	return 16 + 36 * r + 6 * g + b;
}
