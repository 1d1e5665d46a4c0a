// term.h - a figure as text
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_TERM_H
#define PMON_DRAW_TERM_H

#include <stdio.h>

#include "draw/terminal.h"

#define DRAW_TERM_LEAST_WIDTH  60
#define DRAW_TERM_LEAST_HEIGHT 10

// The number of envelope columns: two per character of a panel.
size_t draw_term_columns(const struct draw_terminal *terminal);

// The number of panels that fit, and of intervals between the ticks of one.
size_t draw_term_panels(const struct draw_terminal *terminal, size_t n_series);
int draw_term_steps(const struct draw_terminal *terminal, const struct draw_figure *figure);

// Draw at most terminal->height lines, except for figures of many panels. False if memory runs out.
bool draw_term(const struct draw_figure *figure, const struct draw_terminal *terminal, FILE *out);

#endif
