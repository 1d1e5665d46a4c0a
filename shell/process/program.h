// program.h - run a user's command and wait for it
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_PROGRAM_H
#define PMON_SHELL_PROCESS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program {
	const char *command;          // passed to /bin/sh -c
	const char *const *variables; // n additional environment variables "NAME=value"
	size_t n;
	// after this time it is killed, with the programs that it started
	int64_t limit_100ns;
	bool (*cancel)(void *ctx); // called repeatedly while it runs: kill it now?
	void *ctx;
};

#define PROGRAM_WHY 128

// Its standard input is empty, and its standard output goes to standard error. False with the
// reason if it cannot be started, its exit status is not 0, or it was killed.
bool program_run(const struct program *program, char why[PROGRAM_WHY]);

// The parts of it. Start a command in a process group of its own, with its standard output going to
// a descriptor; environment NULL: that of this process. Returns 0, or an errno.
int program_start(const char *command, char *const *environment, int output, int64_t *process);

// Whether it succeeded, from the status of waitpid(). False with the reason.
bool program_judge(int status, char why[PROGRAM_WHY]);

#endif
