// ask.h - questions on the terminal
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_OUTPUT_ASK_H
#define PMON_CLI_OUTPUT_ASK_H

#include <stdbool.h>

// Is there a terminal to ask on? Standard input and standard error have to be one.
bool ask_possible(void);

// Ask a question, which ends without a question mark: "%s already exists; overwrite it". True for y and
// yes, in any case.
bool ask_yes(const char *fmt, ...) __attribute__((nonnull(1), format(printf, 1, 2)));

// May the output be written? A regular file that exists is asked for on a terminal, and *overwrite is set
// on yes; without a terminal it may not, unless *overwrite is set already. Returns an exit status after
// saying what is wrong.
int ask_overwrite(const char *path, bool *overwrite);

#endif
