// needs.c - the counters that rules need
// SPDX-License-Identifier: MIT

#include "query/rates.h"
#include "query/processors.h"
#include "rules/rules.h"

#include <string.h>

// Per-processor limits need the number of processors.
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
	return add(ctx, PMON_SPAN(PMON_PROCESSOR_PATTERN), false) &&
	       add(ctx, PMON_SPAN(PMON_INFORMATION_PATTERN), false) &&
	       add(ctx, PMON_SPAN(PMON_HYPERVISOR_PATTERN), false);
}

static bool
has_latency(const struct rules *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		for (size_t k = 0; k < rules->list[i].counters.n; k++)
			if (pmon_may_be_latency(&rules->list[i].counters.list[k]->path))
				return true;
	return false;
}

bool
rules_needs(const struct rules *rules, rules_need_fn add, void *ctx)
{
	const char *const *need = pmon_latency_needs;
	bool good = true;

	for (size_t i = 0; good && i < rules->n_patterns; i++)
		good = add(ctx, rules->patterns[i]->text, false);
	if (good && needs_processors(rules))
		good = add_processors(add, ctx);
	for (; has_latency(rules) && good && *need != NULL; need++)
		good = add(ctx, (struct pmon_span){*need, strlen(*need)}, true);
	return good;
}
