// cairo_none.c - a build without cairo has no PNG and PDF
// SPDX-License-Identifier: MIT

#include "base/err.h"
#include "draw/canvas.h"

enum pmon_status
draw_cairo_load(struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
			    "this pmon was built without cairo, which draws PNG and PDF (Debian "
			    "package libcairo2-dev)");
}

const char *
draw_cairo(const struct draw_figure *figure, const struct draw_picture *picture,
	   draw_write_fn write, void *ctx)
{
	(void)figure, (void)picture, (void)write, (void)ctx;
	return "this pmon was built without cairo";
}
