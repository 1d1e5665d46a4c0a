// measure.c - compare values with limits
// SPDX-License-Identifier: MIT

#include <float.h>
#include <math.h>

#include "rules/state.h"

const struct pmon_value *
rules_linked(const struct rules_judge *judge, const struct link *link)
{
	const struct pmon_value *value =
		link->series != RULES_NONE ? &judge->values[link->series] : NULL;

	return value != NULL && pmon_vstat_has_value(value->status) ? value : NULL;
}

bool
rules_measure(const struct rules_judge *judge, const struct check *check,
	      const struct rules_limit *limit, const struct pmon_value *value, double *out)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	const struct machine *machine = &judge->machines[check->machine];
	double factor = limit->threshold.any ? 1 : check->unit.factor;

	*out = value->value * rule->times;
	if (rule->per_processor && machine->processors == 0)
		return false;
	if (rule->per_processor)
		*out /= (double)machine->processors;
	if (rule->of.n > 0) {
		const struct pmon_value *whole = rules_linked(judge, &check->of);

		if (whole == NULL || whole->value <= 0)
			return false;
		*out *= 100 * check->unit.factor / (whole->value * check->of.factor);
		return true;
	}
	*out *= factor;
	return true;
}

static bool
is_beyond(const struct rules_limit *limit, double measure)
{
	double value = limit->threshold.value;

	if (limit->or_equal && measure == value)
		return true;
	return limit->threshold.below ? measure < value : measure > value;
}

// Does the rule's second condition hold? *known is false if it has no value.
static bool
holds(const struct rules_judge *judge, const struct check *check, bool *known)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	const struct pmon_value *value = rules_linked(judge, &check->when);
	const struct rules_limit *limit;

	*known = rule->whiles.n == 0 || value != NULL;
	if (value == NULL)
		return rule->whiles.n == 0;
	limit = &rule->while_limits[check->when.pattern];
	return is_beyond(limit, value->value * (limit->threshold.any ? 1 : check->when.factor));
}

enum standing
rules_standing(const struct rules_judge *judge, const struct check *check, size_t level,
	       double measure, bool *known)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	struct rules_limit clear;

	if (!holds(judge, check, known))
		return WITHIN;
	if (is_beyond(&rule->limits[level], measure))
		return BEYOND;
	if (!rule->clear.given)
		return WITHIN;
	clear = rule->limits[level];
	clear.threshold.value = rule->clear.threshold.value;
	return is_beyond(&clear, measure) ? NEAR : WITHIN;
}

double
rules_limit_of(const struct rules_judge *judge, const struct check *check, size_t level)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	double limit = rule->limits[level].threshold.value;

	if (rule->per_processor)
		limit *= (double)judge->machines[check->machine].processors;
	return limit;
}

// Values this close to the limit get a full comparison, because the product that is compared is
// rounded, unless it is 0.
static double
margin_of(const struct rules_limit *limit, double bound)
{
	if (bound == 0 && !limit->or_equal)
		return -DBL_TRUE_MIN;
	return 1e-9 * fabs(bound) + DBL_MIN;
}

void
rules_set_quiet(struct check *check, const struct rules_rule *rule)
{
	bool lacks_while = rule->whiles.n > 0 && check->when.series == RULES_NONE;
	const struct draw_threshold *warning = &rule->limits[RULES_WARNING].threshold;

	check->is_plain_trend = rule->trend_100ns > 0 && rule->whiles.n == 0 && rule->of.n == 0 &&
				!rule->per_processor;
	check->times = rule->times;
	check->factor = warning->any ? 1 : check->unit.factor;
	check->above = -INFINITY;
	check->below = INFINITY;
	for (size_t i = 0; i < RULES_LEVELS; i++) {
		const struct rules_limit *limit = &rule->limits[i];
		double factor = rule->times * (limit->threshold.any ? 1 : check->unit.factor);
		double bound = limit->threshold.value / factor;
		double margin = margin_of(limit, bound);

		if (limit->given && limit->threshold.below)
			check->above = fmax(check->above, bound + margin);
		else if (limit->given)
			check->below = fmin(check->below, bound - margin);
	}
	if (rule->per_processor || rule->of.n > 0 || rule->trend_100ns > 0 || lacks_while)
		check->below = -INFINITY; // no value qualifies
}
