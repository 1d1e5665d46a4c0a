// say.h - exit statuses, and messages on standard error
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_SAY_H
#define PMON_SHELL_OUTPUT_SAY_H

#include <pmon/pmon.h>

// Exit statuses of the program.
enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_DAMAGED = 3, // done, but the input was damaged
};

// Print "pmon: " and a line. Returns status, so that errors can be reported and returned in one
// statement.
int say(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// The name of an input file for messages: "-" is standard input.
const char *file_name(const char *operand);

// Report a library error about a file.
int say_err(const char *file, const struct pmon_err *err);

// Report a failure while writing a log, unless the reader has closed the pipe (head, less).
int say_write_err(const char *path, const struct pmon_err *err);

#endif
