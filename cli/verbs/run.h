// run.h - run a verb, or what `pmon FILE` stands for
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_VERBS_RUN_H
#define PMON_CLI_VERBS_RUN_H

#include <stdbool.h>

#include "cli/args/verb.h"

// The words after the verb. Returns an exit status.
int verb_run(const struct verb *verb, int n, char *const *words);

// Is a word in the place of the verb a file, or meant to be one?
bool verb_is_file(const char *word);
extern const struct verb verb_file;
int verb_run_file(int n, char *const *words); // the file, and what follows it

#endif
