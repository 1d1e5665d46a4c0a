// processors.c - how many processors machines have, by the counters of a schema
// SPDX-License-Identifier: MIT

#include "rules/processors.h"

#include "base/hash.h"
#include "base/mem.h"

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

// Where Processor comes after Processor Information, it takes the place of that.
static bool
count(struct rules_processors *p, const struct pmon_series *series)
{
	const struct pmon_path *path = pmon_series_english(series);
	bool plain = pmon_text_same(path->object, PMON_SPAN("Processor"));
	struct rules_processors_of *of;

	if ((!plain && !pmon_text_same(path->object, PMON_SPAN("Processor Information"))) ||
	    path->instance.ptr == NULL || pmon_path_is_total(path))
		return true;
	of = rules_processors_at(p, series->path.machine);
	if (of == NULL)
		return false;
	if (of->object.ptr == NULL || (plain && !pmon_text_same(of->object, path->object))) {
		of->object = path->object;
		of->counter = path->counter;
		of->n = 0;
	}
	of->n += pmon_text_same(of->object, path->object) &&
		 pmon_text_same(of->counter, path->counter);
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
