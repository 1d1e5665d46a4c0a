// words.c - a list of texts of the command line
// SPDX-License-Identifier: MIT

#include "cli/args/words.h"

#include <stdlib.h>

#include "cli/output/say.h"

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
