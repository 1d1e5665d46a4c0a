// ask.h - questions on the terminal
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_ASK_H
#define PMON_SHELL_OUTPUT_ASK_H

#include <stdbool.h>

// Is there a terminal for questions? Standard input and standard error must be one.
bool ask_possible(void);

// Ask a question, which ends without a question mark: "%s already exists; overwrite it". True for y
// and yes, in any case.
bool ask_yes(const char *fmt, ...) __attribute__((nonnull(1), format(printf, 1, 2)));

// May the output be written? If a regular file exists, ask on a terminal and set *overwrite on yes;
// without a terminal, fail unless *overwrite is already set. Returns an exit status, after a
// message on failure.
int ask_overwrite(const char *path, bool *overwrite);

#endif
