// words.h - select counters by words instead of a path
// SPDX-License-Identifier: MIT
//
// A text without a backslash is a search. pmon_search_parse() returns it as a pattern whose object is absent and whose
// counter is the text.

#ifndef PMON_PATH_WORDS_H
#define PMON_PATH_WORDS_H

#include <pmon/path.h>

static inline bool
pmon_path_is_words(const struct pmon_path *pattern)
{
	return pattern->object.ptr == NULL;
}

// Is each word found in one of a counter's names? They are the n paths of the counter, in the language of the log and in
// English.
bool pmon_words_match(struct pmon_span text, const struct pmon_path *names, size_t n);

// Could the words match this counter of the object, on some machine and with some instance? An absent counter stands for
// any.
bool pmon_words_could(struct pmon_span text, struct pmon_span object, struct pmon_span counter);

// The next word of a search; false after the last. '%' and the word after it are one word, as in "% Processor".
bool pmon_words_next(struct pmon_span *text, struct pmon_span *word);

// Does the path as printed contain this text, ignoring case? In match.c.
bool pmon_path_contains(const struct pmon_path *path, struct pmon_span text);

#endif
