// needs.c - the counters that rules need
// SPDX-License-Identifier: MIT

#include "rules/disks.h"
#include "rules/rules.h"

#include <string.h>

// Limits for each processor need to know how many there are.
static bool
needs_processors(const struct rules *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		if (rules->list[i].per_processor)
			return true;
	return false;
}

static bool
add_processors(rules_need_fn add, void *ctx)
{
	return add(ctx, PMON_SPAN("\\Processor(*)\\% Processor Time"), false) &&
	       add(ctx, PMON_SPAN("\\Processor Information(*)\\% Processor Time"), false);
}

static bool
has_latency(const struct rules *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		for (size_t k = 0; k < rules->list[i].counters.n; k++)
			if (rules_may_be_latency(&rules->list[i].counters.list[k]->path))
				return true;
	return false;
}

bool
rules_needs(const struct rules *rules, rules_need_fn add, void *ctx)
{
	static const char *const latency[] = {RULES_LATENCY_NEEDS};
	bool good = true;

	for (size_t i = 0; good && i < rules->n_patterns; i++)
		good = add(ctx, rules->patterns[i]->text, false);
	if (good && needs_processors(rules))
		good = add_processors(add, ctx);
	for (size_t i = 0; has_latency(rules) && good && i < sizeof(latency) / sizeof(latency[0]);
	     i++)
		good = add(ctx, (struct pmon_span){latency[i], strlen(latency[i])}, true);
	return good;
}
