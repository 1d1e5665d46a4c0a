// page.h - the cells of a terminal that a figure is drawn on
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_PAGE_H
#define PMON_DRAW_PAGE_H

#include "draw/terminal.h"

#define DRAW_PLAIN 0xFFFFu // colours of cells beside the 256
#define DRAW_DIM   0xFFFEu
#define DRAW_BOLD  0xFFFDu

struct draw_cell {
	uint32_t character; // 0: a space
	uint16_t colour;
	uint8_t dots; // of Braille, when there is no character
};

struct draw_page {
	const struct draw_figure *figure;
	const struct draw_terminal *terminal;
	struct draw_cell *cells; // width * height
	int width;
	int height;
	int next; // the row that is next to be used
};

// Where a panel has its cells.
struct draw_area {
	int x;
	int y;
	int width;
	int height;
};

#define DRAW_TERM_LEFT  10 // for the labels of ticks, and the axis
#define DRAW_TERM_RIGHT 3  // for the letters of series

// The cell at x, y; a spare cell that is never shown if that is outside of the page.
struct draw_cell *draw_cell_at(struct draw_page *p, int x, int y);

// Put a text, up to the end of the row or `most` characters; the cells that it took.
int draw_put(struct draw_page *p, int x, int y, uint16_t colour, int most, const char *text);
int draw_put_right(struct draw_page *p, int x_end, int y, uint16_t colour, const char *text);

// One of two characters: the second where only ASCII is to be had.
uint32_t draw_either(const struct draw_page *p, uint32_t unicode, char ascii);

// The letter of a series, and its colour in the terminal.
char draw_letter(size_t series);
uint16_t draw_page_colour(const struct draw_page *p, size_t series);

// What the part of a series in a stack is filled with: shades where colours are not enough.
uint32_t draw_fill_of(const struct draw_page *p, size_t series);

// The labels of time in row y of an area that is as wide, with ticks in the row above when there is
// an axis.
void draw_page_times(struct draw_page *p, const struct draw_area *area, bool axis);

void draw_page_panels(struct draw_page *p, int bottom); // term_time.c
void draw_page_bars(struct draw_page *p);               // term_bars.c
void draw_page_heat(struct draw_page *p);               // term_heat.c

#endif
