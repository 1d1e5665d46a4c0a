// groups.c - alerts of one resource, of which only the gravest is told
// SPDX-License-Identifier: MIT

#include "verbs/watch/groups.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

static const struct pmon_allocator *
allocator(void)
{
	return pmon_mem_allocator(NULL);
}

bool
alert_groups_begin(struct alert_groups *groups)
{
	size_t line;

	groups->seed = pmon_hash_seed();
	return meanings_read(&groups->meanings, meanings_text, &line);
}

void
alert_groups_free(struct alert_groups *groups)
{
	meanings_free(&groups->meanings);
	pmon_map_free(&groups->map, allocator());
	pmon_mem_free(allocator(), groups->list, groups->cap * sizeof(*groups->list));
}

// The resource that a series belongs to. Physical disk "1 D:" and volume "D:" are one; so are all processors of a
// machine, and all counters of its memory.
static struct pmon_span
place_of(const struct pmon_series *series, const struct meaning *m)
{
	struct pmon_span name = pmon_series_english(series)->instance;

	if (m == NULL)
		return name;
	if (m->resource == MEANING_PROCESSOR || m->resource == MEANING_MEMORY)
		return (struct pmon_span){NULL, 0};
	for (size_t i = name.len; m->resource == MEANING_DISK && i > 0; i--)
		if (name.ptr[i - 1] == ' ')
			return (struct pmon_span){name.ptr + i, name.len - i};
	return name;
}

// A counter that the table does not have is a resource of its own.
static bool
is_of(const struct alert_group *group, const struct pmon_series *series, const struct meaning *m)
{
	if (!pmon_text_same(group->series->path.machine, series->path.machine))
		return false;
	if (group->meaning == NULL || m == NULL)
		return group->meaning == m && group->series == series;
	return group->meaning->resource == m->resource &&
	       group->series->process_id == series->process_id &&
	       pmon_text_same(place_of(group->series, group->meaning), place_of(series, m));
}

static uint64_t
hash_of(const struct alert_groups *groups, const struct pmon_series *series,
	const struct meaning *m)
{
	uint64_t hash = pmon_map_mix_name(groups->seed, series->path.machine);

	if (m == NULL)
		return pmon_map_mix(hash, (uintptr_t)series);
	hash = pmon_map_mix(hash, m->resource);
	hash = pmon_map_mix(hash, (uint64_t)series->process_id);
	return pmon_map_mix_name(hash, place_of(series, m));
}

uint32_t
alert_groups_of(struct alert_groups *groups, const struct pmon_series *series)
{
	const struct meaning *m = meanings_of(&groups->meanings, pmon_series_english(series));
	uint64_t hash = hash_of(groups, series, m);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&groups->map, hash, &at)) != PMON_MAP_NONE)
		if (is_of(&groups->list[i], series, m))
			return i;
	if (!pmon_mem_grow(allocator(), &groups->list, &groups->cap, groups->n + 1,
			   sizeof(*groups->list)) ||
	    !pmon_map_put(&groups->map, allocator(), hash, (uint32_t)groups->n))
		return PMON_MAP_NONE;
	groups->list[groups->n] = (struct alert_group){.series = series, .meaning = m};
	return (uint32_t)groups->n++;
}
