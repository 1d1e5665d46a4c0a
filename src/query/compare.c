// compare.c - how much a series differs between two times
// SPDX-License-Identifier: MIT

#include "query/compare.h"

#include <math.h>

#include "base/mem.h"
#include "query/quantile.h"
#include "query/spread.h"

#define LEAST_NOISE 0.01 // of the larger median: slightly more than the resolution of a sketch
#define MEDIAN      (50 * PMON_PERCENT)

// One side.
struct side {
	double median;
	double deviation; // median distance from it
};

static bool
are_the_same_constant(const struct pmon_stats *x, const struct pmon_stats *y)
{
	return x->minimum.value == x->maximum.value && y->minimum.value == y->maximum.value &&
	       x->minimum.value == y->minimum.value;
}

// False when memory is short.
static bool
describe(const struct pmon_statistics *statistics, size_t i, const struct pmon_allocator *allocator,
	 bool *known, struct side *out)
{
	struct pmon_value median = pmon_statistics_percentile(statistics, i, 50);
	const struct pmon_spread *spread = pmon_statistics_spread(statistics, i);

	*out = (struct side){median.value, 0};
	*known = pmon_vstat_has_value(median.status) && spread != NULL;
	return !*known || pmon_quantile_distance(&spread->quantile, allocator, median.value, MEDIAN,
						 &out->deviation);
}

static void
compare(const struct side *before, const struct side *after, struct pmon_comparison *out)
{
	double larger = fmax(fabs(before->median), fabs(after->median));
	double change = after->median - before->median;
	double pooled = before->deviation / 2 + after->deviation / 2;

	*out = (struct pmon_comparison){.before = before->median,
					.after = after->median,
					.noise = fmax(pooled, LEAST_NOISE * larger)};
	if (larger <= 0 || out->noise <= 0)
		return;
	out->effect = change / out->noise;
	out->share = fabs(change) / larger;
}

enum pmon_status
pmon_compare(const struct pmon_statistics *before, size_t a, const struct pmon_statistics *after,
	     size_t b, const struct pmon_allocator *allocator, bool *comparable,
	     struct pmon_comparison *out)
{
	const struct pmon_stats *x = pmon_statistics_at(before, a);
	const struct pmon_stats *y = pmon_statistics_at(after, b);
	struct side sides[2];
	bool known[2];

	*comparable = false;
	*out = (struct pmon_comparison){.effect = 0};
	if (x == NULL || y == NULL || are_the_same_constant(x, y))
		return PMON_OK;
	if (!describe(before, a, allocator, &known[0], &sides[0]) ||
	    !describe(after, b, allocator, &known[1], &sides[1]))
		return PMON_E_NOMEM;
	*comparable = known[0] && known[1];
	if (*comparable)
		compare(&sides[0], &sides[1], out);
	return PMON_OK;
}
