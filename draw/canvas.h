// canvas.h - the drawing interface of pictures: paths, cells, texts and groups, in SVG or with cairo
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_CANVAS_H
#define PMON_DRAW_CANVAS_H

#include "draw/picture.h"

struct draw_box {
	double x;
	double y;
	double width;
	double height;
};

enum draw_anchor {
	DRAW_FROM_LEFT,
	DRAW_CENTRED,
	DRAW_FROM_RIGHT
};

struct draw_stroke {
	double width;
	const double *dashes; // lengths of dashes and gaps
	int n_dashes;         // 0: a solid line
	bool round_ends;
};

// Colours of the cells of a heat map, from draw_heat(0) to draw_heat(1). Level 0 draws nothing.
#define DRAW_LEVELS 64

struct draw_canvas;

struct draw_canvas_calls {
	void (*move_to)(struct draw_canvas *c, double x, double y);
	void (*line_to)(struct draw_canvas *c, double x, double y);
	// Both end the path; fill closes its subpaths.
	void (*fill)(struct draw_canvas *c);
	void (*stroke)(struct draw_canvas *c, const struct draw_stroke *stroke);

	void (*text)(struct draw_canvas *c, double x, double y, enum draw_anchor anchor,
		     const char *text);
	double (*text_width)(struct draw_canvas *c, const char *text);

	// A row of n cells that fill the box.
	void (*cells)(struct draw_canvas *c, const struct draw_box *box, const uint8_t *levels,
		      size_t n);

	// A part of the picture, with a name and a description for screen readers; NULL: none.
	void (*begin_group)(struct draw_canvas *c, const char *kind, const char *name,
			    const char *title);
	void (*end_group)(struct draw_canvas *c);
};

struct draw_canvas {
	const struct draw_canvas_calls *calls;
	struct draw_rgb colour;
	double alpha;
	double font_size;
	bool bold;
};

static inline void
draw_set_colour(struct draw_canvas *c, struct draw_rgb rgb, double alpha)
{
	c->colour = rgb;
	c->alpha = alpha;
}

static inline void
draw_set_font(struct draw_canvas *c, double size, bool bold)
{
	c->font_size = size;
	c->bold = bold;
}

static inline void
draw_move_to(struct draw_canvas *c, double x, double y)
{
	c->calls->move_to(c, x, y);
}

static inline void
draw_line_to(struct draw_canvas *c, double x, double y)
{
	c->calls->line_to(c, x, y);
}

static inline void
draw_fill(struct draw_canvas *c)
{
	c->calls->fill(c);
}

static inline void
draw_stroke(struct draw_canvas *c, const struct draw_stroke *stroke)
{
	c->calls->stroke(c, stroke);
}

// A line of one pixel, aligned so that it is sharp on screens.
void draw_hairline(struct draw_canvas *c, double x0, double y0, double x1, double y1);

void draw_fill_box(struct draw_canvas *c, const struct draw_box *box);

// The level of a position from 0 to 1.
uint8_t draw_level(double place);
struct draw_rgb draw_level_colour(uint8_t level);

// False: memory was short, and a part is missing.
bool draw_plot(struct draw_canvas *c, const struct draw_figure *figure,
	       const struct draw_picture *picture);

// Each of these draws all of a figure, as draw_picture() does.
const char *draw_svg(const struct draw_figure *figure, const struct draw_picture *picture,
		     draw_write_fn write, void *ctx);
const char *draw_cairo(const struct draw_figure *figure, const struct draw_picture *picture,
		       draw_write_fn write, void *ctx);

#endif
