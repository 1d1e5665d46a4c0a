// map.c - map the columns of a text log to series, and select the columns to read
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"

#define WORD 64 // columns that have their bits in one word

// The number of words for the bits of n columns: reading a word's worth from any bit touches two.
static size_t
words_of(size_t n)
{
	return n / WORD + 2;
}

static bool
make_room(struct pdht_map *map, size_t n, const struct pmon_allocator *allocator)
{
	return pmon_mem_grow(allocator, &map->series, &map->series_cap, n, sizeof(*map->series)) &&
	       pmon_mem_grow(allocator, &map->column, &map->column_cap, n, sizeof(*map->column)) &&
	       pmon_mem_grow(allocator, &map->given, &map->given_cap, n, sizeof(*map->given)) &&
	       pmon_mem_grow(allocator, &map->least, &map->least_cap, n, sizeof(*map->least)) &&
	       pmon_mem_grow(allocator, &map->most, &map->most_cap, n, sizeof(*map->most)) &&
	       pmon_mem_grow(allocator, &map->missing, &map->missing_cap, n,
			     sizeof(*map->missing)) &&
	       pmon_mem_grow(allocator, &map->skipped, &map->skipped_cap, n,
			     sizeof(*map->skipped)) &&
	       pmon_mem_grow(allocator, &map->is_read, &map->is_read_cap, words_of(n),
			     sizeof(*map->is_read));
}

bool
pmon_pdht_map_add(struct pdht_map *map, uint32_t column, uint32_t series, bool has_path,
		  const struct pmon_allocator *allocator)
{
	if (!make_room(map, map->n + 1, allocator))
		return false;
	map->series[map->n] = series;
	map->column[map->n] = column;
	if (!has_path)
		map->skipped[map->n_skipped++] = (uint32_t)map->n;
	map->n++;
	return true;
}

void
pmon_pdht_map_index(struct pdht_map *map, const struct pdht_columns *columns)
{
	size_t n = 0;

	map->n_given = 0;
	if (map->n == 0)
		return;
	memset(map->is_read, 0, words_of(map->n) * sizeof(*map->is_read));
	for (size_t i = 0; i < map->n; i++) {
		if (map->series[i] == PMON_SERIES_NONE)
			continue;
		map->is_read[i / WORD] |= (uint64_t)1 << i % WORD;
		map->least[n] = columns->list[map->column[i]].bounds.least;
		map->most[n] = columns->list[map->column[i]].bounds.most;
		map->missing[n] = columns->list[map->column[i]].bounds.missing;
		map->given[n++] = map->series[i];
	}
	map->n_given = n;
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
	to->n_given = from->n_given;
	to->n_skipped = from->n_skipped;
	memcpy(to->series, from->series, from->n * sizeof(*to->series));
	memcpy(to->column, from->column, from->n * sizeof(*to->column));
	memcpy(to->skipped, from->skipped, from->n_skipped * sizeof(*to->skipped));
	memcpy(to->given, from->given, from->n * sizeof(*to->given));
	memcpy(to->least, from->least, from->n * sizeof(*to->least));
	memcpy(to->most, from->most, from->n * sizeof(*to->most));
	memcpy(to->missing, from->missing, from->n * sizeof(*to->missing));
	memcpy(to->is_read, from->is_read, words_of(from->n) * sizeof(*to->is_read));
	return true;
}

void
pmon_pdht_map_free(struct pdht_map *map, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, map->series, map->series_cap * sizeof(*map->series));
	pmon_mem_free(allocator, map->column, map->column_cap * sizeof(*map->column));
	pmon_mem_free(allocator, map->least, map->least_cap * sizeof(*map->least));
	pmon_mem_free(allocator, map->most, map->most_cap * sizeof(*map->most));
	pmon_mem_free(allocator, map->missing, map->missing_cap * sizeof(*map->missing));
	pmon_mem_free(allocator, map->skipped, map->skipped_cap * sizeof(*map->skipped));
	pmon_mem_free(allocator, map->given, map->given_cap * sizeof(*map->given));
	pmon_mem_free(allocator, map->is_read, map->is_read_cap * sizeof(*map->is_read));
}
