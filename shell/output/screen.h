// screen.h - the terminal that shows standard output, also through a pager
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_SCREEN_H
#define PMON_SHELL_OUTPUT_SCREEN_H

#include <stdbool.h>

bool screen_is_there(void);

// Its size; 0 without a terminal.
unsigned screen_columns(void);
unsigned screen_rows(void);

// Standard output becomes a pipe to a pager: what it is now stays valid.
void screen_keep(void);

#endif
