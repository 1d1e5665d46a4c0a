// cairo.c - a canvas for PNG and PDF, using cairo
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <math.h>
#include <string.h>

#include <cairo-pdf.h>
#include <cairo.h>

#include "draw/canvas.h"
#include "os/library.h"

// clang-format off
#define CAIRO_CALLS(CALL)                                                                          \
	CALL(cairo_, create)                           \
	CALL(cairo_, destroy) CALL(cairo_, fill) CALL(cairo_, get_source)                          \
	CALL(cairo_, image_surface_create) CALL(cairo_, image_surface_get_data)                    \
	CALL(cairo_, line_to) CALL(cairo_, move_to)         \
	CALL(cairo_, pattern_set_filter)                                       \
	CALL(cairo_, pdf_surface_create_for_stream) CALL(cairo_, rectangle)                        \
	CALL(cairo_, restore) CALL(cairo_, save) CALL(cairo_, scale)                               \
	CALL(cairo_, select_font_face) CALL(cairo_, set_dash) CALL(cairo_, set_font_size)          \
	CALL(cairo_, set_line_cap) CALL(cairo_, set_line_join) CALL(cairo_, set_line_width)                                   \
	CALL(cairo_, set_source_rgba) CALL(cairo_, set_source_surface)                             \
	CALL(cairo_, show_text) CALL(cairo_, status) CALL(cairo_, status_to_string)                \
	CALL(cairo_, stroke) CALL(cairo_, surface_destroy) CALL(cairo_, surface_finish)            \
	CALL(cairo_, surface_flush) CALL(cairo_, surface_mark_dirty)                               \
	CALL(cairo_, surface_status) CALL(cairo_, surface_write_to_png_stream)                     \
	CALL(cairo_, text_extents)                     \
	CALL(cairo_, translate)
// clang-format on

struct cairo_calls {
	CAIRO_CALLS(PMON_OS_CALL)
};

static struct cairo_calls cairo;

enum pmon_status
draw_cairo_load(struct pmon_err *err)
{
	return PMON_OS_LOAD(PMON_LIBRARY_CAIRO, CAIRO_CALLS, &cairo, err);
}

// ---- The canvas -----------------------------------------------------------------------------

struct page {
	struct draw_canvas canvas;
	cairo_t *cr;
	bool was_short; // ran out of memory, which cairo does not always report
};

// Cairo's status may stay good although it ran out of memory and drew nothing. errno then holds the ENOMEM of
// malloc(), until another call fails, as calls for fonts do.
static void
note_memory(struct page *page)
{
	if (errno == ENOMEM)
		page->was_short = true;
	errno = 0;
}

static struct page *
page_of(struct draw_canvas *c)
{
	return (struct page *)c;
}

static void
page_move_to(struct draw_canvas *c, double x, double y)
{
	cairo.move_to(page_of(c)->cr, x, y);
}

static void
page_line_to(struct draw_canvas *c, double x, double y)
{
	cairo.line_to(page_of(c)->cr, x, y);
}

static void
set_source(struct page *page)
{
	const struct draw_canvas *c = &page->canvas;

	cairo.set_source_rgba(page->cr, c->colour.r, c->colour.g, c->colour.b, c->alpha);
}

static void
page_fill(struct draw_canvas *c)
{
	set_source(page_of(c));
	cairo.fill(page_of(c)->cr);
}

static void
page_stroke(struct draw_canvas *c, const struct draw_stroke *stroke)
{
	cairo_t *cr = page_of(c)->cr;

	set_source(page_of(c));
	cairo.set_line_width(cr, stroke->width);
	cairo.set_dash(cr, stroke->dashes, stroke->n_dashes, 0);
	cairo.set_line_cap(cr, stroke->round_ends ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
	cairo.set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
	cairo.stroke(cr);
}

static void
set_font(struct page *page)
{
	cairo.select_font_face(page->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
			       page->canvas.bold ? CAIRO_FONT_WEIGHT_BOLD
						 : CAIRO_FONT_WEIGHT_NORMAL);
	cairo.set_font_size(page->cr, page->canvas.font_size);
}

static double
page_text_width(struct draw_canvas *c, const char *text)
{
	cairo_text_extents_t extents;

	note_memory(page_of(c));
	set_font(page_of(c));
	cairo.text_extents(page_of(c)->cr, text, &extents);
	note_memory(page_of(c));
	return extents.x_advance;
}

static void
page_text(struct draw_canvas *c, double x, double y, enum draw_anchor anchor, const char *text)
{
	double width = page_text_width(c, text);

	x -= anchor == DRAW_FROM_LEFT ? 0 : anchor == DRAW_CENTRED ? width / 2 : width;
	set_source(page_of(c));
	cairo.move_to(page_of(c)->cr, round(x), round(y));
	cairo.show_text(page_of(c)->cr, text);
	note_memory(page_of(c));
}

static uint32_t
pixel_of(uint8_t level)
{
	struct draw_rgb rgb = draw_level_colour(level);

	if (level == 0)
		return 0;
	return 0xFF000000u | (uint32_t)lround(rgb.r * 255) << 16 |
	       (uint32_t)lround(rgb.g * 255) << 8 | (uint32_t)lround(rgb.b * 255);
}

// An image with one pixel per cell, scaled up without smoothing.
static void
page_cells(struct draw_canvas *c, const struct draw_box *box, const uint8_t *levels, size_t n)
{
	cairo_t *cr = page_of(c)->cr;
	cairo_surface_t *image = cairo.image_surface_create(CAIRO_FORMAT_ARGB32, (int)n, 1);

	if (cairo.surface_status(image) == CAIRO_STATUS_SUCCESS) {
		uint32_t *pixels;

		cairo.surface_flush(image);
		pixels = (uint32_t *)(void *)cairo.image_surface_get_data(image);
		for (size_t i = 0; i < n; i++)
			pixels[i] = pixel_of(levels[i]);
		cairo.surface_mark_dirty(image);
		cairo.save(cr);
		cairo.translate(cr, box->x, box->y);
		cairo.scale(cr, box->width / (double)n, box->height);
		cairo.set_source_surface(cr, image, 0, 0);
		cairo.pattern_set_filter(cairo.get_source(cr), CAIRO_FILTER_NEAREST);
		cairo.rectangle(cr, 0, 0, (double)n, 1);
		cairo.fill(cr);
		cairo.restore(cr);
	}
	cairo.surface_destroy(image);
}

// PNG and PDF do not support groups.
static void
page_begin_group(struct draw_canvas *c, const char *kind, const char *name, const char *title)
{
	(void)c, (void)kind, (void)name, (void)title;
}

static void
page_end_group(struct draw_canvas *c)
{
	(void)c;
}

static const struct draw_canvas_calls calls = {
	.move_to = page_move_to,
	.line_to = page_line_to,
	.fill = page_fill,
	.stroke = page_stroke,
	.text = page_text,
	.text_width = page_text_width,
	.cells = page_cells,
	.begin_group = page_begin_group,
	.end_group = page_end_group,
};

// ---- The pixels of a PNG --------------------------------------------------------------------

// Adds the resolution, which cairo does not write: the chunk pHYs of ISO/IEC 15948.
struct png {
	draw_write_fn write;
	void *ctx;
	double dpi;
	size_t seen; // bytes so far
};

#define HEAD 33 // bytes in the signature and the chunk IHDR
#define PHYS 21 // bytes in the chunk pHYs: its length, name, nine bytes, and checksum

static void
store_u32(unsigned char *out, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		out[i] = (unsigned char)(value >> (24 - 8 * i));
}

// CRC-32 of ISO 3309.
static uint32_t
checksum(const unsigned char *bytes, size_t len)
{
	uint32_t crc = 0xFFFFFFFFu;

	for (size_t i = 0; i < len; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
	}
	return ~crc;
}

static bool
write_dpi(struct png *png)
{
	unsigned char chunk[PHYS] = {0, 0, 0, 9, 'p', 'H', 'Y', 's'};
	uint32_t per_metre = (uint32_t)lround(png->dpi / 0.0254);

	store_u32(chunk + 8, per_metre);
	store_u32(chunk + 12, per_metre);
	chunk[16] = 1; // the unit is the metre
	store_u32(chunk + 17, checksum(chunk + 4, 13));
	return png->write(png->ctx, chunk, sizeof(chunk));
}

static bool
write_png(void *ctx, const void *bytes, size_t len)
{
	struct png *png = ctx;
	size_t before = png->seen < HEAD ? HEAD - png->seen : 0;

	png->seen += len;
	if (before == 0 || len < before)
		return png->write(png->ctx, bytes, len);
	return png->write(png->ctx, bytes, before) && write_dpi(png) &&
	       (len == before ||
		png->write(png->ctx, (const unsigned char *)bytes + before, len - before));
}

// ---- Files ----------------------------------------------------------------------------------

struct sink {
	draw_write_fn write;
	void *ctx;
};

static cairo_status_t
write_bytes(void *closure, const unsigned char *bytes, unsigned len)
{
	struct sink *sink = closure;

	return sink->write(sink->ctx, bytes, len) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *
make_surface(const struct draw_picture *picture, struct sink *sink)
{
	if (picture->type == DRAW_PDF)
		return cairo.pdf_surface_create_for_stream(write_bytes, sink, picture->width,
							   picture->height);
	return cairo.image_surface_create(CAIRO_FORMAT_RGB24,
					  draw_png_size(picture, picture->width),
					  draw_png_size(picture, picture->height));
}

// Libraries below cairo have only one status for all errors. Here it must be lack of memory,
// because write errors have their own status.
static const char *
reason_of(cairo_status_t status)
{
	switch (status) {
	case CAIRO_STATUS_SUCCESS:
		return NULL;
	case CAIRO_STATUS_FREETYPE_ERROR:
		return "the font library failed, possibly for lack of memory";
	case CAIRO_STATUS_PNG_ERROR:
		return "the PNG library failed, possibly for lack of memory";
	default:
		return cairo.status_to_string(status);
	}
}

const char *
draw_cairo(const struct draw_figure *figure, const struct draw_picture *picture,
	   draw_write_fn write, void *ctx)
{
	struct page page = {.canvas = {.calls = &calls}};
	struct png png = {write, ctx, picture->dpi > 0 ? picture->dpi : DRAW_DPI, 0};
	struct sink sink = {picture->type == DRAW_PNG ? write_png : write,
			    picture->type == DRAW_PNG ? (void *)&png : ctx};
	cairo_surface_t *surface = make_surface(picture, &sink);
	cairo_status_t status = cairo.surface_status(surface);

	errno = 0;
	if (status == CAIRO_STATUS_SUCCESS) {
		page.cr = cairo.create(surface);
		if (picture->type == DRAW_PNG)
			cairo.scale(page.cr, png.dpi / DRAW_DPI, png.dpi / DRAW_DPI);
		page.was_short |= !draw_plot(&page.canvas, figure, picture);
		status = cairo.status(page.cr);
		cairo.destroy(page.cr);
	}
	if (status == CAIRO_STATUS_SUCCESS && picture->type == DRAW_PNG)
		status = cairo.surface_write_to_png_stream(surface, write_bytes, &sink);
	cairo.surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo.surface_status(surface);
	cairo.surface_destroy(surface);
	note_memory(&page);
	if (status == CAIRO_STATUS_SUCCESS && page.was_short)
		status = CAIRO_STATUS_NO_MEMORY;
	return reason_of(status);
}
