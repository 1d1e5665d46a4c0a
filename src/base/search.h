// search.h - binary search
// SPDX-License-Identifier: MIT

#ifndef PMON_BASE_SEARCH_H
#define PMON_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The first index from `from` up to, but not including, `to` whose entry is not before the key;
// `to` if all are. The entries are sorted. To find an equal entry, use bsearch().
static inline size_t
pmon_search(const void *list, size_t from, size_t to, uint64_t key,
	    bool (*is_before)(const void *list, size_t at, uint64_t key))
{
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (is_before(list, middle, key))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

#endif
