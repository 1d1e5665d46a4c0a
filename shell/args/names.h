// names.h - lists of files on the command line: @FILE
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_NAMES_H
#define PMON_SHELL_ARGS_NAMES_H

#include "shell/args/words.h"

// Texts that operands point into.
struct names_texts {
	char **list;
	size_t n;
};

// Add an operand. "@FILE" stands for the names in a file, one per line or each terminated by a NUL;
// "@-" for those on standard input. Returns an exit status.
int names_take(struct words *operands, struct names_texts *texts, const char *word);

// The same, but a name with wildcards that is not a file stands for the matching files, for shells
// that do not expand wildcards.
int names_take_matching(struct words *operands, struct names_texts *texts, const char *word);

// A folder stands for the logs in it, by their extensions.
int names_take_folder(struct words *operands, struct names_texts *texts, const char *folder);
void names_free(struct names_texts *texts);

#endif
