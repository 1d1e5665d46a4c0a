// child.h - a process that reads a log, and the pipe through which it sends what it finds
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_CHILD_H
#define PMON_CLI_PROCESS_CHILD_H

#include <pmon/base.h>

#include "cli/process/starter.h"

// ---- In the program -------------------------------------------------------------------------

struct child {
	int64_t process;         // 0: it has ended
	struct starter *starter; // whose child it is; NULL: of this process
	int number;              // that the starter knows it by
	int fd;                  // to read what it sends
	int status;              // when it has ended, as waitpid() has it
};

// Start a process that calls work(ctx, output) and ends with the status that it returns, or with the program. Returns an
// exit status, after a message where it cannot be started.
int child_begin(struct child *child, int (*work)(void *ctx, int output), void *ctx);

// The same through a process that starts others (starter.h), with this standard input. *said becomes a descriptor to
// read its standard error from, which the caller closes.
enum pmon_status child_begin_apart(struct child *child, struct starter *starter, int input,
				   int *said, struct pmon_err *err);

// What it sends next, at least one byte. When there is nothing more: PMON_E_IO and how the process ended.
enum pmon_status child_read(struct child *child, uint8_t *bytes, size_t size, size_t *got,
			    struct pmon_err *err);

// What it says on its standard error, in a buffer of `size` bytes; an empty text when that is nothing.
void child_said(int said, char *text, size_t size);

// End it, unless it has ended, and close its pipe.
void child_end(struct child *child);

// The exit status that it has ended with; 0 also while it runs and when a signal has ended it.
int child_exit_status(const struct child *child);

// What comes through the program's own standard input is not for the program.
void child_leave_input(void);

// ---- In the process -------------------------------------------------------------------------

// Close what the program has opened, but for the pipe. Descriptors that it was given, such as /dev/fd/3, stay: they may
// be logs.
void child_close_others(int output);

// Send all bytes. Where that fails the process ends, without a message when nobody reads any more.
void child_send(int output, const uint8_t *bytes, size_t n);

// End at once, without what a program does when it ends.
_Noreturn void child_exit(int status);

#endif
