// by_series.h - an element for each series of a source, made when it is first asked for
// SPDX-License-Identifier: MIT
//
// The schema of a source grows while samples are read, and numbers of series come from lists that may be
// newer or older than an array. So nobody states a length here: get makes what is missing, find returns
// NULL for it.
//
//	struct by_series seen = BY_SERIES_OF(struct seen);
//	struct seen *s = by_series_get(&seen, sample->series[i]);

#ifndef PMON_CLI_INPUT_BY_SERIES_H
#define PMON_CLI_INPUT_BY_SERIES_H

#include <stddef.h>
#include <stdint.h>

struct by_series {
	void *list;
	size_t n; // elements that were made: numbers 0 to n - 1
	size_t cap;
	size_t each; // bytes of an element
};
#define BY_SERIES_OF(type) ((struct by_series){.each = sizeof(type)})

// The element of a series, all zeros when it is new. It may move at the next call. NULL when memory is
// short.
void *by_series_get(struct by_series *elements, size_t series);

// The element of a series, or NULL when none was made.
void *by_series_find(const struct by_series *elements, size_t series);

void by_series_free(struct by_series *elements);

#endif
