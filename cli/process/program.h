// program.h - run a command of the user, and wait for it
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_PROGRAM_H
#define PMON_CLI_PROCESS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program {
	const char *command;          // for /bin/sh -c
	const char *const *variables; // n of "NAME=value", which its environment has in addition
	size_t n;
	int64_t limit_100ns;       // then it is killed, with the programs that it has started
	bool (*cancel)(void *ctx); // asked while it runs: kill it now?
	void *ctx;
};

#define PROGRAM_WHY 128

// Its standard input is empty, and its standard output goes to standard error. False with the reason when it cannot be
// started, when its exit status is not 0, or when it was killed.
bool program_run(const struct program *program, char why[PROGRAM_WHY]);

#endif
