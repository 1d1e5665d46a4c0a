// term.h - a figure as characters
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_TERM_H
#define PMON_DRAW_TERM_H

#include <stdio.h>

#include "draw/terminal.h"

#define DRAW_TERM_LEAST_WIDTH  60
#define DRAW_TERM_LEAST_HEIGHT 10

// Columns that an envelope should have: two for each character of a panel.
size_t draw_term_columns(const struct draw_terminal *terminal);

// How many panels there is room for, and steps between the ticks of one.
size_t draw_term_panels(const struct draw_terminal *terminal, size_t n_series);
int draw_term_steps(const struct draw_terminal *terminal, const struct draw_figure *figure);

// Draw at most terminal->height lines, except for figures of many panels. False when memory is
// short.
bool draw_term(const struct draw_figure *figure, const struct draw_terminal *terminal, FILE *out);

#endif
