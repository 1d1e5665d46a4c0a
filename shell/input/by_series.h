// by_series.h - a lazily created element for each series of a source
// SPDX-License-Identifier: MIT
//
// The schema of a source grows while samples are read, and numbers of series come from lists that
// may be newer or older than an array. So there is no explicit length: get creates missing
// elements, find returns NULL for them.
//
//	struct by_series seen = BY_SERIES_OF(struct seen);
//	struct seen *s = by_series_get(&seen, sample->series[i]);

#ifndef PMON_SHELL_INPUT_BY_SERIES_H
#define PMON_SHELL_INPUT_BY_SERIES_H

#include <stddef.h>
#include <stdint.h>

struct by_series {
	void *list;
	size_t n; // number of created elements
	size_t cap;
	size_t each; // size of an element in bytes
};
#define BY_SERIES_OF(type) ((struct by_series){.each = sizeof(type)})

// The element of a series, all zeros if it is new. It may move at the next call. NULL if out of
// memory.
void *by_series_get(struct by_series *elements, size_t series);

// The element of a series, or NULL if it was not created.
void *by_series_find(const struct by_series *elements, size_t series);

void by_series_free(struct by_series *elements);

#endif
