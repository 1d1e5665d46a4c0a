// draw.h - drawing primitives of pmon top (private to screen.c, rows.c)
// SPDX-License-Identifier: MIT
//
// Only this file and its two users know ncurses.

#ifndef PMON_VERBS_TOP_DRAW_H
#define PMON_VERBS_TOP_DRAW_H

// ncurses' wide characters require X/Open.
#define _XOPEN_SOURCE    700
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#define NCURSES_OPAQUE   1

#include <curses.h>

#include "verbs/top/text.h"
#include "verbs/top/view.h"
#include "os/library.h"

// clang-format off
#define CURSES_CALLS(CALL)                                                                 \
	CALL(, COLOR_PAIR) CALL(, addwstr) CALL(, attroff) CALL(, attron) CALL(, cbreak)   \
	CALL(, clearok) CALL(, curs_set) CALL(, endwin) CALL(, erase) CALL(, get_wch)      \
	CALL(, getmaxx) CALL(, getmaxy) CALL(, has_colors) CALL(, init_pair) CALL(, keypad)\
	CALL(, move) CALL(, mvaddch) CALL(, mvchgat) CALL(, newterm) CALL(, nodelay)       \
	CALL(, noecho) CALL(, nonl) CALL(, refresh) CALL(, resizeterm) CALL(, set_escdelay)\
	CALL(, set_term) CALL(, start_color) CALL(, use_default_colors) CALL(, stdscr)     \
	CALL(, curscr)
// clang-format on

// Two of them are variables.
struct curses_calls {
	CURSES_CALLS(PMON_OS_CALL)
};

extern struct curses_calls curses; // filled by top_screen_load()

#define TOP_PAIR_SPARK 1 // color of the history

struct pmon_span top_span_of(const char *text);

void top_put_text(int y, size_t x, const char *text);

// Print a text, cleaned and shortened to so many cells. Returns the column after it.
size_t top_put(int y, size_t x, size_t cells, struct pmon_span text);
void top_put_right(int y, size_t x, size_t cells, const char *text);

size_t top_columns(void);
enum top_charset top_charset(void);
bool top_has_colors(void);

// Apply attributes to a whole line.
void top_paint_line(int y, attr_t attributes);

// All rows with their headings. Defined in rows.c.
void top_draw_rows(struct top_view *view);

#endif
