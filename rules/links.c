// links.c - the second series needed to judge a series: those of its rule's `of` and `while`
// SPDX-License-Identifier: MIT
//
// A log may have tens of thousands of disks or processes, so candidates are hashed by what
// identifies them. Only the first series with each key is kept.

#include "rules/state.h"

#include <string.h>

// "MSSQL$ONE" of "MSSQL$ONE:Locks": each instance of SQL Server has its own objects.
static struct pmon_span
server_of(struct pmon_span object)
{
	const char *colon = object.len > 0 ? memchr(object.ptr, ':', object.len) : NULL;
	struct pmon_span server = {object.ptr, colon != NULL ? (size_t)(colon - object.ptr) : 0};

	if (pmon_text_same(server, PMON_SPAN("SQLServer")) ||
	    pmon_text_match(PMON_SPAN("MSSQL$*"), server))
		return server;
	return (struct pmon_span){NULL, 0};
}

static struct candidate
key_of(const struct pmon_series *series, uint32_t rule, uint32_t pattern, bool is_while)
{
	return (struct candidate){.series = series,
				  .rule = rule,
				  .pattern = pattern,
				  .is_while = is_while,
				  .server = server_of(series->path.object)};
}

static uint64_t
hash_of(const struct rules_judge *judge, const struct candidate *key)
{
	const struct pmon_path *path = &key->series->path;
	uint64_t hash = pmon_map_mix(judge->seed, (uint64_t)key->rule << 32 | key->pattern);

	hash = pmon_map_mix(hash, (uint64_t)key->by << 2 | (uint64_t)key->is_while << 1 |
					  (uint64_t)key->any_server);
	hash = pmon_map_mix_name(hash, path->machine);
	if (!key->any_server)
		hash = pmon_map_mix_name(hash, key->server);
	if (key->by == BY_MACHINE)
		return hash;
	hash = pmon_map_mix_name(hash, path->instance);
	if (key->by == BY_PROCESS)
		return pmon_map_mix(pmon_map_mix(hash, (uint64_t)key->series->process_id),
				    (uint64_t)key->series->thread_id);
	return pmon_map_mix(pmon_map_mix_name(hash, path->parent), (uint64_t)path->index);
}

static bool
is_same_key(const struct candidate *a, const struct candidate *b)
{
	const struct pmon_path *of_a = &a->series->path;
	const struct pmon_path *of_b = &b->series->path;

	if (a->rule != b->rule || a->pattern != b->pattern || a->is_while != b->is_while ||
	    a->by != b->by || a->any_server != b->any_server ||
	    !pmon_text_same(of_a->machine, of_b->machine) ||
	    (!a->any_server && !pmon_text_same(a->server, b->server)))
		return false;
	if (a->by == BY_MACHINE)
		return true;
	if (!pmon_text_same(of_a->instance, of_b->instance))
		return false;
	if (a->by == BY_PROCESS)
		return a->series->process_id == b->series->process_id &&
		       a->series->thread_id == b->series->thread_id;
	return pmon_text_same(of_a->parent, of_b->parent) && of_a->index == of_b->index;
}

// The index of the first candidate with the key, or RULES_NONE.
static uint32_t
candidate_number(const struct rules_judge *judge, const struct candidate *key)
{
	uint64_t hash = hash_of(judge, key);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&judge->candidate_map, hash, &at)) != RULES_NONE)
		if (is_same_key(&judge->candidates[i], key))
			return i;
	return RULES_NONE;
}

static bool
put_candidate(struct rules_judge *judge, const struct candidate *key)
{
	if (candidate_number(judge, key) != RULES_NONE)
		return true;
	if (!rules_grow(&judge->candidates, &judge->cap_candidates, judge->n_candidates + 1,
			sizeof(*key)) ||
	    !pmon_map_put(&judge->candidate_map, pmon_mem_allocator(NULL), hash_of(judge, key),
			  (uint32_t)judge->n_candidates))
		return false;
	judge->candidates[judge->n_candidates++] = *key;
	return true;
}

// Does the pattern leave the instance open? Then it is the instance of the series.
static bool
is_open(const struct pmon_path *pattern)
{
	struct pmon_span instance = pattern->instance;

	return instance.len > 0 && (memchr(instance.ptr, '*', instance.len) != NULL ||
				    memchr(instance.ptr, '?', instance.len) != NULL);
}

// If the log says which process an instance is, that counts, not its name.
static bool
put_instance(struct rules_judge *judge, struct candidate key)
{
	key.by = BY_INSTANCE;
	if (!put_candidate(judge, &key))
		return false;
	key.by = key.series->of_process ? BY_PROCESS : BY_PLAIN;
	return put_candidate(judge, &key);
}

bool
rules_add_candidate(struct rules_judge *judge, const struct pmon_series *series, uint32_t rule,
		    bool is_while)
{
	const struct rules_rule *r = &judge->rules->list[rule];
	const struct rules_patterns *patterns = is_while ? &r->whiles : &r->of;
	uint32_t pattern = rules_matching(judge, patterns);
	struct candidate key;

	if (pattern == RULES_NONE ||
	    (is_while && !rules_limit_fits(&r->while_limits[pattern], draw_unit_of(series))))
		return true;
	judge->is_linked[series->id] = true;
	key = key_of(series, rule, pattern, is_while);
	for (int any = 0; any < 2; any++) {
		key.any_server = any == 1;
		key.by = BY_MACHINE;
		if (is_open(&patterns->list[pattern]->path) ? !put_instance(judge, key)
							    : !put_candidate(judge, &key))
			return false;
	}
	return true;
}

// The first candidate of the same server as the series or of no server. If the series itself
// belongs to no server, any will do.
static uint32_t
find_by(const struct rules_judge *judge, struct candidate key)
{
	uint32_t of_server;
	uint32_t of_none;

	key.any_server = key.server.len == 0;
	of_server = candidate_number(judge, &key);
	if (key.any_server)
		return of_server;
	key.server = (struct pmon_span){NULL, 0};
	of_none = candidate_number(judge, &key);
	return of_none < of_server ? of_none : of_server;
}

static uint32_t
find_candidate(const struct rules_judge *judge, const struct pmon_path *pattern,
	       struct candidate key)
{
	uint32_t of_process;
	uint32_t plain;

	key.by = is_open(pattern) ? BY_INSTANCE : BY_MACHINE;
	if (key.by == BY_MACHINE || !key.series->of_process)
		return find_by(judge, key);
	key.by = BY_PROCESS;
	of_process = find_by(judge, key);
	key.by = BY_PLAIN;
	plain = find_by(judge, key);
	return plain < of_process ? plain : of_process;
}

static void
link_to(const struct rules_judge *judge, const struct check *check, bool is_while,
	struct link *link)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	const struct rules_patterns *patterns = is_while ? &rule->whiles : &rule->of;

	for (uint32_t p = 0; p < patterns->n && p < link->pattern; p++) {
		uint32_t found = find_candidate(judge, &patterns->list[p]->path,
						key_of(check->series, check->rule, p, is_while));
		const struct pmon_series *series;

		if (found == RULES_NONE)
			continue;
		series = judge->candidates[found].series;
		*link = (struct link){series->id, p, draw_unit_of(series).factor};
	}
}

void
rules_link(const struct rules_judge *judge, struct check *check)
{
	link_to(judge, check, false, &check->of);
	link_to(judge, check, true, &check->when);
}
