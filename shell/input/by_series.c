// by_series.c - a lazily created element for each series of a source
// SPDX-License-Identifier: MIT

#include "shell/input/by_series.h"

#include <string.h>

#include "base/mem.h"

void *
by_series_find(const struct by_series *elements, size_t series)
{
	return series < elements->n ? (char *)elements->list + series * elements->each : NULL;
}

void *
by_series_get(struct by_series *elements, size_t series)
{
	size_t n = series + 1;

	if (series >= elements->n) {
		if (!pmon_mem_grow(pmon_mem_allocator(NULL), &elements->list, &elements->cap, n,
				   elements->each))
			return NULL;
		memset((char *)elements->list + elements->n * elements->each, 0,
		       (n - elements->n) * elements->each);
		elements->n = n;
	}
	return by_series_find(elements, series);
}

void
by_series_free(struct by_series *elements)
{
	pmon_mem_free(pmon_mem_allocator(NULL), elements->list, elements->cap * elements->each);
	*elements = (struct by_series){.each = elements->each};
}
