// text.c - take lines of /proc and /sys apart
// SPDX-License-Identifier: MIT

#include <string.h>

#include "live/linux/linux.h"

bool
pmon_lx_line(struct lx_text *text, struct lx_text *line)
{
	const char *end;

	if (text->at >= text->end)
		return false;
	end = memchr(text->at, '\n', (size_t)(text->end - text->at));
	if (end == NULL)
		end = text->end;
	*line = (struct lx_text){text->at, end};
	text->at = end < text->end ? end + 1 : end;
	return true;
}

static void
skip_blanks(struct lx_text *line)
{
	while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
		line->at++;
}

bool
pmon_lx_word(struct lx_text *line, struct pmon_span *word)
{
	skip_blanks(line);
	word->ptr = line->at;
	while (line->at < line->end && *line->at != ' ' && *line->at != '\t')
		line->at++;
	word->len = (size_t)(line->at - word->ptr);
	return word->len > 0;
}

bool
pmon_lx_u64(struct lx_text *line, uint64_t *out)
{
	uint64_t n = 0;
	const char *start;

	skip_blanks(line);
	start = line->at;
	while (line->at < line->end && *line->at >= '0' && *line->at <= '9')
		n = n * 10 + (uint64_t)(*line->at++ - '0');
	*out = line->at > start ? n : 0;
	if (line->at > start && (line->at == line->end || *line->at == ' ' || *line->at == '\t'))
		return true;
	*out = 0;
	while (line->at < line->end && *line->at != ' ' && *line->at != '\t')
		line->at++;
	return false;
}

bool
pmon_lx_skip(struct lx_text *line, unsigned n)
{
	struct pmon_span word;

	while (n > 0 && pmon_lx_word(line, &word))
		n--;
	return n == 0;
}

bool
pmon_lx_key(struct lx_text *line, const char *key)
{
	struct lx_text rest = *line;
	struct pmon_span word;
	size_t len = strlen(key);

	if (!pmon_lx_word(&rest, &word))
		return false;
	if (word.len == len + 1 && word.ptr[len] == ':')
		word.len--;
	if (word.len != len || memcmp(word.ptr, key, len) != 0)
		return false;
	*line = rest;
	return true;
}
