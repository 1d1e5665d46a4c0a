// rules_file.h - the rules of a verb: those of --rules, those of --pack, or all that pmon ships
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_INPUT_RULES_FILE_H
#define PMON_CLI_INPUT_RULES_FILE_H

#include "cli/args/args.h"
#include "rules/rules.h"

// Read the file of --rules and the packs of --pack; every pack if neither was given. Returns an exit status after
// saying what is wrong. To be freed by rules_free() if it succeeds.
int rules_load(const struct args *args, struct rules *out);

// The pack of this name; NULL after saying that there is none, and what may be meant.
const struct rules_pack *rules_pack_of(const char *name);

// Read the condition of a command line, and what it shows.
int rules_of_condition(const struct args *args, struct rules *out);

#endif
