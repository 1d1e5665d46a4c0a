// run.h - run a verb, or `pmon FILE`
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_RUN_H
#define PMON_VERBS_RUN_H

#include <stdbool.h>

#include "shell/args/verb.h"

// n words follow the verb. Returns an exit status.
int verb_run(const struct verb *verb, int n, char *const *words);

// Is a word in place of the verb a file, or meant as one?
bool verb_is_file(const char *word);
extern const struct verb verb_file;
bool verb_file_takes(const char *word);       // is it an option of `pmon FILE`?
int verb_run_file(int n, char *const *words); // files and options

// Without a file: health of this machine in three seconds, or the help where pmon cannot sample.
int verb_run_here(int n, char *const *options);

#endif
