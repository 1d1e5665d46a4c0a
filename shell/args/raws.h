// raws.h - raw values given on the command line
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_RAWS_H
#define PMON_SHELL_ARGS_RAWS_H

#include "shell/args/args.h"

// The counter that -t, -F and --size describe. Returns an exit status.
int raws_counter(const struct args *args, struct pmon_counter *counter);

// Parse "FIRST[:SECOND[:MULTI]]" as the type requires. Prints a message if it is invalid.
int raws_parse(const char *text, const struct pmon_counter *counter, struct pmon_raw *raw);

#endif
