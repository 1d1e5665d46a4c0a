// pattern.c - the patterns of rules, without duplicates
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "rules/rules.h"

static const struct rules_pattern *
find_pattern(const struct rules *rules, uint64_t hash, struct pmon_span text)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&rules->by_text, hash, &at)) != PMON_MAP_NONE)
		if (rules->patterns[i]->text.len == text.len &&
		    memcmp(rules->patterns[i]->text.ptr, text.ptr, text.len) == 0)
			return rules->patterns[i];
	return NULL;
}

// NULL when memory is short.
static const struct rules_pattern *
keep(struct rules *rules, uint64_t hash, const struct rules_pattern *pattern)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);
	struct rules_pattern *kept = malloc(sizeof(*kept));

	if (kept == NULL ||
	    !pmon_mem_grow(allocator, &rules->patterns, &rules->cap_patterns, rules->n_patterns + 1,
			   sizeof(struct rules_pattern *)) ||
	    !pmon_map_put(&rules->by_text, allocator, hash, pattern->number)) {
		free(kept);
		return NULL;
	}
	*kept = *pattern;
	rules->patterns[rules->n_patterns++] = kept;
	return kept;
}

const struct rules_pattern *
rules_take_pattern(struct rules *rules, struct pmon_span text, struct pmon_path_error *why)
{
	const struct rules_pattern *pattern;
	uint64_t hash;
	struct rules_pattern parsed = {.text = text, .number = (uint32_t)rules->n_patterns};

	*why = (struct pmon_path_error){.text = NULL};
	if (rules->n_patterns == 0)
		rules->seed = pmon_hash_seed();
	hash = pmon_map_mix_bytes(rules->seed, text.ptr, text.len);
	pattern = find_pattern(rules, hash, text);
	if (pattern != NULL)
		return pattern;
	return pmon_pattern_parse(text, &parsed.path, why) ? keep(rules, hash, &parsed) : NULL;
}

void
rules_free_patterns(struct rules *rules)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);

	for (size_t i = 0; i < rules->n_patterns; i++)
		free(rules->patterns[i]);
	pmon_mem_free(allocator, rules->patterns, rules->cap_patterns * sizeof(*rules->patterns));
	pmon_map_free(&rules->by_text, allocator);
}
