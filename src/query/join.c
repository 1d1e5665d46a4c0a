// join.c - merge the series of several sources into one schema
// SPDX-License-Identifier: MIT

#include "query/join.h"

#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"

void
pmon_join_init(struct pmon_join *join, struct pmon_schema *schema,
	       const struct pmon_allocator *allocator)
{
	*join = (struct pmon_join){
		.allocator = allocator, .schema = schema, .seed = pmon_hash_seed()};
}

void
pmon_join_free(struct pmon_join *join)
{
	pmon_map_free(&join->map, join->allocator);
}

void
pmon_join_map_free(const struct pmon_join *join, struct pmon_join_map *map)
{
	pmon_mem_free(join->allocator, map->to, map->cap * sizeof(*map->to));
	pmon_mem_free(join->allocator, map->taken, map->taken_cap);
	*map = (struct pmon_join_map){.n = 0};
}

static uint64_t
hash_of(const struct pmon_join *join, const struct pmon_series *series)
{
	uint64_t hash = pmon_map_mix(join->seed ^ series->counter.type,
				     (uint64_t)series->counter.time_base);

	return pmon_map_mix_name(hash, series->name);
}

static bool
same_series(const struct pmon_series *a, const struct pmon_series *b)
{
	return a->counter.type == b->counter.type && a->counter.time_base == b->counter.time_base &&
	       pmon_path_same(&a->path, &b->path);
}

// The joined series of a series, which no other series of the same source uses.
// PMON_SERIES_NONE when there is none yet.
static uint32_t
find_series(const struct pmon_join *join, const struct pmon_join_map *map,
	    const struct pmon_series *series, uint64_t hash)
{
	size_t at = 0;
	uint32_t id;

	while ((id = pmon_map_next(&join->map, hash, &at)) != PMON_MAP_NONE)
		if (same_series(series, pmon_schema_at(join->schema, id)) &&
		    !(id < map->taken_n && map->taken[id]))
			return id;
	return PMON_SERIES_NONE;
}

static bool
mark_taken(const struct pmon_join *join, struct pmon_join_map *map, uint32_t id)
{
	if (!pmon_mem_grow(join->allocator, &map->taken, &map->taken_cap, id + 1,
			   sizeof(*map->taken)))
		return false;
	if (id >= map->taken_n) {
		memset(map->taken + map->taken_n, 0, id + 1 - map->taken_n);
		map->taken_n = id + 1;
	}
	map->taken[id] = 1;
	return true;
}

static enum pmon_status
add_series(struct pmon_join *join, const struct pmon_series *series, uint64_t hash, uint32_t number,
	   uint32_t *id, struct pmon_err *err)
{
	enum pmon_status status = pmon_schema_copy(join->schema, series, id);

	if (status != PMON_OK)
		return pmon_err_set(err, status, 0, "%s", pmon_status_text(status));
	pmon_schema_set_source(join->schema, *id, number);
	// Sources may be closed before the join, and each has its own numbering of texts.
	join->schema->list[*id]->texts = NULL;
	pmon_map_add(&join->map, hash, *id);
	return PMON_OK;
}

static enum pmon_status
map_series(struct pmon_join *join, struct pmon_join_map *map, const struct pmon_series *series,
	   uint32_t number, struct pmon_err *err)
{
	uint64_t hash = hash_of(join, series);
	enum pmon_status status;
	uint32_t id;

	if (!pmon_mem_grow(join->allocator, &map->to, &map->cap, map->n + 1, sizeof(*map->to)) ||
	    !pmon_map_reserve(&join->map, join->allocator, 1))
		return pmon_err_nomem(err);
	id = find_series(join, map, series, hash);
	if (id == PMON_SERIES_NONE) {
		status = add_series(join, series, hash, number, &id, err);
		if (status != PMON_OK)
			return status;
	}
	if (!mark_taken(join, map, id))
		return pmon_err_nomem(err);
	map->to[map->n++] = id;
	return PMON_OK;
}

enum pmon_status
pmon_join_add(struct pmon_join *join, struct pmon_join_map *map, const struct pmon_schema *from,
	      uint32_t number, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && map->n < pmon_schema_count(from))
		status = map_series(join, map, pmon_schema_at(from, map->n), number, err);
	return status;
}
