// packs.c - rules by their packs: few machines have the counters of all
// SPDX-License-Identifier: MIT

#include "rules/judge.h"

static bool
is_same_pack(const struct rules_rule *a, const struct rules_rule *b)
{
	return pmon_text_same(a->pack, b->pack);
}

bool
rules_begins_pack(const struct rules *rules, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_same_pack(&rules->list[k], &rules->list[i]))
			return false;
	return rules->list[i].pack.len > 0;
}

bool
rules_judge_lacks_pack(const struct rules_judge *judge, const struct rules *rules, size_t i,
		       size_t machine)
{
	for (size_t k = 0; k < rules->n; k++) {
		enum rules_outcome outcome = rules_judge_outcome_on(judge, k, machine);

		if (is_same_pack(&rules->list[k], &rules->list[i]) && outcome != RULES_ELSEWHERE &&
		    outcome != RULES_NO_COUNTER)
			return false;
	}
	return rules->list[i].pack.len > 0;
}
