// map.c - the series of the columns of a text log, and which columns are read
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"

#define WORD 64 // columns that have their bits in one word

// Words of bits for n columns: what is read from any of them on is in two.
static size_t
words_of(size_t n)
{
	return n / WORD + 2;
}

static bool
make_room(struct pdht_map *map, size_t n, const struct pmon_allocator *allocator)
{
	return pmon_mem_grow(allocator, &map->series, &map->series_cap, n, sizeof(*map->series)) &&
	       pmon_mem_grow(allocator, &map->given, &map->given_cap, n, sizeof(*map->given)) &&
	       pmon_mem_grow(allocator, &map->is_read, &map->is_read_cap, words_of(n),
			     sizeof(*map->is_read));
}

uint32_t *
pmon_pdht_map_add(struct pdht_map *map, const struct pmon_allocator *allocator)
{
	if (!make_room(map, map->n + 1, allocator))
		return NULL;
	map->series[map->n] = PMON_SERIES_NONE;
	return &map->series[map->n++];
}

void
pmon_pdht_map_index(struct pdht_map *map)
{
	size_t n = 0;

	if (map->n == 0)
		return;
	memset(map->is_read, 0, words_of(map->n) * sizeof(*map->is_read));
	for (size_t i = 0; i < map->n; i++) {
		if (map->series[i] == PMON_SERIES_NONE)
			continue;
		map->is_read[i / WORD] |= (uint64_t)1 << i % WORD;
		map->given[n++] = map->series[i];
	}
}

bool
pmon_pdht_map_copy(struct pdht_map *to, const struct pdht_map *from,
		   const struct pmon_allocator *allocator)
{
	if (!make_room(to, from->n, allocator))
		return false;
	to->n = from->n;
	if (from->n == 0)
		return true;
	memcpy(to->series, from->series, from->n * sizeof(*to->series));
	memcpy(to->given, from->given, from->n * sizeof(*to->given));
	memcpy(to->is_read, from->is_read, words_of(from->n) * sizeof(*to->is_read));
	return true;
}

void
pmon_pdht_map_free(struct pdht_map *map, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, map->series, map->series_cap * sizeof(*map->series));
	pmon_mem_free(allocator, map->given, map->given_cap * sizeof(*map->given));
	pmon_mem_free(allocator, map->is_read, map->is_read_cap * sizeof(*map->is_read));
}
