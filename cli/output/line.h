// line.h - the line of progress on the terminal of standard error
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_OUTPUT_LINE_H
#define PMON_CLI_OUTPUT_LINE_H

// Write the line, in place of the last. Does nothing if standard error is not a terminal.
void line_show(const char *text);

// Remove the line: before anything else is written to the terminal, and at the end.
void line_erase(void);

#endif
