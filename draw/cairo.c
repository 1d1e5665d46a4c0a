// cairo.c - a figure as SVG, PNG or PDF
// SPDX-License-Identifier: MIT

#include "draw/cairo.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "draw/canvas.h"
#include "draw/label.h"

#define HEADING      17.0 // above a panel
#define GAP          10.0 // between panels
#define TIME_LABELS  20.0 // below the last one
#define MARGIN       14.0
#define PANEL_LEAST  90.0  // of height that a panel should have at the least
#define PANEL_GOOD   110.0 // ... if the height is free
#define ALL_GOOD     360.0 // of all of them together, at the least
#define SUBTITLE     (MARGIN + 12 + 17)
#define FOOTER       15.0
#define LEGEND_SHARE 0.42 // of the height, at the most

struct cairo_calls cairo;

enum pmon_status
draw_cairo_load(struct pmon_err *err)
{
	return PMON_OS_LOAD(PMON_LIBRARY_CAIRO, CAIRO_CALLS, &cairo, err);
}

// ---- Paper ----------------------------------------------------------------------------------

// Without memory for a clip cairo draws nothing, and no status reports it. What malloc() leaves does, until
// some other call fails: fonts make such calls.
void
draw_note_memory(struct draw_canvas *c)
{
	if (errno == ENOMEM)
		c->was_short = true;
	errno = 0;
}

void
draw_set_colour(struct draw_canvas *c, struct draw_rgb rgb, double alpha)
{
	c->colour = rgb;
	cairo.set_source_rgba(c->cr, rgb.r, rgb.g, rgb.b, alpha);
}

void
draw_set_font(struct draw_canvas *c, double size, bool bold)
{
	cairo.select_font_face(c->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
			       bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo.set_font_size(c->cr, size);
	c->font_size = size;
	c->bold = bold;
}

double
draw_text_width(struct draw_canvas *c, const char *text)
{
	cairo_text_extents_t extents;

	draw_note_memory(c);
	cairo.text_extents(c->cr, text, &extents);
	draw_note_memory(c);
	return extents.x_advance;
}

void
draw_text(struct draw_canvas *c, double x, double y, enum draw_anchor anchor, const char *text)
{
	double width;

	if (c->pieces != NULL) {
		draw_svg_text(c, x, y, anchor, text);
		return;
	}
	width = anchor == DRAW_FROM_LEFT ? 0 : draw_text_width(c, text);
	x -= anchor == DRAW_CENTRED ? width / 2 : width;
	draw_note_memory(c);
	cairo.move_to(c->cr, round(x), round(y));
	cairo.show_text(c->cr, text);
	draw_note_memory(c);
}

#define NO_SERIES SIZE_MAX

static void
shorten(struct draw_canvas *c, const char *text, size_t series, size_t most, char *buf, size_t size)
{
	if (series == NO_SERIES)
		draw_elide(text, most, false, buf, size);
	else
		draw_label_text(c->figure, series, most, false, buf, size);
}

static void
put_within(struct draw_canvas *c, double x, double y, double width, enum draw_anchor anchor,
	   const char *text, size_t series)
{
	char elided[DRAW_LABEL + 8];
	size_t most = draw_characters(text);

	draw_elide(text, most, false, elided, sizeof(elided));
	for (double have; most > 4 && (have = draw_text_width(c, elided)) > width;) {
		size_t fitting = (size_t)fmax((double)most * width / have, 4);

		most = fitting < most ? fitting : most - 1;
		shorten(c, text, series, most, elided, sizeof(elided));
	}
	draw_text(c, x, y, anchor, elided);
}

void
draw_text_within(struct draw_canvas *c, double x, double y, double width, enum draw_anchor anchor,
		 const char *text)
{
	put_within(c, x, y, width, anchor, text, NO_SERIES);
}

void
draw_label_within(struct draw_canvas *c, double x, double y, double width, enum draw_anchor anchor,
		  size_t series)
{
	put_within(c, x, y, width, anchor, c->figure->series[series].label, series);
}

void
draw_hairline(struct draw_canvas *c, double x0, double y0, double x1, double y1)
{
	cairo.set_line_width(c->cr, 1);
	cairo.set_dash(c->cr, NULL, 0, 0);
	cairo.move_to(c->cr, floor(x0) + 0.5, floor(y0) + 0.5);
	cairo.line_to(c->cr, floor(x1) + 0.5, floor(y1) + 0.5);
	cairo.stroke(c->cr);
}

void
draw_fill_box(struct draw_canvas *c, const struct draw_box *box)
{
	cairo.rectangle(c->cr, box->x, box->y, box->width, box->height);
	cairo.fill(c->cr);
}

void
draw_set_series(struct draw_canvas *c, size_t series, double alpha)
{
	static const double dashes[DRAW_DASHES][4] = {{0}, {6, 3}, {2, 3}, {8, 3, 2, 3}};
	static const int n[DRAW_DASHES] = {0, 2, 2, 4};
	size_t dash = series / DRAW_PALETTE % DRAW_DASHES;
	struct draw_rgb colour = draw_series_colour(c->picture->theme, (unsigned)series);

	// Dashes do not show in areas: the colours that come again are paler.
	if (c->figure->kind == DRAW_STACKED && dash % 2 == 1)
		colour = draw_between(colour, c->colours->page);
	draw_set_colour(c, c->figure->series[series].is_rest ? c->colours->axis : colour, alpha);
	cairo.set_dash(c->cr, dashes[dash], n[dash], 0);
}

// ---- Layout ---------------------------------------------------------------------------------

size_t
draw_cairo_columns(const struct draw_picture *picture)
{
	return (size_t)(picture->width - DRAW_LEFT - DRAW_RIGHT);
}

int
draw_cairo_height(const struct draw_picture *picture, const struct draw_figure *figure)
{
	double n = (double)figure->n_panels;
	double height = SUBTITLE + MARGIN + FOOTER;

	(void)picture;
	if (figure->kind == DRAW_BAR)
		height += draw_bars_height(figure);
	else if (figure->kind == DRAW_HEATMAP)
		height += draw_heat_map_height(figure);
	else
		height += 12 + fmax(n * PANEL_GOOD, ALL_GOOD) + n * (HEADING + GAP) + TIME_LABELS +
			  8 + ((double)figure->n + 1) * DRAW_ROW;
	return (int)fmin(ceil(height), DRAW_LARGEST);
}

size_t
draw_cairo_panels(const struct draw_picture *picture)
{
	double height = picture->height * (picture->panels_only ? 1 : 1 - LEGEND_SHARE);

	return (size_t)fmax(1, floor(height / PANEL_LEAST));
}

int
draw_cairo_steps(const struct draw_picture *picture, const struct draw_figure *figure)
{
	double height = picture->height * (picture->panels_only ? 0.9 : 0.6);

	if (figure->kind == DRAW_BAR || figure->kind == DRAW_HEATMAP)
		return picture->width / 160 + 1;
	return (int)fmax(2, height / (double)figure->n_panels / 36);
}

// The legend takes what its rows need, but most of the picture only if panels have enough.
static double
lay_legend(struct draw_canvas *c, double bottom)
{
	struct draw_layout *l = &c->layout;
	double panels = (PANEL_LEAST + HEADING + GAP) * (double)c->figure->n_panels;
	double most = fmax(c->picture->height * LEGEND_SHARE,
			   bottom - l->subtitle_base - panels - TIME_LABELS - 20);
	double room = floor(most / DRAW_ROW) - 1;

	if (c->figure->kind == DRAW_BAR || c->figure->kind == DRAW_HEATMAP ||
	    c->picture->panels_only)
		return bottom;
	l->legend_rows = c->figure->n;
	if ((double)l->legend_rows > room)
		l->legend_rows = (size_t)fmax(1, room - 1);
	l->legend.height = ((double)l->legend_rows + 1) * DRAW_ROW;
	if (l->legend_rows < c->figure->n)
		l->legend.height += DRAW_ROW; // "and 12 more"
	l->legend.x = l->margin;
	l->legend.width = c->picture->width - 2 * l->margin;
	l->legend.y = bottom - l->legend.height;
	return l->legend.y - 8;
}

static void
lay_panels(struct draw_canvas *c, double top, double bottom)
{
	size_t n = c->figure->n_panels;
	double height = (bottom - top - (double)(n - 1) * GAP) / (double)n - HEADING;

	for (size_t i = 0; i < n; i++)
		c->layout.panels[i] = (struct draw_box){
			DRAW_LEFT, round(top + (double)i * (height + HEADING + GAP) + HEADING),
			c->picture->width - DRAW_LEFT - DRAW_RIGHT, floor(fmax(height, 4))};
}

static void
lay_out(struct draw_canvas *c)
{
	struct draw_layout *l = &c->layout;
	double bottom = c->picture->height - MARGIN + 4;

	l->margin = MARGIN;
	l->title_base = MARGIN + 12;
	l->subtitle_base = c->picture->panels_only ? -8 : SUBTITLE;
	if (c->missing[0] != '\0') {
		l->footer_base = bottom - 3;
		bottom -= FOOTER;
	}
	bottom = lay_legend(c, bottom) - TIME_LABELS;
	if (c->figure->n_panels > 0)
		lay_panels(c, l->subtitle_base + 12, bottom);
}

// ---- The picture ----------------------------------------------------------------------------

static void
draw_texts(struct draw_canvas *c)
{
	const struct draw_layout *l = &c->layout;
	double width = c->picture->width - 2 * l->margin;

	if (!c->picture->panels_only) {
		draw_set_colour(c, c->colours->text, 1);
		draw_set_font(c, DRAW_TITLE_FONT, true);
		draw_text_within(c, l->margin, l->title_base, width, DRAW_FROM_LEFT,
				 c->figure->title);
		draw_set_colour(c, c->colours->muted, 1);
		draw_set_font(c, DRAW_FONT, false);
		draw_text_within(c, l->margin, l->subtitle_base, width, DRAW_FROM_LEFT,
				 c->figure->subtitle);
	}
	if (c->missing[0] == '\0')
		return;
	draw_set_font(c, DRAW_FONT, false);
	if (c->figure->kind != DRAW_HEATMAP) {
		draw_set_colour(c, c->colours->alarm, 1);
		cairo.rectangle(c->cr, l->margin + 4, l->footer_base - 8, 2, 8);
		cairo.fill(c->cr);
	}
	draw_set_colour(c, c->colours->muted, 1);
	draw_text_within(c, l->margin + 14, l->footer_base, width, DRAW_FROM_LEFT, c->missing);
}

void
draw_all(struct draw_canvas *c)
{
	if (!c->picture->panels_only) {
		draw_set_colour(c, c->colours->page, 1);
		cairo.paint(c->cr);
	}
	lay_out(c);
	draw_texts(c);
	if (c->figure->kind == DRAW_HEATMAP)
		draw_heat_map(c);
	else if (c->figure->kind == DRAW_BAR)
		draw_bars(c);
	else
		draw_time_panels(c);
	if (c->layout.legend_rows > 0)
		draw_legend(c);
}

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

int
draw_png_size(const struct draw_picture *picture, int length)
{
	return (int)lround((double)length * (picture->dpi > 0 ? picture->dpi : DRAW_DPI) /
			   DRAW_DPI);
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

// A library below cairo reports all its errors as one. Only short memory makes them: what cannot be written
// has a status of its own.
static const char *
reason_of(cairo_status_t status)
{
	switch (status) {
	case CAIRO_STATUS_SUCCESS:
		return NULL;
	case CAIRO_STATUS_FREETYPE_ERROR:
		return "the font library failed, as it does when memory is short";
	case CAIRO_STATUS_PNG_ERROR:
		return "the PNG library failed, as it does when memory is short";
	default:
		return cairo.status_to_string(status);
	}
}

static struct draw_canvas
canvas_of(const struct draw_figure *figure, const struct draw_picture *picture)
{
	struct draw_canvas canvas = {
		.figure = figure, .picture = picture, .colours = draw_colours(picture->theme)};

	if (figure->kind != DRAW_BAR)
		draw_missing_text(figure, canvas.missing, sizeof(canvas.missing));
	errno = 0;
	return canvas;
}

const char *
draw_cairo(const struct draw_figure *figure, const struct draw_picture *picture,
	   draw_write_fn write, void *ctx)
{
	struct draw_canvas canvas = canvas_of(figure, picture);
	struct draw_png png = {write, ctx, picture->dpi > 0 ? picture->dpi : DRAW_DPI, 0};
	struct sink sink = {picture->type == DRAW_PNG ? draw_png_write : write,
			    picture->type == DRAW_PNG ? (void *)&png : ctx};
	cairo_surface_t *surface;
	cairo_status_t status;

	if (picture->type == DRAW_SVG)
		return draw_svg(&canvas, NULL, write, ctx);
	surface = make_surface(picture, &sink);
	status = cairo.surface_status(surface);
	if (status == CAIRO_STATUS_SUCCESS) {
		canvas.cr = cairo.create(surface);
		if (picture->type == DRAW_PNG)
			cairo.scale(canvas.cr, png.dpi / DRAW_DPI, png.dpi / DRAW_DPI);
		draw_all(&canvas);
		status = cairo.status(canvas.cr);
		cairo.destroy(canvas.cr);
	}
	if (status == CAIRO_STATUS_SUCCESS && picture->type == DRAW_PNG)
		status = cairo.surface_write_to_png_stream(surface, write_bytes, &sink);
	cairo.surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo.surface_status(surface);
	cairo.surface_destroy(surface);
	draw_note_memory(&canvas);
	if (status == CAIRO_STATUS_SUCCESS && canvas.was_short)
		status = CAIRO_STATUS_NO_MEMORY;
	return reason_of(status);
}

const char *
draw_inline(const struct draw_figure *figure, const struct draw_picture *picture,
	    const char *prefix, draw_write_fn write, void *ctx)
{
	struct draw_picture bare = *picture;
	struct draw_canvas canvas;

	bare.type = DRAW_SVG;
	bare.panels_only = true;
	canvas = canvas_of(figure, &bare);
	return draw_svg(&canvas, prefix, write, ctx);
}
