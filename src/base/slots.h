// slots.h - an open-addressed hash table of numbers
// SPDX-License-Identifier: MIT
//
// The table holds the numbers 0, 1, 2, ... of the elements of an array that its user keeps. The user
// computes hashes and compares elements; the table finds the candidates:
//
//	if (!pmon_slots_reserve(&slots, allocator, n, hash_of, ctx))
//		... no memory
//	for (at = pmon_slots_first(&slots, hash); slots.list[at] != PMON_SLOT_FREE;
//	     at = pmon_slots_next(&slots, at))
//		if (is_same(list[slots.list[at]], wanted))
//			return slots.list[at];
//	pmon_slots_put(&slots, hash, n++);

#ifndef PMON_BASE_SLOTS_H
#define PMON_BASE_SLOTS_H

#include <pmon/base.h>

#define PMON_SLOT_FREE UINT32_MAX

struct pmon_slots {
	uint32_t *list;
	size_t n; // a power of two, more than twice the number of elements; 0 before the first
};

// Make room for one element more than the `have` that are in the table, by hash_of(ctx, number) where
// they have to be put again. False when memory is short.
bool pmon_slots_reserve(struct pmon_slots *slots, const struct pmon_allocator *allocator,
			size_t have, uint64_t (*hash_of)(const void *ctx, size_t number),
			const void *ctx);
void pmon_slots_put(struct pmon_slots *slots, uint64_t hash, size_t number);
void pmon_slots_free(struct pmon_slots *slots, const struct pmon_allocator *allocator);

static inline uint64_t
pmon_slots_mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
}

// The hash of a name, the same for all its spellings in upper and lower case.
uint64_t pmon_slots_mix_name(uint64_t hash, struct pmon_span name);

static inline size_t
pmon_slots_first(const struct pmon_slots *slots, uint64_t hash)
{
	return (size_t)(hash ^ hash >> 32) & (slots->n - 1);
}

static inline size_t
pmon_slots_next(const struct pmon_slots *slots, size_t at)
{
	return (at + 1) & (slots->n - 1);
}

#endif
