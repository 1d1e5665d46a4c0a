// map.h - a hash table of numbers
// SPDX-License-Identifier: MIT
//
// The table stores the numbers of elements that its user keeps, each under the hash of its key. The
// user computes hashes and compares keys; the table finds the numbers under a hash:
//
//	size_t at = 0;
//
//	while ((i = pmon_map_next(&map, hash, &at)) != PMON_MAP_NONE)
//		if (is_same(&list[i], wanted))
//			return i;
//	if (!pmon_map_put(&map, allocator, hash, n))
//		... no memory
//
// A hash of names from a file begins with a random seed (pmon_hash_seed()), so that no file can be
// crafted whose names all collide.

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

// The next number under a hash, in insertion order, or PMON_MAP_NONE. *at is 0 before the first.
uint32_t pmon_map_next(const struct pmon_map *map, uint64_t hash, size_t *at);

// Make room for n more numbers, so that inserting them cannot fail. False if out of memory.
PMON_NODISCARD bool pmon_map_reserve(struct pmon_map *map, const struct pmon_allocator *allocator,
				     size_t n);

// Insert a number less than PMON_MAP_NONE under a hash. False if out of memory.
bool pmon_map_put(struct pmon_map *map, const struct pmon_allocator *allocator, uint64_t hash,
		  uint32_t number);

// The same after pmon_map_reserve().
void pmon_map_add(struct pmon_map *map, uint64_t hash, uint32_t number);

// Remove all numbers; their memory stays reserved.
void pmon_map_clear(struct pmon_map *map);
void pmon_map_free(struct pmon_map *map, const struct pmon_allocator *allocator);

// Mix one part of a key into its hash, which begins with a seed.
static inline uint64_t
pmon_map_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

uint64_t pmon_map_mix_bytes(uint64_t hash, const void *bytes, size_t len);

// The same for a name; spellings that differ only in case have the same hash.
uint64_t pmon_map_mix_name(uint64_t hash, struct pmon_span name);

#endif
