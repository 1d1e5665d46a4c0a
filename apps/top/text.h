// text.h - texts for the cells of a terminal
// SPDX-License-Identifier: MIT
//
// Names come from logs and from processes and are not trusted. What would move the cursor,
// reverse the text, take no cell or is invalid UTF-8 becomes one replacement character; widths are those
// of the C library (wcwidth), which follow the locale. All text that gets to the screen is made here.

#ifndef PMON_APPS_TOP_TEXT_H
#define PMON_APPS_TOP_TEXT_H

#include <pmon/pmon.h>

// What the terminal can show.
enum top_charset {
	TOP_ASCII,
	TOP_UTF8
};

// Room for the text of this many cells: a cell may hold a character and marks above and below it.
#define TOP_CELL_BYTES 12
#define TOP_TEXT_CELLS 1024
#define TOP_TEXT_SIZE  (TOP_TEXT_CELLS * TOP_CELL_BYTES + 1)

// Write a text into at most `cells` cells (and TOP_TEXT_CELLS). Where it is longer it is cut in the
// middle, two thirds of what is left being its end: of a path the counter. Returns how many cells it
// takes; out is NUL-terminated.
size_t top_text_fit(struct pmon_span text, size_t cells, enum top_charset charset,
		    char out[TOP_TEXT_SIZE]);

// How many cells the whole text takes.
size_t top_text_cells(struct pmon_span text, enum top_charset charset);

// The line of a longer text that begins at *pos: cut after so many cells, between words where there
// are any. *pos moves to where the next one begins. False after the last.
bool top_text_line(struct pmon_span text, size_t cells, enum top_charset charset, size_t *pos,
		   struct pmon_span *line);

// The character that shows how high a value stands between bottom and top; a blank for NaN.
const char *top_spark(double value, double bottom, double top, enum top_charset charset);

#endif
