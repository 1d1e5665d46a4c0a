// rules_file.h - load the rules of a verb: --rules, --pack, or all shipped packs
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_RULES_FILE_H
#define PMON_SHELL_INPUT_RULES_FILE_H

#include "shell/args/args.h"
#include "rules/rules.h"

// Read the file of --rules and the packs of --pack; every pack if neither was given. Returns an
// exit status, after a message on failure. On success, free with rules_free().
int rules_load(const struct args *args, struct rules *out);

// Parse the condition on the command line, and what it selects.
int rules_of_condition(const struct args *args, struct rules *out);

#endif
