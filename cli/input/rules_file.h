// rules_file.h - the rules of a verb: those of --rules, or those that pmon ships
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_INPUT_RULES_FILE_H
#define PMON_CLI_INPUT_RULES_FILE_H

#include "cli/args/args.h"
#include "rules/rules.h"

// Read the file, or the shipped rules if name is NULL. Returns an exit status after saying what is wrong. To be
// freed by rules_free() if it succeeds.
int rules_load(const char *name, struct rules *out);

// Read the condition of a command line, and what it shows.
int rules_of_condition(const struct args *args, struct rules *out);

#endif
