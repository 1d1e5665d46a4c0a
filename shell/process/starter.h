// starter.h - a process that starts others for a multithreaded program
// SPDX-License-Identifier: MIT
//
// A multithreaded program should not fork, because other threads may hold locks. So this process is created
// before the first thread. It opens nothing, waits, and forks on request.

#ifndef PMON_SHELL_PROCESS_STARTER_H
#define PMON_SHELL_PROCESS_STARTER_H

struct starter;

// The descriptors of a process: its standard input, one for its results, and its standard error.
struct starter_ends {
	int input;
	int output;
	int errors;
};

// Create the starter. Each process that it starts calls work(ctx, output) and exits with its
// status. NULL on failure.
struct starter *starter_new(int (*work)(void *ctx, int output), void *ctx);

// Start a process; the caller keeps its own copies of the descriptors. Returns its number, or -1.
// Thread-safe.
int starter_begin(struct starter *starter, const struct starter_ends *ends);

// End a process, which may have ended by itself. Returns its status as from waitpid(); 0 if it was
// ended before. The number 0 ends all. Thread-safe.
int starter_end(struct starter *starter, int number);

// End all processes; afterwards none can be started, and starter_end() does nothing. NULL is
// allowed.
void starter_stop(struct starter *starter);

// The same, and free it. NULL is allowed.
void starter_free(struct starter *starter);

#endif
