// slots.c - an open-addressed hash table of numbers
// SPDX-License-Identifier: MIT

#include "base/slots.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf.h"

#define FEWEST_SLOTS 64

uint64_t
pmon_slots_mix_name(uint64_t hash, struct pmon_span name)
{
	for (size_t pos = 0; pos < name.len;)
		hash = pmon_slots_mix(hash, pmon_utf_fold(pmon_utf8_next(name, &pos)));
	return pmon_slots_mix(hash, name.ptr != NULL ? name.len + 1 : 0);
}

void
pmon_slots_put(struct pmon_slots *slots, uint64_t hash, size_t number)
{
	size_t at = pmon_slots_first(slots, hash);

	while (slots->list[at] != PMON_SLOT_FREE)
		at = pmon_slots_next(slots, at);
	slots->list[at] = (uint32_t)number;
}

bool
pmon_slots_reserve(struct pmon_slots *slots, const struct pmon_allocator *allocator, size_t have,
		   uint64_t (*hash_of)(const void *ctx, size_t number), const void *ctx)
{
	struct pmon_slots grown = {.n = slots->n == 0 ? FEWEST_SLOTS : slots->n};

	if (have >= PMON_SLOT_FREE)
		return false;
	while (grown.n < 2 * (have + 1))
		grown.n *= 2;
	if (grown.n == slots->n)
		return true;
	grown.list = pmon_mem_alloc(allocator, grown.n * sizeof(*grown.list));
	if (grown.list == NULL)
		return false;
	memset(grown.list, 0xFF, grown.n * sizeof(*grown.list));
	pmon_slots_free(slots, allocator);
	*slots = grown;
	for (size_t i = 0; i < have; i++)
		pmon_slots_put(slots, hash_of(ctx, i), i);
	return true;
}

void
pmon_slots_free(struct pmon_slots *slots, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, slots->list, slots->n * sizeof(*slots->list));
	*slots = (struct pmon_slots){.n = 0};
}
