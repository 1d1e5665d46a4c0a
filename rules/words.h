// words.h - words and blanks for the rule parser
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_WORDS_H
#define PMON_RULES_WORDS_H

#include <string.h>

#include <pmon/base.h>

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline struct pmon_span
trimmed(struct pmon_span s)
{
	while (s.len > 0 && is_blank(s.ptr[0]))
		s = (struct pmon_span){s.ptr + 1, s.len - 1};
	while (s.len > 0 && (is_blank(s.ptr[s.len - 1]) || s.ptr[s.len - 1] == '\r'))
		s.len--;
	return s;
}

static inline struct pmon_span
rest_of(struct pmon_span s, size_t used)
{
	return trimmed((struct pmon_span){s.ptr + used, s.len - used});
}

static inline bool
is(struct pmon_span s, const char *text)
{
	return s.len == strlen(text) && memcmp(s.ptr, text, s.len) == 0;
}

// The offset of the word's last occurrence with a blank on both sides, followed by the character unless that
// is 0; the length of the text if there is none.
static inline size_t
last_word(struct pmon_span text, const char *word, char next)
{
	size_t len = strlen(word);

	for (size_t i = text.len; i-- > len + 1;)
		if (is_blank(text.ptr[i]) && is_blank(text.ptr[i - len - 1]) &&
		    memcmp(text.ptr + i - len, word, len) == 0 &&
		    (next == '\0' || rest_of(text, i).ptr[0] == next))
			return i - len - 1;
	return text.len;
}

#endif
