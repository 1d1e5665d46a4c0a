// plot.c - the layout of a picture: title, panels, legend
// SPDX-License-Identifier: MIT

#include "draw/plot.h"

#include <math.h>
#include <stdio.h>

#include "draw/label.h"

#define HEADING      17.0 // above a panel
#define GAP          10.0 // between panels
#define TIME_LABELS  20.0 // below the last one
#define MARGIN       14.0
#define PANEL_LEAST  90.0  // the least height of a panel
#define PANEL_GOOD   110.0 // ... if the height can be chosen
#define ALL_GOOD     360.0 // the least height of all panels together
#define SUBTITLE     (MARGIN + 12 + 17)
#define FOOTER       15.0
#define LEGEND_SHARE 0.42 // the most of the height that the legend may take

#define LEGEND_ROW 17.0

// ---- Texts, colours and groups --------------------------------------------------------------

void
draw_text(struct draw_plot *plot, double x, double y, enum draw_anchor anchor, const char *text)
{
	plot->canvas->calls->text(plot->canvas, x, y, anchor, text);
}

double
draw_text_width(struct draw_plot *plot, const char *text)
{
	return plot->canvas->calls->text_width(plot->canvas, text);
}

#define NO_SERIES SIZE_MAX

static void
shorten(struct draw_plot *plot, const char *text, size_t series, size_t most, char *buf,
	size_t size)
{
	if (series == NO_SERIES)
		draw_elide(text, most, false, buf, size);
	else
		draw_label_text(plot->figure, series, most, false, buf, size);
}

static void
write_within(struct draw_plot *plot, double x, double y, double width, enum draw_anchor anchor,
	     const char *text, size_t series)
{
	char elided[DRAW_LABEL + 8];
	size_t most = draw_characters(text);

	draw_elide(text, most, false, elided, sizeof(elided));
	for (double have; most > 4 && (have = draw_text_width(plot, elided)) > width;) {
		size_t fitting = (size_t)fmax((double)most * width / have, 4);

		most = fitting < most ? fitting : most - 1;
		shorten(plot, text, series, most, elided, sizeof(elided));
	}
	draw_text(plot, x, y, anchor, elided);
}

void
draw_text_within(struct draw_plot *plot, double x, double y, double width, enum draw_anchor anchor,
		 const char *text)
{
	write_within(plot, x, y, width, anchor, text, NO_SERIES);
}

void
draw_label_within(struct draw_plot *plot, double x, double y, double width, enum draw_anchor anchor,
		  size_t series)
{
	write_within(plot, x, y, width, anchor, plot->figure->series[series].label, series);
}

// Each repetition of the palette has different dashes.
static size_t
dash_of(unsigned colour)
{
	return colour / DRAW_PALETTE % DRAW_DASHES;
}

void
draw_set_series(struct draw_plot *plot, size_t series, double alpha)
{
	struct draw_rgb colour =
		draw_series_colour(plot->picture->theme, plot->figure->series[series].colour);

	// Dashes do not work for areas, so repeated colours are paler.
	if (plot->figure->series[series].is_stacked &&
	    dash_of(plot->figure->series[series].colour) % 2 == 1)
		colour = draw_between(colour, plot->colours->page);
	if (plot->figure->series[series].is_rest)
		colour = draw_between(plot->colours->muted, plot->colours->page);
	draw_set_colour(plot->canvas, colour, alpha);
}

struct draw_stroke
draw_series_stroke(unsigned colour, double width)
{
	static const double dashes[DRAW_DASHES][4] = {{0}, {8, 3}, {3, 3}, {8, 3, 2, 3}};
	static const int n[DRAW_DASHES] = {0, 2, 2, 4};
	size_t dash = dash_of(colour);

	return (struct draw_stroke){.width = width, .dashes = dashes[dash], .n_dashes = n[dash]};
}

void
draw_begin_group(struct draw_plot *plot, const char *kind, const char *name)
{
	plot->canvas->calls->begin_group(plot->canvas, kind, name, NULL);
}

void
draw_begin_series(struct draw_plot *plot, size_t series)
{
	const struct draw_series *s = &plot->figure->series[series];
	char text[DRAW_SENTENCE];

	draw_series_sentence(plot->figure, s, text, sizeof(text));
	plot->canvas->calls->begin_group(plot->canvas, "series", s->label, text);
}

void
draw_end_group(struct draw_plot *plot)
{
	plot->canvas->calls->end_group(plot->canvas);
}

// ---- Layout ---------------------------------------------------------------------------------

size_t
draw_picture_columns(const struct draw_picture *picture)
{
	return (size_t)(picture->width - DRAW_LEFT - DRAW_RIGHT);
}

int
draw_picture_height(const struct draw_figure *figure)
{
	double n = (double)figure->n_panels;
	double height = SUBTITLE + MARGIN + FOOTER;

	if (figure->kind == DRAW_BAR)
		height += draw_bars_height(figure);
	else if (figure->kind == DRAW_HEATMAP)
		height += draw_heat_map_height(figure);
	else
		height += 12 + fmax(n * PANEL_GOOD, ALL_GOOD) + n * (HEADING + GAP) + TIME_LABELS +
			  8 + ((double)figure->n + 1) * LEGEND_ROW;
	return (int)fmin(ceil(height), DRAW_LARGEST);
}

size_t
draw_picture_panels(const struct draw_picture *picture)
{
	double height = picture->height * (picture->in_page ? 1 : 1 - LEGEND_SHARE);

	return (size_t)fmax(1, floor(height / PANEL_LEAST));
}

int
draw_picture_steps(const struct draw_picture *picture, const struct draw_figure *figure)
{
	double height = picture->height * (picture->in_page ? 0.9 : 0.6);

	if (figure->kind == DRAW_BAR || figure->kind == DRAW_HEATMAP ||
	    figure->kind == DRAW_DISTRIBUTION)
		return picture->width / 160 + 1;
	return (int)fmax(2, height / (double)figure->n_panels / 36);
}

// The legend gets the height of its rows, but most of the picture only if the panels have enough.
static double
lay_legend(struct draw_plot *plot, double bottom)
{
	struct draw_layout *l = &plot->layout;
	double panels = (PANEL_LEAST + HEADING + GAP) * (double)plot->figure->n_panels;
	double most = fmax(plot->picture->height * LEGEND_SHARE,
			   bottom - l->subtitle_base - panels - TIME_LABELS - 20);
	double room = floor(most / LEGEND_ROW) - 1;

	if (plot->figure->kind == DRAW_BAR || plot->figure->kind == DRAW_HEATMAP ||
	    plot->picture->in_page)
		return bottom;
	l->legend_rows = plot->figure->n;
	if ((double)l->legend_rows > room)
		l->legend_rows = (size_t)fmax(1, room - 1);
	l->legend.height = ((double)l->legend_rows + 1) * LEGEND_ROW;
	if (l->legend_rows < plot->figure->n)
		l->legend.height += LEGEND_ROW; // "and 12 more"
	l->legend.x = l->margin;
	l->legend.width = plot->picture->width - 2 * l->margin;
	l->legend.y = bottom - l->legend.height;
	return l->legend.y - 8;
}

static void
lay_panels(struct draw_plot *plot, double top, double bottom)
{
	size_t n = plot->figure->n_panels;
	double height = (bottom - top - (double)(n - 1) * GAP) / (double)n - HEADING;

	for (size_t i = 0; i < n; i++)
		plot->layout.panels[i] = (struct draw_box){
			DRAW_LEFT, round(top + (double)i * (height + HEADING + GAP) + HEADING),
			plot->picture->width - DRAW_LEFT - DRAW_RIGHT, floor(fmax(height, 4))};
}

static void
lay_out(struct draw_plot *plot)
{
	struct draw_layout *l = &plot->layout;
	double bottom = plot->picture->height - MARGIN + 4;

	l->margin = MARGIN;
	l->title_base = MARGIN + 12;
	l->subtitle_base = plot->picture->in_page ? -8 : SUBTITLE;
	if (plot->missing[0] != '\0') {
		l->footer_base = bottom - 3;
		bottom -= FOOTER;
	}
	bottom = lay_legend(plot, bottom) - TIME_LABELS;
	if (plot->figure->n_panels > 0)
		lay_panels(plot, l->subtitle_base + 12, bottom);
}

int
draw_png_size(const struct draw_picture *picture, int length)
{
	return (int)lround((double)length * (picture->dpi > 0 ? picture->dpi : DRAW_DPI) /
			   DRAW_DPI);
}

// ---- The legend -----------------------------------------------------------------------------

#define SWATCH     22.0
#define N_VALUES   4
#define UNIT_LEAST 44.0 // the least width
#define COLUMN_GAP 14.0 // between columns; it also contains the mark of an average

static const char *const headings[N_VALUES] = {"Last", "Average", "Minimum", "Maximum"};

struct columns {
	double counter; // the left edge; for values, the right edge
	double counter_width;
	double values[N_VALUES];
	double unit;
};

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

// The width of the widest value, or of the column's heading.
static double
widest_value(struct draw_plot *plot)
{
	const struct draw_figure *f = plot->figure;
	double widest = 0;

	for (int j = 0; j < N_VALUES; j++)
		widest = larger(widest, draw_text_width(plot, headings[j]));
	for (size_t i = 0; i < f->n; i++) {
		const struct draw_series *s = &f->series[i];
		const struct pmon_value *values[N_VALUES] = {&s->last, &s->average, &s->minimum,
							     &s->maximum};

		for (int j = 0; j < N_VALUES; j++) {
			char text[48];

			draw_value_text(f, s, values[j], text, sizeof(text));
			widest = larger(widest, draw_text_width(plot, text));
		}
	}
	return widest;
}

// Lay out the columns as wide as their texts, so that none touch. The font of the legend must be
// set.
static struct columns
lay_columns(struct draw_plot *plot)
{
	const struct draw_box *box = &plot->layout.legend;
	double value =
		larger(plot->picture->width < 800 ? 62 : 82, widest_value(plot) + COLUMN_GAP);
	double unit = UNIT_LEAST;
	struct columns columns = {.counter = box->x + SWATCH + 8};
	double right;

	for (size_t i = 0; i < plot->figure->n_panels; i++)
		unit = larger(unit, draw_text_width(plot, plot->figure->panels[i].multiple->name) +
					    COLUMN_GAP);
	right = box->x + box->width - unit;
	columns.unit = right + 10;
	for (int i = 0; i < N_VALUES; i++)
		columns.values[i] = right - (N_VALUES - 1 - i) * value;
	columns.counter_width =
		columns.values[0] - widest_value(plot) - COLUMN_GAP - columns.counter;
	return columns;
}

static void
draw_legend_heading(struct draw_plot *plot, const struct columns *columns, double base)
{
	char marks[DRAW_LABEL];
	char heading[sizeof(marks) + 16];

	(void)draw_marks_text(plot->figure, marks, sizeof(marks));
	(void)snprintf(heading, sizeof(heading), "Counter%s%s%s", marks[0] != '\0' ? " (" : "",
		       marks, marks[0] != '\0' ? ")" : "");
	draw_set_colour(plot->canvas, plot->colours->muted, 1);
	draw_text_within(plot, columns->counter, base, columns->counter_width, DRAW_FROM_LEFT,
			 heading);
	for (int i = 0; i < N_VALUES; i++)
		draw_text(plot, columns->values[i], base, DRAW_FROM_RIGHT, headings[i]);
}

// A sample of the line or area.
static void
draw_swatch(struct draw_plot *plot, size_t series, double base)
{
	double x = plot->layout.legend.x;
	struct draw_stroke stroke;

	if (plot->figure->series[series].is_stacked) {
		draw_set_series(plot, series, 1);
		draw_fill_box(plot->canvas, &(struct draw_box){x, base - 8, SWATCH, 8});
		return;
	}
	draw_set_series(plot, series, 1);
	stroke = draw_series_stroke(plot->figure->series[series].colour, 2.5);
	draw_move_to(plot->canvas, x, base - 3.5);
	draw_line_to(plot->canvas, x + SWATCH, base - 3.5);
	draw_stroke(plot->canvas, &stroke);
}

static void
draw_legend_row(struct draw_plot *plot, const struct columns *columns, size_t i, double base)
{
	const struct draw_series *s = &plot->figure->series[i];
	const struct pmon_value *values[N_VALUES] = {&s->last, &s->average, &s->minimum,
						     &s->maximum};

	draw_swatch(plot, i, base);
	draw_set_colour(plot->canvas, plot->colours->text, 1);
	draw_label_within(plot, columns->counter, base, columns->counter_width, DRAW_FROM_LEFT, i);
	for (int j = 0; j < N_VALUES; j++) {
		char text[48];

		draw_value_text(plot->figure, s, values[j], text, sizeof(text));
		draw_text(plot, columns->values[j], base, DRAW_FROM_RIGHT, text);
		if (values[j] == &s->average)
			draw_text(plot, columns->values[j], base, DRAW_FROM_LEFT, s->average_mark);
	}
	draw_set_colour(plot->canvas, plot->colours->muted, 1);
	draw_text(plot, columns->unit, base, DRAW_FROM_LEFT,
		  plot->figure->panels[s->panel].multiple->name);
}

static void
draw_legend(struct draw_plot *plot)
{
	struct columns columns;
	const struct draw_box *box = &plot->layout.legend;
	double base = box->y + 12;
	size_t rows = plot->layout.legend_rows;

	draw_begin_group(plot, "legend", "Values");
	draw_set_font(plot->canvas, DRAW_FONT, false);
	columns = lay_columns(plot);
	draw_legend_heading(plot, &columns, base);
	draw_set_colour(plot->canvas, plot->colours->grid, 1);
	draw_hairline(plot->canvas, box->x, box->y + LEGEND_ROW, box->x + box->width,
		      box->y + LEGEND_ROW);
	for (size_t i = 0; i < rows; i++)
		draw_legend_row(plot, &columns, i, base + (double)(i + 1) * LEGEND_ROW);
	if (rows < plot->figure->n) {
		char more[48];

		(void)snprintf(more, sizeof(more), "and %zu more%s", plot->figure->n - rows,
			       plot->figure->kind == DRAW_STACKED ? " above them" : "");
		draw_set_colour(plot->canvas, plot->colours->muted, 1);
		draw_text(plot, columns.counter, base + (double)(rows + 1) * LEGEND_ROW,
			  DRAW_FROM_LEFT, more);
	}
	draw_end_group(plot);
}

// ---- The picture ----------------------------------------------------------------------------

static void
draw_texts(struct draw_plot *plot)
{
	const struct draw_layout *l = &plot->layout;
	double width = plot->picture->width - 2 * l->margin;

	if (!plot->picture->in_page) {
		draw_set_colour(plot->canvas, plot->colours->text, 1);
		draw_set_font(plot->canvas, DRAW_TITLE_FONT, true);
		draw_text_within(plot, l->margin, l->title_base, width, DRAW_FROM_LEFT,
				 plot->figure->title);
		draw_set_colour(plot->canvas, plot->colours->muted, 1);
		draw_set_font(plot->canvas, DRAW_FONT, false);
		draw_text_within(plot, l->margin, l->subtitle_base, width, DRAW_FROM_LEFT,
				 plot->figure->subtitle);
	}
	if (plot->missing[0] == '\0')
		return;
	draw_set_font(plot->canvas, DRAW_FONT, false);
	if (plot->figure->kind != DRAW_HEATMAP) {
		draw_set_colour(plot->canvas, plot->colours->alarm, 1);
		draw_fill_box(plot->canvas,
			      &(struct draw_box){l->margin + 4, l->footer_base - 8, 2, 8});
	}
	draw_set_colour(plot->canvas, plot->colours->muted, 1);
	draw_text_within(plot, l->margin + 14, l->footer_base, width, DRAW_FROM_LEFT,
			 plot->missing);
}

bool
draw_plot(struct draw_canvas *canvas, const struct draw_figure *figure,
	  const struct draw_picture *picture)
{
	struct draw_plot plot = {.canvas = canvas,
				 .figure = figure,
				 .picture = picture,
				 .colours = draw_colours(picture->theme)};

	if (figure->kind != DRAW_BAR)
		draw_missing_text(figure, plot.missing, sizeof(plot.missing));
	lay_out(&plot);
	if (!picture->in_page) {
		draw_set_colour(canvas, plot.colours->page, 1);
		draw_fill_box(canvas, &(struct draw_box){0, 0, picture->width, picture->height});
	}
	draw_texts(&plot);
	if (figure->kind == DRAW_HEATMAP)
		draw_heat_map(&plot);
	else if (figure->kind == DRAW_BAR)
		draw_bars(&plot);
	else if (figure->kind == DRAW_DISTRIBUTION)
		draw_distributions(&plot);
	else
		draw_time_panels(&plot);
	if (plot.layout.legend_rows > 0)
		draw_legend(&plot);
	return !plot.failed;
}

const char *
draw_picture(const struct draw_figure *figure, const struct draw_picture *picture,
	     draw_write_fn write, void *ctx)
{
	return picture->type == DRAW_SVG ? draw_svg(figure, picture, write, ctx)
					 : draw_cairo(figure, picture, write, ctx);
}
