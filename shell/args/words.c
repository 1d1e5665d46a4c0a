// words.c - a list of texts from the command line
// SPDX-License-Identifier: MIT

#include "shell/args/words.h"

#include <stdlib.h>

#include "shell/output/say.h"

bool
words_add(struct words *words, const char *word)
{
	if (words->n == words->cap) {
		size_t cap = words->cap == 0 ? 16 : words->cap * 2;
		const char **grown = realloc(words->list, cap * sizeof(*grown));

		if (grown == NULL)
			return false;
		words->list = grown;
		words->cap = cap;
	}
	words->list[words->n++] = word;
	return true;
}

int
words_take(struct words *words, const char *word)
{
	return words_add(words, word) ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

int
words_take_all(struct words *words, const struct words *more)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < more->n && status == EXIT_DONE; i++)
		status = words_take(words, more->list[i]);
	return status;
}
