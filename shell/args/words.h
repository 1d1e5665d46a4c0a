// words.h - a list of texts from the command line
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_WORDS_H
#define PMON_SHELL_ARGS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
	const char **list;
	size_t n;
	size_t cap;
};

bool words_add(struct words *words, const char *word);
int words_take(struct words *words, const char *word); // the same, as an exit status
int words_take_all(struct words *words, const struct words *more);

#endif
