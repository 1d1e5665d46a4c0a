// mutate_lines.c - mutate text logs and JSON lines by their lines, cells, keys and numbers
// SPDX-License-Identifier: MIT

#include "mutate.h"

#include <string.h>

struct stretch {
	size_t at;
	size_t size;
};

static const char *const words[] = {
	"",
	"-1",
	"0",
	"1e308",
	"-1e-320",
	"nan",
	"inf",
	"9223372036854775807",
	"-9223372036854775808",
	"18446744073709551616",
	"2147483648",
	"\"",
	"\"\"",
	"\\",
	"null",
	"true",
	"{}",
	"[]",
	"\x1b[31m",
	"=1+1",
	"\xff\xfe",
	"\xc3",
	"\r",
	"\n",
	"\t",
	",",
	";",
	"\\\\M\\O(a/b#1)\\C",
	"02/30/2026 25:61:61.999",
	"9999-12-31T23:59:59.9999999Z",
	"0001-01-01T00:00:00Z",
	"1601-01-01 00:00:00",
};

// The line around a position, including its end.
static struct stretch
line_around(const struct mutate *m, size_t at)
{
	struct stretch line;
	const uint8_t *end;

	while (at > 0 && m->data[at - 1] != '\n')
		at--;
	end = memchr(m->data + at, '\n', m->size - at);
	line.at = at;
	line.size = end != NULL ? (size_t)(end - m->data) + 1 - at : m->size - at;
	return line;
}

static bool
separates(uint8_t byte)
{
	return strchr(",;\t\n\r:{}[]\"", byte) != NULL;
}

// The text between the separators around an offset: a cell, key or value.
static struct stretch
cell_around(const struct mutate *m, size_t at)
{
	size_t end = at;

	while (at > 0 && !separates(m->data[at - 1]))
		at--;
	while (end < m->size && !separates(m->data[end]))
		end++;
	return (struct stretch){at, end - at};
}

static bool
replace(struct mutate *m, struct stretch old, const void *bytes, size_t n)
{
	bool is_removed = mutate_remove(m, old.at, old.size);

	return mutate_insert(m, old.at, bytes, n) || is_removed;
}

static bool
change_lines(struct mutate *m)
{
	struct stretch one = line_around(m, mutate_random(m, m->size));
	struct stretch other = line_around(m, mutate_random(m, m->size));

	switch (mutate_random(m, 3)) {
	case 0:
		return mutate_remove(m, one.at, one.size);
	case 1:
		return mutate_copy(m, one.at, one.size, other.at);
	default: // up to the end of that line only
		return mutate_remove(m, one.at + mutate_random(m, one.size),
				     mutate_random(m, one.size));
	}
}

static bool
change_cells(struct mutate *m)
{
	struct stretch one = cell_around(m, mutate_random(m, m->size));
	struct stretch other = cell_around(m, mutate_random(m, m->size));
	const char *word = words[mutate_random(m, sizeof(words) / sizeof(words[0]))];
	uint8_t copy[256];
	size_t n = other.size < sizeof(copy) ? other.size : sizeof(copy);

	switch (mutate_random(m, 4)) {
	case 0: // with the separator
		return mutate_remove(m, one.at,
				     one.at + one.size < m->size ? one.size + 1 : one.size);
	case 1:
		memcpy(copy, m->data + other.at, n);
		return replace(m, one, copy, n);
	default:
		return replace(m, one, word, strlen(word));
	}
}

static bool
is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

// Make a number longer, shorter, or different.
static bool
change_number(struct mutate *m)
{
	for (int tries = 0; tries < 64; tries++) {
		size_t at = mutate_random(m, m->size);
		uint8_t digit = (uint8_t)('0' + mutate_random(m, 10));

		if (!is_digit(m->data[at]))
			continue;
		switch (mutate_random(m, 4)) {
		case 0:
			return mutate_copy(m, at, 1, at);
		case 1:
			return mutate_remove(m, at, 1);
		case 2:
			return mutate_insert(m, at, mutate_random(m, 2) ? "-" : ".", 1);
		default:
			m->data[at] = digit;
			return true;
		}
	}
	return false;
}

bool
mutate_lines(struct mutate *m)
{
	if (m->size == 0)
		return false;
	switch (mutate_random(m, 4)) {
	case 0:
		return change_lines(m);
	case 1:
		return change_number(m);
	default:
		return change_cells(m);
	}
}
