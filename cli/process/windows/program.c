// program.c - run a command of the user: not yet on Windows
// SPDX-License-Identifier: MIT

#include "cli/process/program.h"

bool
program_run(const struct program *program, char why[PROGRAM_WHY])
{
	(void)program;
	(void)snprintf(why, PROGRAM_WHY, "pmon for Windows does not start programs");
	return false;
}
