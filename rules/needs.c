// needs.c - the counters that rules need
// SPDX-License-Identifier: MIT

#include "rules/latency.h"
#include "rules/rules.h"

#include <string.h>

static bool
add_all(const struct rules_patterns *patterns, rules_need_fn add, void *ctx)
{
	bool good = true;

	for (size_t i = 0; good && i < patterns->n; i++)
		good = add(ctx, patterns->texts[i], false);
	return good;
}

// Limits for each processor need to know how many there are.
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
			if (rules_may_be_latency(&rules->list[i].counters.list[k]))
				return true;
	return false;
}

bool
rules_needs(const struct rules *rules, rules_need_fn add, void *ctx)
{
	static const char *const latency[] = RULES_LATENCY_NEEDS;
	bool good = true;

	for (size_t i = 0; good && i < rules->n; i++) {
		const struct rules_rule *rule = &rules->list[i];

		good = add_all(&rule->counters, add, ctx) && add_all(&rule->of, add, ctx) &&
		       add_all(&rule->whiles, add, ctx) && add_all(&rule->shows, add, ctx) &&
		       add_all(&rule->with, add, ctx) && add_all(&rule->without, add, ctx) &&
		       (!rule->per_processor || add_processors(add, ctx));
	}
	for (size_t i = 0; has_latency(rules) && good && i < sizeof(latency) / sizeof(latency[0]);
	     i++)
		good = add(ctx, (struct pmon_span){latency[i], strlen(latency[i])}, true);
	return good;
}
