// cairo_legend.c - the value bar: colour, counter, last, average, minimum, maximum
// SPDX-License-Identifier: MIT

#include <stdio.h>

#include "draw/canvas.h"

#define SWATCH   22.0
#define N_VALUES 4
#define UNIT     44.0 // wide, at least
#define GAP      14.0 // between columns; the mark of an average is in it

static const char *const headings[N_VALUES] = {"Last", "Average", "Minimum", "Maximum"};

struct columns {
	double counter; // left edges, but of values the right ones
	double counter_width;
	double values[N_VALUES];
	double unit;
};

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

// The width of the widest value, or of its heading.
static double
widest_value(struct draw_canvas *c)
{
	const struct draw_figure *f = c->figure;
	double widest = 0;

	for (int j = 0; j < N_VALUES; j++)
		widest = larger(widest, draw_text_width(c, headings[j]));
	for (size_t i = 0; i < f->n; i++) {
		const struct draw_series *s = &f->series[i];
		const struct pmon_value *values[N_VALUES] = {&s->last, &s->average, &s->minimum,
							     &s->maximum};

		for (int j = 0; j < N_VALUES; j++) {
			char text[48];

			draw_value_text(f, s, values[j], text, sizeof(text));
			widest = larger(widest, draw_text_width(c, text));
		}
	}
	return widest;
}

// The font of the legend is set. Columns are as wide as their texts need, so that none touch.
static struct columns
lay_columns(struct draw_canvas *c)
{
	const struct draw_box *box = &c->layout.legend;
	double value = larger(c->picture->width < 800 ? 62 : 82, widest_value(c) + GAP);
	double unit = UNIT;
	struct columns columns = {.counter = box->x + SWATCH + 8};
	double right;

	for (size_t i = 0; i < c->figure->n_panels; i++)
		unit = larger(unit, draw_text_width(c, c->figure->panels[i].multiple->name) + GAP);
	right = box->x + box->width - unit;
	columns.unit = right + 10;
	for (int i = 0; i < N_VALUES; i++)
		columns.values[i] = right - (N_VALUES - 1 - i) * value;
	columns.counter_width = columns.values[0] - widest_value(c) - GAP - columns.counter;
	return columns;
}

static void
put_heading(struct draw_canvas *c, const struct columns *columns, double base)
{
	char marks[DRAW_LABEL];
	char heading[sizeof(marks) + 16];

	(void)draw_marks_text(c->figure, marks, sizeof(marks));
	(void)snprintf(heading, sizeof(heading), "Counter%s%s%s", marks[0] != '\0' ? " (" : "",
		       marks, marks[0] != '\0' ? ")" : "");
	draw_set_colour(c, c->colours->muted, 1);
	draw_text_within(c, columns->counter, base, columns->counter_width, DRAW_FROM_LEFT,
			 heading);
	for (int i = 0; i < N_VALUES; i++)
		draw_text(c, columns->values[i], base, DRAW_FROM_RIGHT, headings[i]);
}

// A piece of the line, or of the area.
static void
put_swatch(struct draw_canvas *c, size_t series, double base)
{
	double x = c->layout.legend.x;

	if (c->figure->kind == DRAW_STACKED) {
		draw_set_series(c, series, 1);
		cairo.rectangle(c->cr, x, base - 8, SWATCH, 8);
		cairo.fill(c->cr);
		return;
	}
	draw_set_series(c, series, 1);
	cairo.set_line_width(c->cr, 2.5);
	cairo.move_to(c->cr, x, base - 3.5);
	cairo.line_to(c->cr, x + SWATCH, base - 3.5);
	cairo.stroke(c->cr);
}

static void
put_row(struct draw_canvas *c, const struct columns *columns, size_t i, double base)
{
	const struct draw_series *s = &c->figure->series[i];
	const struct pmon_value *values[N_VALUES] = {&s->last, &s->average, &s->minimum,
						     &s->maximum};

	put_swatch(c, i, base);
	draw_set_colour(c, c->colours->text, 1);
	draw_label_within(c, columns->counter, base, columns->counter_width, DRAW_FROM_LEFT, i);
	for (int j = 0; j < N_VALUES; j++) {
		char text[48];

		draw_value_text(c->figure, s, values[j], text, sizeof(text));
		draw_text(c, columns->values[j], base, DRAW_FROM_RIGHT, text);
		if (values[j] == &s->average)
			draw_text(c, columns->values[j], base, DRAW_FROM_LEFT, s->average_mark);
	}
	draw_set_colour(c, c->colours->muted, 1);
	draw_text(c, columns->unit, base, DRAW_FROM_LEFT,
		  c->figure->panels[s->panel].multiple->name);
}

void
draw_legend(struct draw_canvas *c)
{
	struct columns columns;
	const struct draw_box *box = &c->layout.legend;
	double base = box->y + 12;
	size_t rows = c->layout.legend_rows;

	draw_begin_group(c, "legend", "Values");
	draw_set_font(c, DRAW_FONT, false);
	columns = lay_columns(c);
	put_heading(c, &columns, base);
	draw_set_colour(c, c->colours->grid, 1);
	draw_hairline(c, box->x, box->y + DRAW_ROW, box->x + box->width, box->y + DRAW_ROW);
	for (size_t i = 0; i < rows; i++)
		put_row(c, &columns, i, base + (double)(i + 1) * DRAW_ROW);
	if (rows < c->figure->n) {
		char more[48];

		(void)snprintf(more, sizeof(more), "and %zu more%s", c->figure->n - rows,
			       c->figure->kind == DRAW_STACKED ? " above them" : "");
		draw_set_colour(c, c->colours->muted, 1);
		draw_text(c, columns.counter, base + (double)(rows + 1) * DRAW_ROW, DRAW_FROM_LEFT,
			  more);
	}
	draw_end_group(c);
}
