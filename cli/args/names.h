// names.h - lists of files on the command line: @FILE
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_ARGS_NAMES_H
#define PMON_CLI_ARGS_NAMES_H

#include "cli/args/words.h"

// Texts that operands point into.
struct names_texts {
	char **list;
	size_t n;
};

// Take an operand. "@FILE" stands for the names in a file, one a line or each ended by a NUL; "@-" for
// those on standard input. An exit status.
int names_take(struct words *operands, struct names_texts *texts, const char *word);

// The same, and a name with wildcards that is not a file stands for the files that match it, for shells
// that do not expand wildcards.
int names_take_matching(struct words *operands, struct names_texts *texts, const char *word);
void names_free(struct names_texts *texts);

#endif
