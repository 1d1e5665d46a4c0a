// defaults.h - the counters of this machine that are read when the user names none
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_DEFAULTS_H
#define PMON_SHELL_INPUT_DEFAULTS_H

#include "shell/input/request.h"

#define DEFAULT_OBJECTS 128

// The patterns that "default" stands for.
struct defaults {
	char patterns[DEFAULT_OBJECTS][128];
	size_t n; // 0: the user named other counters
};

// Replace the patterns of the request by those of the command line, in which "default" stands for all objects except
// those with an instance per process; so do no patterns at all. The request owns its lists then, and points into
// defaults. An exit status.
int defaults_read(struct defaults *defaults, const struct args *args, struct request *request);

#endif
