// line.h - the progress line on the terminal of standard error
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_LINE_H
#define PMON_SHELL_OUTPUT_LINE_H

// Replace the previous line. Does nothing if standard error is not a terminal.
void line_show(const char *text);

// Remove the line before writing anything else to the terminal, and at the end.
void line_erase(void);

#endif
