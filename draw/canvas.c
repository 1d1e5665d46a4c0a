// canvas.c - shapes that all canvases draw as paths, and the levels of heat maps
// SPDX-License-Identifier: MIT

#include "draw/canvas.h"

#include <math.h>

void
draw_hairline(struct draw_canvas *c, double x0, double y0, double x1, double y1)
{
	static const struct draw_stroke thin = {.width = 1};

	draw_move_to(c, floor(x0) + 0.5, floor(y0) + 0.5);
	draw_line_to(c, floor(x1) + 0.5, floor(y1) + 0.5);
	draw_stroke(c, &thin);
}

void
draw_fill_box(struct draw_canvas *c, const struct draw_box *box)
{
	draw_move_to(c, box->x, box->y);
	draw_line_to(c, box->x + box->width, box->y);
	draw_line_to(c, box->x + box->width, box->y + box->height);
	draw_line_to(c, box->x, box->y + box->height);
	draw_fill(c);
}

uint8_t
draw_level(double place)
{
	return (uint8_t)(1 + lround(fmin(fmax(place, 0), 1) * (DRAW_LEVELS - 1)));
}

struct draw_rgb
draw_level_colour(uint8_t level)
{
	return draw_heat((level - 1) / (double)(DRAW_LEVELS - 1));
}
