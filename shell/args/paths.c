// paths.c - several counter paths in one argument
// SPDX-License-Identifier: MIT

#include "shell/args/paths.h"

#include <string.h>

// Between paths. The shell removes quotes around a whole line, which leaves single ones here.
static const char separators[] = " \t,\"";
static const char blanks[] = " \t,";

static struct pmon_span
skipped(struct pmon_span text, size_t n)
{
	return (struct pmon_span){text.ptr + n, text.len - n};
}

static size_t
count_of(struct pmon_span text, const char *set)
{
	size_t n = 0;

	while (n < text.len && text.ptr[n] != '\0' && strchr(set, text.ptr[n]) != NULL)
		n++;
	return n;
}

// Does a new path begin at the separators at i? Only if a path precedes them.
static bool
ends_at(struct pmon_span text, size_t i)
{
	size_t next = i + count_of(skipped(text, i), separators);
	struct pmon_path path;

	return next > i && next < text.len && text.ptr[next] == '\\' &&
	       pmon_pattern_parse((struct pmon_span){text.ptr, i}, &path, NULL);
}

// The length of the first path of a text. An instance in parentheses may contain anything.
static size_t
length_of_first(struct pmon_span text)
{
	size_t depth = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '(')
			depth++;
		else if (text.ptr[i] == ')' && depth > 0)
			depth--;
		else if (depth == 0 && ends_at(text, i))
			return i;
	}
	return text.len;
}

// The length of the quoted part, or of the whole text if the quote is not closed.
static size_t
length_of_quoted(struct pmon_span text)
{
	const char *end = memchr(text.ptr, '"', text.len);

	return end != NULL ? (size_t)(end - text.ptr) : text.len;
}

bool
paths_next(struct pmon_span *text, struct pmon_span *path)
{
	if (text->ptr == NULL)
		return false;
	if (text->len > 1 && text->ptr[0] == '"') {
		*text = skipped(*text, 1);
		path->ptr = text->ptr;
		path->len = length_of_quoted(*text);
		*text = skipped(*text, path->len + (path->len < text->len));
		*text = skipped(*text, count_of(*text, blanks));
	} else {
		path->ptr = text->ptr;
		path->len = length_of_first(*text);
		*text = skipped(*text, path->len);
		*text = skipped(*text, count_of(*text, separators));
	}
	if (text->len == 0)
		text->ptr = NULL; // that was the last
	return true;
}
