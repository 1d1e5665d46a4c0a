// packs.c - group rules by pack, because few machines have the counters of all
// SPDX-License-Identifier: MIT

#include "rules/judge.h"
#include "rules/state.h"

// Rules of a pack are usually adjacent.
void
rules_note_pack(const struct rules *rules, struct rules_rule *rule)
{
	size_t i = (size_t)(rule - rules->list);

	rule->of_pack = i;
	if (i > 0 && pmon_text_same(rule[-1].pack, rule->pack))
		rule->of_pack = rule[-1].of_pack;
	for (size_t k = 0; k < i && rule->of_pack == i; k++)
		if (rules->list[k].of_pack == k && pmon_text_same(rules->list[k].pack, rule->pack))
			rule->of_pack = k;
}

bool
rules_begins_pack(const struct rules *rules, size_t i)
{
	return rules->list[i].of_pack == i && rules->list[i].pack.len > 0;
}

void
rules_find_packs(struct rules_judge *judge)
{
	const struct rules *rules = judge->rules;

	for (size_t m = 0; m < judge->n_machines; m++) {
		struct on_machine *here = judge->machines[m].rules;

		for (size_t i = 0; i < rules->n; i++)
			here[i].has_pack = false;
		for (size_t i = 0; i < rules->n; i++)
			here[rules->list[i].of_pack].has_pack |=
				here[i].outcome != RULES_ELSEWHERE &&
				here[i].outcome != RULES_NO_COUNTER;
	}
}

bool
rules_judge_lacks_pack(const struct rules_judge *judge, const struct rules *rules, size_t i,
		       size_t machine)
{
	const struct rules_rule *rule = &rules->list[i];

	return rule->pack.len > 0 && !judge->machines[machine].rules[rule->of_pack].has_pack;
}
