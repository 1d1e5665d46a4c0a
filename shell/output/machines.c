// machines.c - the machines that counters belong to
// SPDX-License-Identifier: MIT

#include "shell/output/machines.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

uint32_t
machines_place(const struct machines *machines, struct pmon_span name)
{
	uint64_t hash = pmon_map_mix_name(machines->seed, name);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&machines->map, hash, &at)) != PMON_MAP_NONE)
		if (pmon_text_same(machines->list[i], name))
			break;
	return i;
}

bool
machines_add(struct machines *machines, struct pmon_span name)
{
	if (name.len == 0 || machines_place(machines, name) != PMON_MAP_NONE)
		return true;
	if (machines->n == 0)
		machines->seed = pmon_hash_seed();
	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &machines->list, &machines->cap,
			   machines->n + 1, sizeof(*machines->list)) ||
	    !pmon_map_put(&machines->map, pmon_mem_allocator(NULL),
			  pmon_map_mix_name(machines->seed, name), (uint32_t)machines->n))
		return false;
	machines->list[machines->n++] = name;
	return true;
}

bool
machines_find(const struct pmon_schema *schema, struct machines *out)
{
	*out = (struct machines){.n = 0};
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (!machines_add(out, pmon_schema_at(schema, i)->path.machine)) {
			machines_free(out);
			return false;
		}
	return true;
}

void
machines_free(struct machines *machines)
{
	pmon_mem_free(pmon_mem_allocator(NULL), machines->list,
		      machines->cap * sizeof(*machines->list));
	pmon_map_free(&machines->map, pmon_mem_allocator(NULL));
	*machines = (struct machines){.n = 0};
}

size_t
machines_text(const struct machines *machines, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);
	size_t i;

	buf[0] = '\0';
	if (machines->n > 1) {
		pmon_text_u64(&t, machines->n);
		pmon_text_str(&t, " machines: ");
	}
	for (i = 0; i < machines->n; i++) {
		// Skip a name that does not fit together with the dots that follow.
		if (i > 0 && t.len + machines->list[i].len + 6 >= size)
			break;
		pmon_text_str(&t, i > 0 ? ", " : "");
		pmon_text_span(&t, machines->list[i]);
	}
	if (i < machines->n)
		pmon_text_str(&t, " ...");
	return t.len < size ? t.len : size - 1;
}
