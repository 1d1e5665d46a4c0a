// map.c - a hash table of numbers
// SPDX-License-Identifier: MIT

#include "format/blg/blg.h"

#include "base/mem.h"

#define MIN_SLOTS 16

// FNV-1a with a seed, so that no one can make a file in which all names collide, and a final mix,
// as the table uses the low bits.
uint32_t
pmon_blg_hash(uint32_t seed, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint32_t h = seed ^ 2166136261u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 16777619u;
	h ^= h >> 16;
	h *= 0x85EBCA6Bu;
	return h ^ h >> 13;
}

void
pmon_blg_map_free(struct blg_map *map, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, map->hashes, map->n_slots * sizeof(*map->hashes));
	pmon_mem_free(allocator, map->numbers, map->n_slots * sizeof(*map->numbers));
	*map = (struct blg_map){0};
}

uint32_t
pmon_blg_map_find(const struct blg_map *map, uint32_t hash, uint32_t *cursor)
{
	uint32_t mask = (uint32_t)(map->n_slots - 1);

	if (map->n_slots == 0)
		return BLG_NONE;
	for (;;) {
		uint32_t slot = (*cursor)++ & mask;

		if (map->numbers[slot] == BLG_NONE)
			return BLG_NONE;
		if (map->hashes[slot] == hash)
			return map->numbers[slot];
	}
}

static void
insert(struct blg_map *map, uint32_t hash, uint32_t number)
{
	uint32_t mask = (uint32_t)(map->n_slots - 1);
	uint32_t slot = hash & mask;

	while (map->numbers[slot] != BLG_NONE)
		slot = (slot + 1) & mask;
	map->hashes[slot] = hash;
	map->numbers[slot] = number;
	map->n++;
}

static bool
resize(struct blg_map *map, const struct pmon_allocator *allocator, size_t n_slots)
{
	struct blg_map larger = {.n_slots = n_slots};
	size_t bytes;

	if (n_slots > UINT32_MAX / 2 || !pmon_mul(n_slots, sizeof(uint32_t), &bytes))
		return false;
	larger.hashes = pmon_mem_alloc(allocator, bytes);
	larger.numbers = pmon_mem_alloc(allocator, bytes);
	if (larger.hashes == NULL || larger.numbers == NULL) {
		pmon_blg_map_free(&larger, allocator);
		return false;
	}
	for (size_t i = 0; i < n_slots; i++)
		larger.numbers[i] = BLG_NONE;
	for (size_t i = 0; i < map->n_slots; i++)
		if (map->numbers[i] != BLG_NONE)
			insert(&larger, map->hashes[i], map->numbers[i]);
	pmon_blg_map_free(map, allocator);
	*map = larger;
	return true;
}

bool
pmon_blg_map_put(struct blg_map *map, const struct pmon_allocator *allocator, uint32_t hash,
		 uint32_t number)
{
	// At most two slots in three are taken, so that a search always ends.
	if (map->n_slots == 0 || (map->n + 1) * 3 > map->n_slots * 2)
		if (!resize(map, allocator, map->n_slots == 0 ? MIN_SLOTS : map->n_slots * 2))
			return false;
	insert(map, hash, number);
	return true;
}
