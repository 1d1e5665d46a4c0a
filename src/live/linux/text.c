// text.c - parse lines of /proc and /sys
// SPDX-License-Identifier: MIT

#include <string.h>

#include "live/linux/linux.h"

bool
pmon_lx_line(struct pmon_scan *text, struct pmon_scan *line)
{
	const char *end;

	if (text->at >= text->end)
		return false;
	end = memchr(text->at, '\n', (size_t)(text->end - text->at));
	if (end == NULL)
		end = text->end;
	*line = (struct pmon_scan){text->at, end};
	text->at = end < text->end ? end + 1 : end;
	return true;
}

bool
pmon_lx_whole_line(struct pmon_scan *text, struct pmon_scan *line)
{
	return pmon_lx_line(text, line) && text->at > line->end;
}

static void
skip_blanks(struct pmon_scan *line)
{
	while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
		line->at++;
}

bool
pmon_lx_word(struct pmon_scan *line, struct pmon_span *word)
{
	skip_blanks(line);
	word->ptr = line->at;
	while (line->at < line->end && *line->at != ' ' && *line->at != '\t')
		line->at++;
	word->len = (size_t)(line->at - word->ptr);
	return word->len > 0;
}

// Skip the rest of a word; a number with anything after it is invalid.
static bool
end_number(struct pmon_scan *line, bool good, uint64_t *out)
{
	good = good && (line->at == line->end || *line->at == ' ' || *line->at == '\t');
	while (line->at < line->end && *line->at != ' ' && *line->at != '\t')
		line->at++;
	if (!good)
		*out = 0;
	return good;
}

bool
pmon_lx_u64(struct pmon_scan *line, uint64_t *out)
{
	skip_blanks(line);
	return end_number(line, pmon_scan_u64(line, out), out);
}

bool
pmon_lx_fixed(struct pmon_scan *line, unsigned decimals, uint64_t *out)
{
	bool good;

	skip_blanks(line);
	good = pmon_scan_u64(line, out);
	if (line->at < line->end && *line->at == '.')
		line->at++;
	for (; decimals > 0; decimals--) {
		bool more = pmon_is_digit(pmon_scan_peek(line));

		good = good && *out <= UINT64_MAX / 10 - 1;
		*out = *out * 10 + (more ? (uint64_t)(*line->at++ - '0') : 0);
	}
	while (pmon_is_digit(pmon_scan_peek(line)))
		line->at++;
	return end_number(line, good, out);
}

bool
pmon_lx_range(struct pmon_scan *list, uint64_t *first, uint64_t *last)
{
	if (list->at < list->end && *list->at == ',')
		list->at++;
	if (!pmon_scan_u64(list, first))
		return false;
	*last = *first;
	if (list->at == list->end || *list->at != '-')
		return true;
	list->at++;
	return pmon_scan_u64(list, last) && *last >= *first;
}

static bool
is_octal(const char *at)
{
	return at[0] >= '0' && at[0] <= '3' && at[1] >= '0' && at[1] <= '7' && at[2] >= '0' &&
	       at[2] <= '7';
}

void
pmon_lx_octal(struct pmon_span text, char *buf, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; i < text.len && len + 1 < size; i++) {
		const char *at = text.ptr + i;

		if (*at == '\\' && text.len - i > 3 && is_octal(at + 1)) {
			buf[len++] =
				(char)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
			i += 3;
		} else {
			buf[len++] = *at;
		}
	}
	buf[len] = '\0';
}

// Kernels let a gauge go below zero for a moment and print it as unsigned: such a number is
// invalid.
void
pmon_lx_field(struct pmon_scan line, const struct lx_key *keys, size_t n, struct live_row *row)
{
	struct pmon_span word;
	uint64_t value;

	if (!pmon_lx_word(&line, &word))
		return;
	if (word.ptr[word.len - 1] == ':')
		word.len--;
	while (n > 0 && (keys->len != word.len || memcmp(keys->key, word.ptr, word.len) != 0)) {
		keys++;
		n--;
	}
	if (n > 0 && pmon_lx_u64(&line, &value) && value <= INT64_MAX / keys->unit)
		live_row_add(row, keys->field, value * keys->unit);
}

void
pmon_lx_fields(struct pmon_scan text, const struct lx_key *keys, size_t n, struct live_row *row)
{
	struct pmon_scan line;

	while (pmon_lx_line(&text, &line))
		pmon_lx_field(line, keys, n, row);
}

bool
pmon_lx_skip(struct pmon_scan *line, unsigned n)
{
	struct pmon_span word;

	while (n > 0 && pmon_lx_word(line, &word))
		n--;
	return n == 0;
}

bool
pmon_lx_key(struct pmon_scan *line, const char *key)
{
	struct pmon_scan rest = *line;
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

bool
pmon_lx_numbered(struct pmon_scan *line, const char *prefix, uint64_t *out)
{
	struct pmon_scan rest = *line;
	struct pmon_span word;
	struct pmon_scan digits;
	size_t len = strlen(prefix);

	if (!pmon_lx_word(&rest, &word) || word.len <= len || memcmp(word.ptr, prefix, len) != 0)
		return false;
	digits = (struct pmon_scan){word.ptr + len, word.ptr + word.len};
	if (!pmon_lx_u64(&digits, out))
		return false;
	*line = rest;
	return true;
}

bool
pmon_lx_name(struct pmon_span word, char *out, size_t size)
{
	if (word.len >= size || memchr(word.ptr, '\0', word.len) != NULL)
		return false;
	memcpy(out, word.ptr, word.len);
	out[word.len] = '\0';
	return true;
}

void
pmon_lx_tally(struct lx_tally *tally, uint64_t now)
{
	if (now < tally->last && tally->last <= UINT32_MAX && tally->last - now > INT32_MAX)
		tally->past += UINT64_C(1) << 32;
	tally->last = now;
}
