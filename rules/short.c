// short.c - rules that need more time than was observed
// SPDX-License-Identifier: MIT
//
// A rule was kept if no episode as long as it requires can have occurred while the machine was
// observed. If values were beyond the limit at the beginning or the end of a shorter observation,
// that is unknown.

#include "rules/state.h"

void
rules_observe(struct rules_judge *judge)
{
	for (size_t m = 0; m < judge->n_machines; m++) {
		judge->machines[m].observed_100ns = 0;
		judge->machines[m].observed_samples = 0;
	}
	for (size_t i = 0; i < judge->n_checks; i++) {
		const struct check *check = &judge->checks[i];
		struct machine *machine = &judge->machines[check->machine];

		if (check->time_100ns > machine->observed_100ns)
			machine->observed_100ns = check->time_100ns;
		if (check->samples > machine->observed_samples)
			machine->observed_samples = check->samples;
	}
}

// Did the series have values for the whole observation of the machine, except for the first
// interval, which rates lack? This excludes processes that came and went.
static bool
covers(const struct machine *machine, const struct check *check)
{
	int64_t interval_100ns = check->time_100ns / (int64_t)check->samples;

	return check->time_100ns + interval_100ns >= machine->observed_100ns;
}

// Was the machine observed for less time than the rule requires, and could values have been beyond
// the limit for that long? Time beyond the limit counts anywhere in a sliding window, but a run can
// extend outside the observation only at its edges.
static bool
is_too_short(const struct machine *machine, const struct rules_rule *rule,
	     const struct rules_hold *hold, const struct tally *t)
{
	if (rule->within_100ns > 0)
		return machine->observed_100ns < rule->within_100ns;
	if (!t->may_be_longer && t->run == NULL)
		return false;
	return hold->lasting == RULES_TIME ? machine->observed_100ns < hold->time_100ns
					   : machine->observed_samples < hold->samples;
}

static enum rules_outcome
kept_at(const struct rules_judge *judge, const struct check *check, size_t level)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	const struct machine *machine = &judge->machines[check->machine];
	const struct tally *t = &check->tallies[level];

	if (t->beyond == 0 || t->had_few || (t->run != NULL && t->run->is_raised))
		return RULES_KEPT;
	if (t->beyond == check->samples && covers(machine, check))
		return RULES_BEYOND;
	return is_too_short(machine, rule, &rule->limits[level].hold, t) ? RULES_UNSETTLED
									 : RULES_KEPT;
}

enum rules_outcome
rules_kept(const struct rules_judge *judge, const struct check *check)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	enum rules_outcome outcome = RULES_KEPT;

	if (check->tallies == NULL || rule->trend_100ns > 0 || rule->hold.lasting == RULES_SHARE)
		return RULES_KEPT;
	for (size_t level = 0; level < RULES_LEVELS; level++) {
		enum rules_outcome at = kept_at(judge, check, level);

		outcome = at > outcome ? at : outcome;
	}
	return outcome;
}
