// cairo_none.c - a build without cairo has no pictures
// SPDX-License-Identifier: MIT

#include "base/err.h"
#include "draw/cairo.h"

enum pmon_status
draw_cairo_load(struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "this pmon was built without cairo, which draws pictures (in Debian "
			    "libcairo2-dev)");
}

int
draw_png_size(const struct draw_picture *picture, int length)
{
	(void)picture;
	return length;
}

int
draw_cairo_height(const struct draw_picture *picture, const struct draw_figure *figure)
{
	(void)picture, (void)figure;
	return 1;
}

size_t
draw_cairo_columns(const struct draw_picture *picture)
{
	(void)picture;
	return 1;
}

size_t
draw_cairo_panels(const struct draw_picture *picture)
{
	(void)picture;
	return 1;
}

int
draw_cairo_steps(const struct draw_picture *picture, const struct draw_figure *figure)
{
	(void)picture, (void)figure;
	return 1;
}

const char *
draw_cairo(const struct draw_figure *figure, const struct draw_picture *picture,
	   draw_write_fn write, void *ctx)
{
	(void)figure, (void)picture, (void)write, (void)ctx;
	return "there is no cairo";
}

const char *
draw_inline(const struct draw_figure *figure, const struct draw_picture *picture,
	    const char *prefix, draw_write_fn write, void *ctx)
{
	(void)prefix;
	return draw_cairo(figure, picture, write, ctx);
}
