// text.h - fit texts into terminal cells
// SPDX-License-Identifier: MIT
//
// Names come from logs and processes and are not trusted. Anything that would move the cursor,
// reverse the text or occupy no cell, and invalid UTF-8, becomes one replacement character; widths
// are those of the C library (wcwidth), which depend on the locale. All text on the screen is
// produced here.

#ifndef PMON_VERBS_TOP_TEXT_H
#define PMON_VERBS_TOP_TEXT_H

#include <pmon/pmon.h>

// What the terminal can display.
enum top_charset {
	TOP_ASCII,
	TOP_UTF8
};

// Room for the text of this many cells: a cell may contain a character and combining marks.
#define TOP_CELL_BYTES 12
#define TOP_TEXT_CELLS 1024
#define TOP_TEXT_SIZE  (TOP_TEXT_CELLS * TOP_CELL_BYTES + 1)

// Write a text into at most `cells` cells (and TOP_TEXT_CELLS). A longer one is shortened in the
// middle; two thirds of the rest are its end, which for a path is the counter. Returns the number
// of cells used; out is NUL-terminated.
size_t top_text_fit(struct pmon_span text, size_t cells, enum top_charset charset,
		    char out[TOP_TEXT_SIZE]);

// The number of cells of the whole text.
size_t top_text_cells(struct pmon_span text, enum top_charset charset);

// The line of a long text that begins at *pos: broken after at most `cells` cells, between words if
// possible. *pos is advanced to the next line. False after the last.
bool top_text_line(struct pmon_span text, size_t cells, enum top_charset charset, size_t *pos,
		   struct pmon_span *line);

// The character for a value's height between bottom and top; a blank for NaN.
const char *top_spark(double value, double bottom, double top, enum top_charset charset);

#endif
