// program.c - run a user's command: unsupported, where a program cannot start others
// SPDX-License-Identifier: MIT

#include "shell/process/program.h"

bool
program_run(const struct program *program, char why[PROGRAM_WHY])
{
	(void)program;
	(void)snprintf(why, PROGRAM_WHY, "pmon cannot start programs on this system");
	return false;
}
