// suggest.c - suggestions for a mistyped word
// SPDX-License-Identifier: MIT

#include <stdlib.h>

#include "shell/args/suggest.h"

#define LONGEST 160 // only this many bytes of a name are compared

static size_t
min3(size_t a, size_t b, size_t c)
{
	size_t low = a < b ? a : b;

	return low < c ? low : c;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Optimal string alignment distance, keeping three rows.
size_t
suggest_distance(struct pmon_span a, struct pmon_span b)
{
	size_t rows[3][LONGEST + 1];
	size_t *before = rows[0];
	size_t *last = rows[1];
	size_t *now = rows[2];

	if (a.len > LONGEST)
		a.len = LONGEST;
	if (b.len > LONGEST)
		b.len = LONGEST;
	for (size_t j = 0; j <= b.len; j++)
		last[j] = j;
	for (size_t i = 1; i <= a.len; i++) {
		size_t *free_row = before;

		now[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			bool same = lower(a.ptr[i - 1]) == lower(b.ptr[j - 1]);

			now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + !same);
			if (i > 1 && j > 1 && lower(a.ptr[i - 1]) == lower(b.ptr[j - 2]) &&
			    lower(a.ptr[i - 2]) == lower(b.ptr[j - 1]) &&
			    before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		before = last;
		last = now;
		now = free_row;
	}
	return last[b.len];
}
