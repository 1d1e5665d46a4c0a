// help.h - print the help of a verb, from its options
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_HELP_H
#define PMON_SHELL_ARGS_HELP_H

#include "shell/args/verb.h"

// Print it. Returns EXIT_DONE.
int help_print(const struct verb *verb);

#endif
