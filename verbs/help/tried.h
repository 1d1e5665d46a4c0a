// tried.h - the verbs of other programs, and what to type instead
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_HELP_TRIED_H
#define PMON_VERBS_HELP_TRIED_H

#include <stdbool.h>
#include <stddef.h>

#define TRIED_FILES 16   // as many names are repeated in the command
#define TRIED_SIZE  2048 // of a command; longer ones end with "..."

// Write the pmon command that does what the unknown verb `word` asks for, such as "convert", with the files among the
// n words after it. Returns false if there is no such command.
bool tried_command(const char *word, int n, char *const *words, char *buf, size_t size);

// "pmon VERB WORD...", with the words quoted for a shell.
void tried_with_verb(const char *verb, int n, char *const *words, char *buf, size_t size);

#endif
