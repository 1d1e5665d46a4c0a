// unfinished.c - what is beyond a limit at the end of the samples, not yet for as long as the rule requires
// SPDX-License-Identifier: MIT

#include "rules/judge.h"

#include <stdlib.h>

#include "rules/state.h"

// The ordinal of the newest sample of each machine with a value of a judged series. NULL when memory is short.
static uint64_t *
find_newest(const struct rules_judge *judge)
{
	uint64_t *newest = calloc(judge->n_machines + 1, sizeof(*newest));

	for (size_t i = 0; newest != NULL && i < judge->n_checks; i++) {
		const struct check *check = &judge->checks[i];

		if (check->last.begun && check->last.ordinal > newest[check->machine])
			newest[check->machine] = check->last.ordinal;
	}
	return newest;
}

// The highest level whose run has not ended and was not reported; RULES_LEVELS if there is none.
static size_t
unfinished_level(const struct check *check)
{
	for (size_t level = RULES_LEVELS; check->tallies != NULL && level-- > 0;) {
		const struct rules_run *run = check->tallies[level].run;

		if (run != NULL && run->is_raised)
			break;
		if (run != NULL && !run->is_within)
			return level;
	}
	return RULES_LEVELS;
}

static int
most_severe_first(const void *a, const void *b)
{
	const struct rules_episode *x = &((const struct rules_unfinished *)a)->episode;
	const struct rules_episode *y = &((const struct rules_unfinished *)b)->episode;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	if (x->excess_seconds != y->excess_seconds)
		return x->excess_seconds > y->excess_seconds ? -1 : 1;
	if (x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

static bool
list_all(const struct rules_judge *judge, const uint64_t *newest, struct rules_unfinished *list,
	 size_t *n)
{
	for (size_t i = 0; i < judge->n_checks; i++) {
		const struct check *check = &judge->checks[i];
		size_t level = unfinished_level(check);

		if (level == RULES_LEVELS || !rules_is_first(judge, check) ||
		    check->last.ordinal < newest[check->machine] ||
		    judge->rules->list[check->rule].trend_100ns > 0)
			continue;
		if (!rules_make_episode(judge, check, level, &list[*n].episode))
			return false;
		list[(*n)++].may_be_longer = check->tallies[level].run->is_cut;
	}
	return true;
}

struct rules_unfinished *
rules_judge_unfinished(const struct rules_judge *judge, size_t *n)
{
	struct rules_unfinished *list = calloc(judge->n_checks + 1, sizeof(*list));
	uint64_t *newest = find_newest(judge);
	bool good;

	*n = 0;
	good = list != NULL && newest != NULL && list_all(judge, newest, list, n);
	free(newest);
	if (!good) {
		rules_free_unfinished(list, *n);
		*n = 0;
		return NULL;
	}
	qsort(list, *n, sizeof(*list), most_severe_first);
	return list;
}

void
rules_free_unfinished(struct rules_unfinished *list, size_t n)
{
	for (size_t i = 0; list != NULL && i < n; i++)
		free(list[i].episode.who);
	free(list);
}
