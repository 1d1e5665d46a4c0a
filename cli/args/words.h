// words.h - a list of texts of the command line
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_ARGS_WORDS_H
#define PMON_CLI_ARGS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
	const char **list;
	size_t n;
	size_t cap;
};

bool words_add(struct words *words, const char *word);
int words_take(struct words *words, const char *word); // the same, as an exit status

#endif
