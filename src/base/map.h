// map.h - a hash table of numbers
// SPDX-License-Identifier: MIT
//
// The table holds numbers of elements that its user keeps, each under the hash of its key. The user
// computes hashes and compares keys; the table finds the numbers of one hash:
//
//	size_t at = 0;
//
//	while ((i = pmon_map_next(&map, hash, &at)) != PMON_MAP_NONE)
//		if (is_same(&list[i], wanted))
//			return i;
//	if (!pmon_map_put(&map, allocator, hash, n))
//		... no memory
//
// A hash of names from a file begins with a random seed (pmon_hash_seed()), so that no one can make a
// file whose names all collide.

#ifndef PMON_BASE_MAP_H
#define PMON_BASE_MAP_H

#include <pmon/base.h>

#define PMON_MAP_NONE UINT32_MAX

struct pmon_map_slot {
	uint32_t hash;
	uint32_t number; // PMON_MAP_NONE: the slot is free
};

// Zeros are an empty table.
struct pmon_map {
	struct pmon_map_slot *slots;
	size_t n_slots; // a power of two, or 0
	size_t n;
};

// The next number under a hash, in the order in which they were put, or PMON_MAP_NONE. *at is 0 before
// the first.
uint32_t pmon_map_next(const struct pmon_map *map, uint64_t hash, size_t *at);

// Make room for n more numbers, so that putting them cannot fail. False when memory is short.
PMON_NODISCARD bool pmon_map_reserve(struct pmon_map *map, const struct pmon_allocator *allocator,
				     size_t n);

// Put a number less than PMON_MAP_NONE under a hash. False when memory is short.
bool pmon_map_put(struct pmon_map *map, const struct pmon_allocator *allocator, uint64_t hash,
		  uint32_t number);

// The same where there is room.
void pmon_map_add(struct pmon_map *map, uint64_t hash, uint32_t number);

// Remove all numbers; their memory stays reserved.
void pmon_map_clear(struct pmon_map *map);
void pmon_map_free(struct pmon_map *map, const struct pmon_allocator *allocator);

// The hash of a key of several parts begins with a seed; each part is mixed in.
static inline uint64_t
pmon_map_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

uint64_t pmon_map_mix_bytes(uint64_t hash, const void *bytes, size_t len);

// A name, the same for all its spellings in upper and lower case.
uint64_t pmon_map_mix_name(uint64_t hash, struct pmon_span name);

#endif
