// terminal.h - the terminal that a figure is drawn on
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_TERMINAL_H
#define PMON_DRAW_TERMINAL_H

#include "draw/figure.h"

struct draw_terminal {
	int width; // characters
	int height;
	bool colour; // use 256-colour escapes
	bool ascii;  // ASCII characters only
};

#endif
