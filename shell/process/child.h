// child.h - a process that reads a log, and the pipe for its results
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_CHILD_H
#define PMON_SHELL_PROCESS_CHILD_H

#include <pmon/base.h>

#include "shell/process/starter.h"

// ---- In the program -------------------------------------------------------------------------

struct child {
	int64_t process;         // 0: it has ended
	struct starter *starter; // its parent; NULL: this process
	int number;              // its number for the starter
	int fd;                  // descriptor for reading its results
	int status;              // after its end, as from waitpid()
};

// Start a process that calls work(ctx, output) and exits with its status, or with this program.
// Returns an exit status, after a message if it cannot be started.
int child_begin(struct child *child, int (*work)(void *ctx, int output), void *ctx);

// The same through a starter (starter.h), with the given standard input. *said is set to a
// descriptor for reading its standard error, which the caller closes.
enum pmon_status child_begin_apart(struct child *child, struct starter *starter, int input,
				   int *said, struct pmon_err *err);

// Read the next results, at least one byte. At the end: PMON_E_IO and how the process ended.
enum pmon_status child_read(struct child *child, uint8_t *bytes, size_t size, size_t *got,
			    struct pmon_err *err);

// Read its standard error into a buffer of `size` bytes; empty if there is nothing.
void child_said(int said, char *text, size_t size);

// End it, unless it has ended, and close its pipe.
void child_end(struct child *child);

// Its exit status; 0 also while it runs and after it was killed by a signal.
int child_exit_status(const struct child *child);

// Standard input is the parent's, so do not read from it.
void child_leave_input(void);

// ---- In the process -------------------------------------------------------------------------

// Close the descriptors that the program opened, except the pipe. Descriptors that it inherited,
// such as /dev/fd/3, stay open: they may be logs.
void child_close_others(int output);

// Close those that the program inherited. Call it once another process opens the logs.
void child_close_inherited(void);

// Send all bytes. On failure the process exits, without a message if the reader has closed the
// pipe.
void child_send(int output, const uint8_t *bytes, size_t n);

// Exit at once, without the program's cleanup.
_Noreturn void child_exit(int status);

#endif
