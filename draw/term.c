// term.c - a figure as text
// SPDX-License-Identifier: MIT

#include "draw/term.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf.h"
#include "draw/colour.h"
#include "draw/label.h"
#include "draw/page.h"

#define BRAILLE 0x2800u

// ---- Cells ----------------------------------------------------------------------------------

struct draw_cell *
draw_cell_at(struct draw_page *p, int x, int y)
{
	bool inside = x >= 0 && x < p->width && y >= 0 && y < p->height;

	// There is one spare cell after the last row.
	return &p->cells[inside ? y * p->width + x : p->width * p->height];
}

int
draw_page_text(struct draw_page *p, int x, int y, uint16_t colour, int most, const char *text)
{
	struct pmon_span span = {text, strlen(text)};
	size_t pos = 0;
	int n = 0;

	while (pos < span.len && n < most) {
		struct draw_cell *cell = draw_cell_at(p, x + n++, y);

		*cell = (struct draw_cell){.character = pmon_utf8_next(span, &pos),
					   .colour = colour};
		if (p->terminal->ascii && cell->character >= 0x7F)
			cell->character = cell->character == 0xB5     ? 'u'
					  : cell->character == 0x2264 ? '<'
					  : cell->character == 0x2265 ? '>'
					  : cell->character == 0x2013 ? '-'
								      : '?';
	}
	return n;
}

int
draw_page_text_right(struct draw_page *p, int x_end, int y, uint16_t colour, const char *text)
{
	int n = (int)draw_characters(text);

	return draw_page_text(p, x_end - n, y, colour, n, text);
}

uint32_t
draw_either(const struct draw_page *p, uint32_t unicode, char ascii)
{
	return p->terminal->ascii ? (uint32_t)(unsigned char)ascii : unicode;
}

char
draw_letter(size_t series)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return letters[series % (sizeof(letters) - 1)];
}

uint16_t
draw_page_colour(const struct draw_page *p, size_t series)
{
	if (p->figure->series[series].is_rest)
		return DRAW_DIM;
	return (uint16_t)draw_series_colour_256(p->figure->series[series].colour);
}

uint32_t
draw_fill_of(const struct draw_page *p, size_t series)
{
	static const uint32_t shades[] = {0x2588, 0x2593, 0x2592, 0x2591};

	if (p->terminal->ascii)
		return (uint32_t)(unsigned char)draw_letter(series);
	if (p->figure->series[series].is_rest)
		return shades[3];
	return p->terminal->colour ? shades[series / DRAW_PALETTE % 3] : shades[series % 3];
}

// ---- Writing out ----------------------------------------------------------------------------

static void
write_colour(FILE *out, uint16_t colour)
{
	fputs("\033[0m", out);
	if (colour == DRAW_DIM)
		fputs("\033[2m", out);
	else if (colour == DRAW_BOLD)
		fputs("\033[1m", out);
	else if (colour != DRAW_PLAIN)
		fprintf(out, "\033[38;5;%um", (unsigned)colour);
}

static void
write_character(FILE *out, uint32_t c)
{
	if (c < 0x80) {
		putc((int)c, out);
	} else if (c < 0x800) {
		putc((int)(0xC0 | c >> 6), out);
		putc((int)(0x80 | (c & 0x3F)), out);
	} else {
		if (c < 0x10000) {
			putc((int)(0xE0 | c >> 12), out);
		} else {
			putc((int)(0xF0 | c >> 18), out);
			putc((int)(0x80 | (c >> 12 & 0x3F)), out);
		}
		putc((int)(0x80 | (c >> 6 & 0x3F)), out);
		putc((int)(0x80 | (c & 0x3F)), out);
	}
}

static uint32_t
character_of(const struct draw_cell *cell)
{
	if (cell->character != 0)
		return cell->character;
	return cell->dots != 0 ? BRAILLE + cell->dots : ' ';
}

static void
write_row(struct draw_page *p, int y, FILE *out)
{
	const struct draw_cell *row = draw_cell_at(p, 0, y);
	uint16_t colour = DRAW_PLAIN;
	int end = p->width;

	while (end > 0 && character_of(&row[end - 1]) == ' ')
		end--;
	for (int x = 0; x < end; x++) {
		uint32_t c = character_of(&row[x]);

		if (p->terminal->colour && c != ' ' && row[x].colour != colour) {
			colour = row[x].colour;
			write_colour(out, colour);
		}
		write_character(out, c);
	}
	if (colour != DRAW_PLAIN)
		fputs("\033[0m", out);
	putc('\n', out);
}

// ---- Axis of time ---------------------------------------------------------------------------

void
draw_page_times(struct draw_page *p, const struct draw_area *area, bool axis)
{
	const struct draw_figure *f = p->figure;
	struct draw_time_tick ticks[DRAW_TIME_TICKS];
	size_t n = draw_time_ticks(f->from, f->to, &f->clock, (size_t)area->width / 12 + 1, ticks);
	double length = f->to > f->from ? (double)(f->to - f->from) : 1;
	int free_from = 0; // the end of the previous label

	for (size_t i = 0; i < n; i++) {
		double place = (double)(ticks[i].time - f->from) / length;
		int x = area->x + (int)(place * (area->width - 1) + 0.5);
		int len = (int)strlen(ticks[i].label);
		int at = x - len / 2;

		if (axis)
			*draw_cell_at(p, x, area->y - 1) = (struct draw_cell){
				.character = draw_either(p, 0x252C, '+'), .colour = DRAW_DIM};
		at = at + len > p->width ? p->width - len : at;
		if (at < free_from)
			continue;
		draw_page_text(p, at, area->y, ticks[i].is_date ? DRAW_BOLD : DRAW_DIM, len,
			       ticks[i].label);
		free_from = at + len + 1;
	}
}

// ---- Legend ---------------------------------------------------------------------------------

#define VALUE 9 // the least width of a value column, in cells

// The width of a column: its longest value, the mark of an average, and a space.
static int
value_cells(const struct draw_figure *f)
{
	size_t most = VALUE - 2;

	for (size_t i = 0; i < f->n; i++) {
		const struct draw_series *s = &f->series[i];
		const struct pmon_value *values[] = {&s->last, &s->average, &s->minimum,
						     &s->maximum};

		for (int j = 0; j < 4; j++) {
			char text[48];
			size_t n;

			draw_value_text(f, s, values[j], text, sizeof(text));
			n = draw_characters(text);
			most = n > most ? n : most;
		}
	}
	return (int)most + 2;
}

static void
put_legend_row(struct draw_page *p, size_t i, int y, int cells)
{
	const struct draw_series *s = &p->figure->series[i];
	const struct pmon_value *values[] = {&s->last, &s->average, &s->minimum, &s->maximum};
	char key[2] = {draw_letter(i), '\0'};
	char label[DRAW_LABEL + 8];
	int x = 4;

	for (int k = 0; k < 2; k++)
		*draw_cell_at(p, k, y) = (struct draw_cell){
			.character = p->figure->series[i].is_stacked ? draw_fill_of(p, i)
								     : draw_either(p, 0x2501, '='),
			.colour = draw_page_colour(p, i)};
	draw_page_text(p, 2, y, draw_page_colour(p, i), 1, key);
	for (int j = 0; j < 4; j++) {
		char text[48];

		draw_value_text(p->figure, s, values[j], text, sizeof(text));
		x += cells;
		draw_page_text_right(p, x - 1, y, DRAW_PLAIN, text);
		if (values[j] == &s->average)
			draw_page_text(p, x - 1, y, DRAW_DIM, 1, s->average_mark);
	}
	draw_page_text(p, x, y, DRAW_DIM, 4, p->figure->panels[s->panel].multiple->name);
	if (p->width <= x + 5)
		return;
	draw_label_text(p->figure, i, (size_t)(p->width - x - 5), p->terminal->ascii, label,
			sizeof(label));
	draw_page_text(p, x + 5, y, DRAW_PLAIN, p->width, label);
}

static void
put_legend(struct draw_page *p, int y, int rows)
{
	static const char *const headings[] = {"Last", "Average", "Minimum", "Maximum"};
	int shown = (int)p->figure->n;
	char more[32];
	int cells = value_cells(p->figure);
	int label = 4 + cells * 4 + 5;

	if (shown > rows - 1)
		shown = rows - 2;
	for (int i = 0; i < 4; i++)
		draw_page_text_right(p, 4 + cells * (i + 1) - 1, y, DRAW_DIM, headings[i]);
	draw_page_text(p, label, y, DRAW_DIM, p->width, "Counter");
	for (int i = 0; i < shown; i++)
		put_legend_row(p, (size_t)i, y + 1 + i, cells);
	if (shown == (int)p->figure->n)
		return;
	(void)snprintf(more, sizeof(more), "and %d more", (int)p->figure->n - shown);
	draw_page_text(p, label, y + 1 + shown, DRAW_DIM, p->width, more);
}

// ---- Layout ---------------------------------------------------------------------------------

// The rows of the legend and its heading: as many as needed, but not most of the page.
static int
legend_rows(const struct draw_terminal *t, size_t n_series)
{
	int most = t->height * 2 / 5;

	most = most < 3 ? 3 : most;
	return (int)n_series + 1 < most ? (int)n_series + 1 : most;
}

size_t
draw_term_columns(const struct draw_terminal *t)
{
	return (size_t)(t->width - DRAW_TERM_LEFT - DRAW_TERM_RIGHT) * 2;
}

size_t
draw_term_panels(const struct draw_terminal *t, size_t n_series)
{
	int rows = t->height - 4 - legend_rows(t, n_series);

	return rows < 12 ? 1 : (size_t)rows / 6;
}

int
draw_term_steps(const struct draw_terminal *t, const struct draw_figure *figure)
{
	int rows = t->height - 4 - legend_rows(t, figure->n);

	if (figure->kind == DRAW_BAR || figure->kind == DRAW_HEATMAP)
		return 4;
	rows = rows / (int)(figure->n_panels > 0 ? figure->n_panels : 1) - 1;
	return rows / 3 > 1 ? rows / 3 : 1;
}

static void
put_title(struct draw_page *p)
{
	const struct draw_figure *f = p->figure;
	char missing[DRAW_LABEL];
	char marks[DRAW_LABEL];
	int n = draw_page_text(p, 0, 0, DRAW_BOLD, p->width, f->title);

	if (n + 2 + (int)draw_characters(f->subtitle) <= p->width) {
		draw_page_text(p, n + 2, 0, DRAW_DIM, p->width, f->subtitle);
	} else {
		draw_page_text(p, 0, 1, DRAW_DIM, p->width, f->subtitle);
		p->next++;
	}
	p->next++;
	if (f->kind != DRAW_HEATMAP && draw_marks_text(f, marks, sizeof(marks)) > 0)
		draw_page_text(p, 0, p->next++, DRAW_DIM, p->width, marks);
	if (f->kind == DRAW_BAR || draw_missing_text(f, missing, sizeof(missing)) == 0)
		return;
	draw_page_text(p, 0, p->next, 196, 1, p->terminal->ascii ? "!" : "\xC3\x97");
	draw_page_text(p, 2, p->next++, DRAW_DIM, p->width, missing);
}

static void
fill_page(struct draw_page *p)
{
	int legend = legend_rows(p->terminal, p->figure->n);

	put_title(p);
	if (p->figure->kind == DRAW_HEATMAP) {
		draw_page_heat(p);
	} else if (p->figure->kind == DRAW_BAR) {
		draw_page_bars(p);
	} else {
		draw_page_panels(p, p->height - legend);
		put_legend(p, p->next, legend);
		p->next += legend;
	}
}

// The height of the page: that of the terminal, or more if panels need it.
static int
page_height(const struct draw_figure *figure, const struct draw_terminal *t)
{
	char marks[DRAW_LABEL];
	int row_of_marks = draw_marks_text(figure, marks, sizeof(marks)) > 0;
	int panels = (int)figure->n_panels;
	int least = legend_rows(t, figure->n) + 5 + row_of_marks + panels * 4;

	if (figure->kind == DRAW_HEATMAP)
		return t->height;
	if (figure->kind == DRAW_BAR)
		return 2 + row_of_marks + panels * 3 + (int)figure->n;
	return least > t->height - 1 ? least : t->height - 1; // one row is left for the prompt
}

bool
draw_term(const struct draw_figure *figure, const struct draw_terminal *terminal, FILE *out)
{
	struct draw_page page = {.figure = figure,
				 .terminal = terminal,
				 .width = terminal->width,
				 .height = page_height(figure, terminal)};

	page.cells = calloc((size_t)page.width * (size_t)page.height + 1, sizeof(*page.cells));
	if (page.cells == NULL)
		return false;
	fill_page(&page);
	for (int y = 0; y < page.next && y < page.height; y++)
		write_row(&page, y, out);
	free(page.cells);
	return true;
}
