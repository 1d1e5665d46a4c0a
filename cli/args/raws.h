// raws.h - raw values given on the command line
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_ARGS_RAWS_H
#define PMON_CLI_ARGS_RAWS_H

#include "cli/args/args.h"

// The counter that -t, -F and --size describe. Returns an exit status.
int raws_counter(const struct args *args, struct pmon_counter *counter);

// Read "FIRST[:SECOND[:MULTI]]" as the type needs it. Says what is wrong with it.
int raws_parse(const char *text, const struct pmon_counter *counter, struct pmon_raw *raw);

#endif
