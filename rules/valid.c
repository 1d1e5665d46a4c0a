// valid.c - check a rule whose keys have all been read
// SPDX-License-Identifier: MIT

#include <string.h>

#include "rules/rules.h"

// Is the level that ends an episode on the good side of the limit, and of the same kind?
static bool
clears(const struct rules_rule *r, const struct rules_limit *limit)
{
	const struct draw_threshold *clear = &r->clear.threshold;
	const struct draw_threshold *t = &limit->threshold;

	if (!r->clear.given || !limit->given)
		return true;
	return clear->any == t->any && (t->any || clear->quantity == t->quantity) &&
	       (t->below ? clear->value >= t->value : clear->value <= t->value);
}

static bool
has_own_hold(const struct rules_rule *r)
{
	return r->limits[RULES_WARNING].has_own_hold || r->limits[RULES_CRITICAL].has_own_hold;
}

static bool
has_for(const struct rules_rule *r)
{
	return r->hold.lasting != RULES_SAMPLES || r->hold.samples > 1 || has_own_hold(r);
}

// A share of the total time applies to the whole rule, so no level may have its own duration.
static bool
mixes_shares(const struct rules_rule *r)
{
	bool has_share = r->hold.lasting == RULES_SHARE;

	for (size_t i = 0; i < RULES_LEVELS; i++)
		has_share |= r->limits[i].hold.lasting == RULES_SHARE;
	return has_share && has_own_hold(r);
}

// Does a rule with a trend have other limits? Whichever was read last has replaced the other.
static bool
has_other_limits(const struct rules_rule *r)
{
	return strstr(r->limits[RULES_WARNING].threshold.text, " for ") == NULL ||
	       r->limits[RULES_CRITICAL].given || r->clear.given || r->within_100ns > 0 ||
	       has_for(r);
}

const char *
rules_fault_of(const struct rules_rule *r)
{
	const struct rules_limit *warning = &r->limits[RULES_WARNING];
	const struct rules_limit *critical = &r->limits[RULES_CRITICAL];

	if (r->counters.n == 0)
		return "this rule has no counter";
	if (!warning->given && !critical->given)
		return "this rule has neither a warning nor a critical limit";
	if (warning->given && critical->given &&
	    warning->threshold.below != critical->threshold.below)
		return "warning and critical of this rule have opposite directions";
	if (!clears(r, warning) || !clears(r, critical))
		return "clear is beyond the limits or has a different unit";
	if (mixes_shares(r))
		return "a share of the whole log must apply to all limits of a rule: for = 10%";
	if (r->trend_100ns > 0 && has_other_limits(r))
		return RULES_NO_LIMITS;
	if (r->trend_100ns > 0 && r->operations > 0)
		return "a rule with a trend cannot ask for operations";
	if ((r->within_100ns > 0) != (r->window_share > 0))
		return "share and within must be used together";
	if (r->within_100ns > 0 && (has_for(r) || r->clear.given))
		return "share and within cannot be combined with for or clear";
	for (size_t i = 0; i < RULES_LEVELS; i++)
		if (r->of.n > 0 && r->limits[i].given &&
		    (r->limits[i].threshold.any || r->limits[i].threshold.quantity != DRAW_PERCENT))
			return "the limits of this rule must be percentages, because it has `of`";
	return NULL;
}
