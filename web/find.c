// find.c - search for series
// SPDX-License-Identifier: MIT

#include "web/find.h"

#include <string.h>

static bool
read_pattern(struct find *find, struct call *call, const char *name, struct pmon_span text)
{
	struct pmon_path_error why;

	find->is_pattern = true;
	if (pmon_pattern_parse(text, &find->pattern, &why))
		return true;
	call_fail(call, 400, name, "byte %zu: %s", why.at, why.text);
	return false;
}

// Put each word between two wildcards: it may be anywhere.
static bool
read_words(struct find *find, struct call *call, struct pmon_span text)
{
	char *end = find->text;

	while (text.len > 0) {
		const char *space = memchr(text.ptr, ' ', text.len);
		size_t len = space != NULL ? (size_t)(space - text.ptr) : text.len;
		char *start = end;

		if (len > 0 && find->n == FIND_WORDS) {
			call_fail(call, 400, "q", "at most %d words", FIND_WORDS);
			return false;
		}
		if (len > 0) {
			*end++ = '*';
			memcpy(end, text.ptr, len);
			end += len;
			*end++ = '*';
			find->words[find->n++] = (struct pmon_span){start, (size_t)(end - start)};
		}
		text.ptr += len + (space != NULL);
		text.len -= len + (space != NULL);
	}
	return true;
}

bool
find_open(struct find *find, struct call *call, bool with_pattern)
{
	struct pmon_span q = call_param(call, "q");
	struct pmon_span pattern = {NULL, 0};

	find->is_pattern = false;
	find->n = 0;
	if (with_pattern)
		pattern = call_param(call, "pattern");
	if (q.ptr != NULL && pattern.ptr != NULL) {
		call_fail(call, 400, "q", "a pattern or a search, not both");
		return false;
	}
	if (q.len > FIND_BYTES || pattern.len > CALL_TEXT) {
		call_fail(call, 400, q.ptr != NULL ? "q" : "pattern", "too long");
		return false;
	}
	if (pattern.ptr != NULL)
		return read_pattern(find, call, "pattern", pattern);
	if (q.len > 0 && q.ptr[0] == '\\')
		return read_pattern(find, call, "q", q);
	return read_words(find, call, q);
}

bool
find_matches(const struct find *find, const struct pmon_series *series)
{
	if (find->is_pattern)
		return pmon_series_match(&find->pattern, series);
	for (size_t i = 0; i < find->n; i++)
		if (!pmon_text_match(find->words[i], series->name))
			return false;
	return true;
}
