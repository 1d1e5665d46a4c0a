// layout.c - the positions in a sample of the series that the judge reads
// SPDX-License-Identifier: MIT
//
// Most samples of a log have the same series in the same order, and rules apply to few of them. So
// the positions are computed once, and again when a sample has other series.

#include <stdlib.h>
#include <string.h>

#include "rules/state.h"

// Make room for the positions of n series and of their checks. False if memory runs out.
static bool
make_room(struct rules_judge *judge, size_t n)
{
	struct layout *l = &judge->layout;

	return rules_grow(&l->series, &l->series_cap, n, sizeof(*l->series)) &&
	       rules_grow(&l->linked, &l->linked_cap, n, sizeof(*l->linked)) &&
	       rules_grow(&l->checked, &l->checked_cap, judge->n_checks, sizeof(*l->checked)) &&
	       rules_grow(&l->metered, &l->metered_cap, judge->n_meters, sizeof(*l->metered));
}

static void
add_place(const struct rules_judge *judge, struct layout *l, uint32_t at, uint32_t series)
{
	if (judge->is_linked[series])
		l->linked[l->n_linked++] = at;
	for (uint32_t c = judge->first[series]; c != RULES_NONE; c = judge->checks[c].next)
		l->checked[l->n_checked++] = (struct place){at, c};
	if (judge->meter_of[series] != RULES_NONE)
		l->metered[l->n_metered++] = (struct place){at, judge->meter_of[series]};
}

bool
rules_lay_out(struct rules_judge *judge, const struct pmon_sample *sample)
{
	struct layout *l = &judge->layout;

	if (sample->n > 0 && sample->n == l->n && judge->seen == l->seen &&
	    memcmp(l->series, sample->series, l->n * sizeof(*l->series)) == 0)
		return true;
	if (!make_room(judge, sample->n))
		return false;
	l->n_linked = l->n_checked = l->n_metered = 0;
	for (size_t i = 0; i < sample->n; i++) {
		l->series[i] = sample->series[i];
		add_place(judge, l, (uint32_t)i, sample->series[i]);
	}
	l->n = sample->n;
	l->seen = judge->seen;
	return true;
}

void
rules_free_layout(struct layout *layout)
{
	free(layout->series);
	free(layout->linked);
	free(layout->checked);
	free(layout->metered);
}
