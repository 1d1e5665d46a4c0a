// starter.h - a process that starts others, for a program that has threads
// SPDX-License-Identifier: MIT
//
// A program with threads should not fork: other threads may hold locks then. So a process is made before the first
// thread. It opens nothing, waits, and forks when it is asked to.

#ifndef PMON_CLI_PROCESS_STARTER_H
#define PMON_CLI_PROCESS_STARTER_H

struct starter;

// The descriptors that a process gets: its standard input, one to write results to, and its standard error.
struct starter_ends {
	int input;
	int output;
	int errors;
};

// Make the process. Each process that it starts calls work(ctx, output) and ends with the status that it returns.
// NULL: it cannot be made.
struct starter *starter_new(int (*work)(void *ctx, int output), void *ctx);

// Start a process; the descriptors stay the caller's, too. Returns its number, or -1. For any thread.
int starter_begin(struct starter *starter, const struct starter_ends *ends);

// End a process that may have ended by itself. Returns its status as waitpid() has it; 0 when it was ended before.
// 0 in place of a number ends all. For any thread.
int starter_end(struct starter *starter, int number);

// End all processes; no other one is started from now on, and starter_end() does nothing. NULL is fine.
void starter_stop(struct starter *starter);

// The same, and free it. NULL is fine.
void starter_free(struct starter *starter);

#endif
