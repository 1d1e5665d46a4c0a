// map.c - a hash table of numbers
// SPDX-License-Identifier: MIT

#include "base/map.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf.h"

#define FEWEST_SLOTS 16
// With 32-bit sizes, twice the bytes of the most slots still fit in a size.
#define MOST_SLOTS ((size_t)1 << (SIZE_MAX > UINT32_MAX ? 31 : 28))

uint64_t
pmon_map_mix_bytes(uint64_t hash, const void *bytes, size_t len)
{
	return pmon_hash64(hash, bytes, len);
}

uint64_t
pmon_map_mix_name(uint64_t hash, struct pmon_span name)
{
	uint64_t n = name.ptr != NULL;

	// Spellings that differ only in case may differ in length, but not in their number of
	// characters.
	for (size_t pos = 0; pos < name.len; n++)
		hash = pmon_map_mix(hash, pmon_utf_fold(pmon_utf8_next(name, &pos)));
	return pmon_map_mix(hash, n);
}

static uint32_t
short_hash(uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32);
}

uint32_t
pmon_map_next(const struct pmon_map *map, uint64_t hash, size_t *at)
{
	uint32_t wanted = short_hash(hash);

	if (map->n_slots == 0)
		return PMON_MAP_NONE;
	for (;;) {
		const struct pmon_map_slot *slot =
			&map->slots[(wanted + (*at)++) & (map->n_slots - 1)];

		if (slot->number == PMON_MAP_NONE || slot->hash == wanted)
			return slot->number;
	}
}

static void
insert(struct pmon_map *map, uint32_t hash, uint32_t number)
{
	size_t at = hash;

	while (map->slots[at & (map->n_slots - 1)].number != PMON_MAP_NONE)
		at++;
	map->slots[at & (map->n_slots - 1)] = (struct pmon_map_slot){hash, number};
	map->n++;
}

// Starting after a free slot keeps the numbers of one hash in order.
static void
move_all(const struct pmon_map *from, struct pmon_map *to)
{
	size_t first = 0;

	while (first < from->n_slots && from->slots[first].number != PMON_MAP_NONE)
		first++;
	for (size_t i = 0; i < from->n_slots; i++) {
		struct pmon_map_slot slot = from->slots[(first + i) & (from->n_slots - 1)];

		if (slot.number != PMON_MAP_NONE)
			insert(to, slot.hash, slot.number);
	}
}

bool
pmon_map_reserve(struct pmon_map *map, const struct pmon_allocator *allocator, size_t n)
{
	struct pmon_map larger = {.n_slots = map->n_slots == 0 ? FEWEST_SLOTS : map->n_slots};

	// At most two thirds of the slots are used, so every search ends.
	if (n > MOST_SLOTS)
		return false;
	while ((map->n + n) * 3 > larger.n_slots * 2)
		larger.n_slots *= 2;
	if (larger.n_slots == map->n_slots)
		return true;
	if (larger.n_slots > MOST_SLOTS)
		return false;
	larger.slots = pmon_mem_alloc(allocator, larger.n_slots * sizeof(*larger.slots));
	if (larger.slots == NULL)
		return false;
	pmon_map_clear(&larger);
	move_all(map, &larger);
	pmon_map_free(map, allocator);
	*map = larger;
	return true;
}

bool
pmon_map_put(struct pmon_map *map, const struct pmon_allocator *allocator, uint64_t hash,
	     uint32_t number)
{
	if (!pmon_map_reserve(map, allocator, 1))
		return false;
	pmon_map_add(map, hash, number);
	return true;
}

void
pmon_map_add(struct pmon_map *map, uint64_t hash, uint32_t number)
{
	insert(map, short_hash(hash), number);
}

void
pmon_map_clear(struct pmon_map *map)
{
	if (map->n_slots > 0)
		memset(map->slots, 0xFF, map->n_slots * sizeof(*map->slots));
	map->n = 0;
}

void
pmon_map_free(struct pmon_map *map, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, map->slots, map->n_slots * sizeof(*map->slots));
	*map = (struct pmon_map){0};
}
