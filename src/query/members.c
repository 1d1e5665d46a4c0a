// members.c - sums whose members were not logged
// SPDX-License-Identifier: MIT

#include "query/members.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/schema.h"

static uint64_t
hash_of(const struct pmon_members *members, const struct pmon_path *path)
{
	uint64_t hash = pmon_map_mix_name(members->seed, path->machine);

	return pmon_map_mix_name(pmon_map_mix_name(hash, path->object), path->counter);
}

static bool
has_member(const struct pmon_members *members, const struct pmon_path *path, uint64_t hash)
{
	size_t at = 0;
	uint32_t id;

	while ((id = pmon_map_next(&members->map, hash, &at)) != PMON_MAP_NONE) {
		const struct pmon_path *member = &pmon_schema_at(members->schema, id)->path;

		if (pmon_text_same(member->machine, path->machine) &&
		    pmon_text_same(member->object, path->object) &&
		    pmon_text_same(member->counter, path->counter))
			return true;
	}
	return false;
}

bool
pmon_members_learn(struct pmon_members *members, const struct pmon_schema *schema)
{
	if (members->schema == NULL)
		members->seed = pmon_hash_seed();
	members->schema = schema;
	for (; members->seen < pmon_schema_count(schema); members->seen++) {
		const struct pmon_path *path = &pmon_schema_at(schema, members->seen)->path;
		uint64_t hash;

		if (!pmon_path_ranks(path))
			continue;
		hash = hash_of(members, path);
		if (!has_member(members, path, hash) &&
		    !pmon_map_put(&members->map, pmon_mem_allocator(NULL), hash,
				  (uint32_t)members->seen))
			return false;
	}
	return true;
}

bool
pmon_members_ranks(const struct pmon_members *members, const struct pmon_series *series)
{
	const struct pmon_path *path = &series->path;

	if (pmon_path_ranks(path))
		return true;
	return members->schema != NULL && pmon_path_is_sum(path) &&
	       !has_member(members, path, hash_of(members, path));
}

void
pmon_members_free(struct pmon_members *members)
{
	pmon_map_free(&members->map, pmon_mem_allocator(NULL));
}
