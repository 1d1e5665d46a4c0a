// findings.c - the thresholds that were crossed, and the outcome of each rule
// SPDX-License-Identifier: MIT

#include "rules/judge.h"

#include <stdlib.h>

#include "rules/state.h"

static double
share_of(const struct check *check, const struct tally *t)
{
	if (check->time_100ns > 0)
		return (double)t->beyond_100ns / (double)check->time_100ns;
	return check->samples > 0 ? (double)t->beyond / (double)check->samples : 0;
}

static bool
lasts(const struct rules_rule *rule, const struct check *check, size_t level)
{
	const struct tally *t;

	if (check->tallies == NULL)
		return false;
	t = &check->tallies[level];
	if (rule->hold.lasting == RULES_SHARE)
		return t->beyond > 0 && share_of(check, t) >= rule->hold.share;
	return t->episodes > 0;
}

static struct rules_finding
finding_of(const struct rules_judge *judge, const struct check *check, enum rules_level level)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];
	const struct tally *t = &check->tallies[level];

	return (struct rules_finding){.rule = rule,
				      .series = check->series,
				      .level = level,
				      .limit = rules_limit_of(judge, check, level),
				      .samples = check->samples,
				      .beyond = t->beyond,
				      .time_100ns = check->time_100ns,
				      .beyond_100ns = t->beyond_100ns,
				      .share = share_of(check, t),
				      .episodes = t->episodes,
				      .longest_100ns = t->longest_100ns,
				      .longest_samples = t->longest_samples,
				      .longest_from = t->longest_from,
				      .worst = t->worst,
				      .worst_time = t->worst_time,
				      .gravest = t->episodes > 0 ? &t->gravest : NULL};
}

static int
graver_first(const void *a, const void *b)
{
	const struct rules_finding *x = a;
	const struct rules_finding *y = b;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	if (x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	if (x->share != y->share)
		return x->share > y->share ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

static bool
is_for(const struct rules_judge *judge, size_t rule, size_t machine)
{
	const struct on_machine *here = &judge->machines[machine].rules[rule];

	return (here->has_with || judge->rules->list[rule].with.n == 0) && !here->has_without;
}

bool
rules_is_first(const struct rules_judge *judge, const struct check *check)
{
	return is_for(judge, check->rule, check->machine) &&
	       check->pattern == judge->machines[check->machine].rules[check->rule].pattern;
}

// Why a series with values was not judged.
static enum rules_outcome
missing(const struct rules_judge *judge, const struct check *check)
{
	const struct rules_rule *rule = &judge->rules->list[check->rule];

	if (rule->whiles.n > 0 && rules_linked(judge, &check->when) == NULL)
		return RULES_NO_WHILE;
	if (rule->of.n > 0 && rules_linked(judge, &check->of) == NULL)
		return RULES_NO_REFERENCE;
	return rule->trend_100ns > 0 ? RULES_TOO_SHORT : RULES_NO_REFERENCE;
}

static void
note_outcome(struct rules_judge *judge, const struct check *check, bool crossed)
{
	enum rules_outcome *outcome = &judge->machines[check->machine].rules[check->rule].outcome;
	enum rules_outcome mine = RULES_KEPT;

	if (*outcome == RULES_ELSEWHERE)
		return;
	if (crossed)
		mine = RULES_CROSSED;
	else if (check->samples == 0 && !check->has_value)
		return; // a series without any value does not need a reference
	else if (check->samples == 0)
		mine = missing(judge, check);
	else if (rules_is_first(judge, check))
		mine = rules_kept(judge, check);
	*outcome = mine > *outcome ? mine : *outcome;
}

static void
forget_outcomes(struct rules_judge *judge)
{
	rules_observe(judge);
	for (size_t m = 0; m < judge->n_machines; m++)
		for (size_t i = 0; i < judge->rules->n; i++) {
			struct on_machine *here = &judge->machines[m].rules[i];

			here->outcome = here->unfit ? RULES_NO_UNIT : RULES_NO_COUNTER;
			if (!is_for(judge, i, m))
				here->outcome = RULES_ELSEWHERE;
		}
}

void
rules_judge_look(struct rules_judge *judge)
{
	forget_outcomes(judge);
	for (size_t i = 0; i < judge->n_checks; i++)
		note_outcome(judge, &judge->checks[i], false);
	rules_find_packs(judge);
}

const struct rules_finding *
rules_judge_findings(struct rules_judge *judge, size_t *n)
{
	*n = 0;
	free(judge->findings);
	judge->findings = calloc(judge->n_checks + 1, sizeof(*judge->findings));
	if (judge->findings == NULL || !rules_judge_end(judge))
		return NULL;
	forget_outcomes(judge);
	for (size_t i = 0; i < judge->n_checks; i++) {
		const struct check *check = &judge->checks[i];
		const struct rules_rule *rule = &judge->rules->list[check->rule];
		bool crossed = false;

		for (int level = RULES_LEVELS - 1; level >= 0 && !crossed; level--)
			if (rules_is_first(judge, check) && lasts(rule, check, (size_t)level)) {
				judge->findings[(*n)++] =
					finding_of(judge, check, (enum rules_level)level);
				crossed = true;
			}
		note_outcome(judge, check, crossed);
	}
	rules_find_packs(judge);
	qsort(judge->findings, *n, sizeof(*judge->findings), graver_first);
	return judge->findings;
}

static int
worse_first(const void *a, const void *b)
{
	const struct rules_episode *x = a;
	const struct rules_episode *y = b;

	if (x->excess_seconds != y->excess_seconds)
		return x->excess_seconds > y->excess_seconds ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->series->id != y->series->id)
		return x->series->id < y->series->id ? -1 : 1;
	return (y->level > x->level) - (y->level < x->level);
}

// Drop episodes of counters for which another one is judged instead.
static void
drop_stand_ins(struct rules_judge *judge)
{
	size_t n = 0;

	for (size_t i = 0; i < judge->n_episodes; i++) {
		const struct rules_episode *episode = &judge->episodes[i];
		uint32_t rule = (uint32_t)(episode->rule - judge->rules->list);
		uint32_t c = judge->first[episode->series->id];

		while (judge->checks[c].rule != rule)
			c = judge->checks[c].next;
		if (rules_is_first(judge, &judge->checks[c]))
			judge->episodes[n++] = *episode;
		else
			free(episode->who);
	}
	judge->n_episodes = n;
}

const struct rules_episode *
rules_judge_episodes(struct rules_judge *judge, size_t *n)
{
	*n = 0;
	if (!rules_judge_end(judge) ||
	    !rules_grow(&judge->episodes, &judge->cap_episodes, 1, sizeof(*judge->episodes)))
		return NULL;
	drop_stand_ins(judge);
	*n = judge->n_episodes;
	qsort(judge->episodes, *n, sizeof(*judge->episodes), worse_first);
	return judge->episodes;
}

// ---- Outcomes ------------------------------------------------------------------------------

enum rules_outcome
rules_judge_outcome_on(const struct rules_judge *judge, size_t i, size_t machine)
{
	return judge->machines[machine].rules[i].outcome;
}

enum rules_outcome
rules_judge_outcome(const struct rules_judge *judge, size_t i, size_t *series)
{
	enum rules_outcome outcome = RULES_ELSEWHERE;

	*series = 0;
	for (size_t j = 0; j < judge->n_checks; j++)
		*series += judge->checks[j].rule == i && judge->checks[j].samples > 0 &&
			   rules_is_first(judge, &judge->checks[j]);
	for (size_t m = 0; m < judge->n_machines; m++)
		if (rules_judge_outcome_on(judge, i, m) > outcome)
			outcome = rules_judge_outcome_on(judge, i, m);
	return outcome;
}

bool
rules_is_judged(enum rules_outcome outcome)
{
	return outcome == RULES_KEPT || outcome == RULES_CROSSED;
}

const char *
rules_reason(enum rules_outcome outcome)
{
	switch (outcome) {
	case RULES_ELSEWHERE:
		return "the rule does not apply to this kind of machine";
	case RULES_NO_COUNTER:
		return "it has no values for this counter";
	case RULES_NO_UNIT:
		return "the counter and the limit have different units";
	case RULES_NO_REFERENCE:
		return "it has no values for the counter that the limit refers to";
	case RULES_NO_WHILE:
		return "it has no values for the counter after `while`";
	case RULES_TOO_SHORT:
		return "it has too few values for a trend";
	case RULES_UNSETTLED:
		return "it was observed for less time than the rule requires";
	case RULES_BEYOND:
		return RULES_ALL_BEYOND;
	case RULES_KEPT:
	case RULES_CROSSED:
		break;
	}
	return NULL;
}

bool
rules_judge_has_more_machines(const struct rules_judge *judge)
{
	return judge->has_more_machines;
}

size_t
rules_judge_machines(const struct rules_judge *judge)
{
	return judge->n_machines;
}

struct pmon_span
rules_judge_machine(const struct rules_judge *judge, size_t machine)
{
	return judge->machines[machine].name;
}

const char *
rules_judge_unseen(const struct rules_judge *judge, struct pmon_span machine, size_t *seen)
{
	const struct rules_processors *p = &judge->processors;
	const struct rules_processors_by *plain;
	size_t i = 0;

	while (i < p->n && !pmon_text_same(p->list[i].machine, machine))
		i++;
	if (i == p->n)
		return NULL;
	plain = &p->list[i].by[PMON_PLAIN_PROCESSOR];
	*seen = plain->all;
	if (p->list[i].by[PMON_HYPERVISOR_PROCESSOR].all > 0)
		return "the root partition of this host";
	return plain->all > 0 && plain->all < p->list[i].n ? "one group of processors" : NULL;
}

size_t
rules_judge_processors(const struct rules_judge *judge, struct pmon_span machine)
{
	for (size_t i = 0; i < judge->n_machines; i++)
		if (pmon_text_same(judge->machines[i].name, machine))
			return judge->machines[i].processors;
	return 0;
}
