// say.h - exit statuses, and messages on standard error
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_OUTPUT_SAY_H
#define PMON_CLI_OUTPUT_SAY_H

#include <pmon/pmon.h>

// Exit statuses of the program.
enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_DAMAGED = 3, // done, but the input was damaged
};

// "pmon: " and a line. Returns status, so that errors can be reported and returned in one statement.
int say(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// A file of the command line as it is spoken of: "-" is standard input.
const char *file_name(const char *operand);

// A library error about a file.
int say_err(const char *file, const struct pmon_err *err);

// What went wrong while writing a log. A reader that went away (head, less) is not worth words.
int say_write_err(const char *path, const struct pmon_err *err);

#endif
