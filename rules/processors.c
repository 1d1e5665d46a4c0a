// processors.c - count the processors of machines from the counters of a schema
// SPDX-License-Identifier: MIT

#include "rules/processors.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/scan.h"

#define FEW 9 // bits of numbers that are believed without lower-numbered processors

struct rules_processors_of *
rules_processors_at(struct rules_processors *p, struct pmon_span machine)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);
	uint64_t hash;
	size_t at = 0;
	uint32_t i;

	if (p->seed == 0)
		p->seed = pmon_hash_seed();
	hash = pmon_map_mix_name(p->seed, machine);
	while ((i = pmon_map_next(&p->map, hash, &at)) != PMON_MAP_NONE)
		if (pmon_text_same(p->list[i].machine, machine))
			return &p->list[i];
	if (!pmon_mem_grow(allocator, &p->list, &p->cap, p->n + 1, sizeof(*p->list)) ||
	    !pmon_map_put(&p->map, allocator, hash, (uint32_t)p->n))
		return NULL;
	p->list[p->n] = (struct rules_processors_of){.machine = machine};
	return &p->list[p->n++];
}

size_t
rules_processors_object(const struct pmon_path *path)
{
	static const char *const objects[] = {PMON_PROCESSORS};
	size_t i = 0;

	while (i < PMON_PROCESSOR_OBJECTS &&
	       !pmon_text_same(path->object, (struct pmon_span){objects[i], strlen(objects[i])}))
		i++;
	return i;
}

// The bits of the number at the end of "7", "1,7" and "Hv LP 7".
static size_t
bits_of(struct pmon_span instance)
{
	const char *end = instance.ptr + instance.len;
	struct pmon_scan digits = {end, end};
	uint64_t number;
	size_t bits = 0;

	while (digits.at > instance.ptr && pmon_is_digit(digits.at[-1]))
		digits.at--;
	if (!pmon_scan_u64(&digits, &number))
		return 0;
	while (number > 0 && bits < RULES_PROCESSOR_BITS - 1) {
		number >>= 1;
		bits++;
	}
	return bits;
}

// Logs that older versions of pmon recorded soon after boot contain processors that do not exist,
// numbered in the thousands. A machine that really has that many also has the numbers in between.
static size_t
believed(const struct rules_processors_by *by)
{
	size_t n = 0;

	for (size_t bits = 0; bits < RULES_PROCESSOR_BITS; bits++) {
		if (bits >= FEW && by->n[bits - 1] == 0)
			break;
		n += by->n[bits];
	}
	return n;
}

static bool
count(struct rules_processors *p, const struct pmon_series *series)
{
	const struct pmon_path *path = pmon_series_english(series);
	size_t object = rules_processors_object(path);
	struct rules_processors_of *of;
	struct rules_processors_by *by;

	if (object == PMON_PROCESSOR_OBJECTS || path->instance.ptr == NULL ||
	    pmon_path_is_total(path))
		return true;
	of = rules_processors_at(p, series->path.machine);
	if (of == NULL)
		return false;
	by = &of->by[object];
	if (by->counter.ptr == NULL)
		by->counter = path->counter;
	if (!pmon_text_same(by->counter, path->counter))
		return true;
	by->n[bits_of(path->instance)]++;
	by->all = believed(by);
	of->n = by->all > of->n ? by->all : of->n;
	return true;
}

bool
rules_processors_take(struct rules_processors *p, const struct pmon_schema *schema)
{
	for (; p->seen < pmon_schema_count(schema); p->seen++)
		if (!count(p, pmon_schema_at(schema, p->seen)))
			return false;
	return true;
}

void
rules_processors_free(struct rules_processors *p)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);

	pmon_mem_free(allocator, p->list, p->cap * sizeof(*p->list));
	pmon_map_free(&p->map, allocator);
}
