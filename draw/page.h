// page.h - the grid of terminal cells for a figure
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_PAGE_H
#define PMON_DRAW_PAGE_H

#include "draw/terminal.h"

#define DRAW_PLAIN 0xFFFFu // for cells, in addition to the 256
#define DRAW_DIM   0xFFFEu
#define DRAW_BOLD  0xFFFDu

struct draw_cell {
	uint32_t character; // 0: a space
	uint16_t colour;
	uint8_t dots; // Braille dots, if there is no character
};

struct draw_page {
	const struct draw_figure *figure;
	const struct draw_terminal *terminal;
	struct draw_cell *cells; // width * height
	int width;
	int height;
	int next; // the next free row
};

// The cells of a panel.
struct draw_area {
	int x;
	int y;
	int width;
	int height;
};

#define DRAW_TERM_LEFT  10 // columns for tick labels and the axis
#define DRAW_TERM_RIGHT 3  // columns for the letters of series

// The cell at x, y; outside the page, a spare cell that is never shown.
struct draw_cell *draw_cell_at(struct draw_page *p, int x, int y);

// Write a text, up to the end of the row or `most` characters. Returns the number of cells used.
int draw_page_text(struct draw_page *p, int x, int y, uint16_t colour, int most, const char *text);
int draw_page_text_right(struct draw_page *p, int x_end, int y, uint16_t colour, const char *text);

// One of two characters: the second if only ASCII is available.
uint32_t draw_either(const struct draw_page *p, uint32_t unicode, char ascii);

// The letter and terminal colour of a series.
char draw_letter(size_t series);
uint16_t draw_page_colour(const struct draw_page *p, size_t series);

// The fill character of a series in a stack: shades where colours do not suffice.
uint32_t draw_fill_of(const struct draw_page *p, size_t series);

// The time labels of an area in row y, with ticks in the row above if there is an axis.
void draw_page_times(struct draw_page *p, const struct draw_area *area, bool axis);

void draw_page_panels(struct draw_page *p, int bottom); // term_time.c
void draw_page_bars(struct draw_page *p);               // term_bars.c
void draw_page_heat(struct draw_page *p);               // term_heat.c

#endif
