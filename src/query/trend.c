// trend.c - whether a series grows or falls over time, and how fast
// SPDX-License-Identifier: MIT
//
// Sources: P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", Journal of
// the American Statistical Association 63 (1968), 1379-1389; R. O. Gilbert, "Statistical Methods
// for Environmental Pollution Monitoring" (1987), chapters 16 and 17, for the variance with ties
// and the correction of 1 for continuity.

#include "query/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time.h"

#define SIGNIFICANT       0.001 // of the whole
#define SIGNIFICANT_LATER 0.01  // of the second half, which has half of the points
#define LATER_SLOPE       0.25  // at least this share of the whole slope in the second half
#define ABOVE_NOISE       6     // change over the whole time, in noise
#define FEWEST_POINTS     10    // below this the normal approximation of the test is invalid

// ---- Medians --------------------------------------------------------------------------------

static void
swap(double *a, double *b)
{
	double kept = *a;

	*a = *b;
	*b = kept;
}

// Move the k-th smallest number to k, with no larger ones before and no smaller ones after it
// (Hoare's FIND, 1961).
static void
select_kth(double *numbers, size_t n, size_t k)
{
	size_t low = 0;
	size_t high = n - 1;

	while (low < high) {
		double pivot = numbers[low + (high - low) / 2];
		size_t i = low;
		size_t j = high;

		while (i <= j) {
			while (numbers[i] < pivot)
				i++;
			while (numbers[j] > pivot)
				j--;
			if (i > j)
				break;
			swap(&numbers[i++], &numbers[j]);
			if (j-- == 0)
				break;
		}
		if (k >= i)
			low = i;
		else if (j < n && k <= j)
			high = j;
		else
			return;
	}
}

// Reorders the numbers; n is at least 1.
static double
median_of(double *numbers, size_t n)
{
	double below;

	select_kth(numbers, n, n / 2);
	if (n % 2 == 1)
		return numbers[n / 2];
	below = numbers[0];
	for (size_t i = 1; i < n / 2; i++)
		below = numbers[i] > below ? numbers[i] : below;
	return below / 2 + numbers[n / 2] / 2;
}

// ---- Points ---------------------------------------------------------------------------------

static double
slope_of(const struct pmon_trend_point *points, size_t n, double *scratch)
{
	size_t pairs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			if (points[k].time > points[i].time)
				scratch[pairs++] = (points[k].value - points[i].value) /
						   (points[k].time - points[i].time);
	return pairs > 0 ? median_of(scratch, pairs) : 0;
}

static double
noise_of(const struct pmon_trend_point *points, size_t n, double slope, double *scratch)
{
	double middle;

	for (size_t i = 0; i < n; i++)
		scratch[i] = points[i].value - slope * points[i].time;
	middle = median_of(scratch, n);
	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(scratch[i] - middle);
	return median_of(scratch, n);
}

// Rises minus falls over all pairs, and the number of pairs with equal values.
static double
kendall_sum(const struct pmon_trend_point *points, size_t n, size_t *equal)
{
	double sum = 0;

	*equal = 0;
	for (size_t i = 0; i < n; i++) {
		double value = points[i].value;
		int here = 0;

		for (size_t k = i + 1; k < n; k++) {
			here += (points[k].value > value) - (points[k].value < value);
			*equal += points[k].value == value;
		}
		sum += here;
	}
	return sum;
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
variance_term(double n)
{
	return n * (n - 1) * (2 * n + 5) / 18;
}

// The variance of that sum for a series without a trend. Equal values make it smaller.
static double
kendall_variance(const struct pmon_trend_point *points, size_t n, double *scratch)
{
	double variance = variance_term((double)n);
	size_t equal = 1;

	for (size_t i = 0; i < n; i++)
		scratch[i] = points[i].value;
	qsort(scratch, n, sizeof(*scratch), ascending);
	for (size_t i = 1; i <= n; i++, equal++) {
		if (i < n && scratch[i] <= scratch[i - 1])
			continue;
		variance -= variance_term((double)equal);
		equal = 0;
	}
	return variance;
}

static double
significance_of(const struct pmon_trend_point *points, size_t n, double *scratch)
{
	size_t equal;
	double sum = fabs(kendall_sum(points, n, &equal));
	double variance = variance_term((double)n);

	if (sum >= 1 && equal > 0)
		variance = kendall_variance(points, n, scratch);
	return sum < 1 || variance <= 0 ? 1 : erfc((sum - 1) / sqrt(2 * variance));
}

enum pmon_status
pmon_trend_fit(const struct pmon_trend_point *points, size_t n,
	       const struct pmon_allocator *allocator, struct pmon_trend_fit *out)
{
	return pmon_trend_fit_significant(points, n, 1, allocator, out);
}

enum pmon_status
pmon_trend_fit_significant(const struct pmon_trend_point *points, size_t n, double most,
			   const struct pmon_allocator *allocator, struct pmon_trend_fit *out)
{
	double *scratch;
	size_t size;

	*out = (struct pmon_trend_fit){.significance = 1};
	allocator = pmon_mem_allocator(allocator);
	if (n < 3)
		return PMON_OK;
	if (!pmon_mul(n, n, &size) || !pmon_mul(size / 2, sizeof(*scratch), &size))
		return PMON_E_NOMEM;
	scratch = pmon_mem_alloc(allocator, size);
	if (scratch == NULL)
		return PMON_E_NOMEM;
	out->significance = significance_of(points, n, scratch);
	if (out->significance <= most) {
		out->slope = slope_of(points, n, scratch);
		out->noise = noise_of(points, n, out->slope, scratch);
	}
	pmon_mem_free(allocator, scratch, size);
	return PMON_OK;
}

// ---- A series -------------------------------------------------------------------------------

static void
merge_neighbours(struct pmon_trend *trend)
{
	for (size_t i = 0; i < trend->n / 2; i++) {
		const struct pmon_trend_point *a = &trend->points[2 * i];

		trend->points[i] = (struct pmon_trend_point){a[0].time / 2 + a[1].time / 2,
							     a[0].value / 2 + a[1].value / 2};
	}
	trend->n /= 2;
	trend->merged *= 2;
	trend->in_last = trend->merged;
}

// Append a point. False when memory is short.
static bool
begin_point(struct pmon_trend *trend, const struct pmon_allocator *allocator)
{
	if (trend->n == PMON_TREND_POINTS)
		merge_neighbours(trend);
	if (!pmon_mem_grow(pmon_mem_allocator(allocator), &trend->points, &trend->cap, trend->n + 1,
			   sizeof(*trend->points)))
		return false;
	trend->points[trend->n++] = (struct pmon_trend_point){0, 0};
	trend->in_last = 0;
	return true;
}

static void
add_to_point(struct pmon_trend *trend, double hours, double value)
{
	struct pmon_trend_point *last = &trend->points[trend->n - 1];
	double share = 1 / (double)++trend->in_last;

	last->time += (hours - last->time) * share;
	last->value += value * share - last->value * share; // the difference itself may overflow
}

bool
pmon_trend_add(struct pmon_trend *trend, const struct pmon_allocator *allocator, pmon_time time,
	       double value)
{
	if (trend->values == 0) {
		trend->merged = 1;
		trend->in_last = 1;
		trend->first = value;
		trend->first_time = time;
	} else {
		trend->rises += value > trend->last;
		trend->falls += value < trend->last;
	}
	if (trend->in_last == trend->merged && !begin_point(trend, allocator))
		return false;
	add_to_point(trend, (double)(time - trend->first_time) / (3600.0 * PMON_TIME_PER_SEC),
		     value);
	trend->last = value;
	trend->last_time = time;
	trend->values++;
	return true;
}

void
pmon_trend_free(struct pmon_trend *trend, const struct pmon_allocator *allocator)
{
	pmon_mem_free(pmon_mem_allocator(allocator), trend->points,
		      trend->cap * sizeof(*trend->points));
	*trend = (struct pmon_trend){.n = 0};
}

static double
monotone_share(const struct pmon_trend *trend, double slope)
{
	uint64_t changes = trend->rises + trend->falls;

	if (changes == 0)
		return 0;
	return (double)(slope < 0 ? trend->falls : trend->rises) / (double)changes;
}

static double
level_of(const struct pmon_trend *trend)
{
	double values[PMON_TREND_POINTS];

	for (size_t i = 0; i < trend->n; i++)
		values[i] = trend->points[i].value;
	return trend->n > 0 ? median_of(values, trend->n) : 0;
}

enum pmon_status
pmon_trend_result(const struct pmon_trend *trend, const struct pmon_allocator *allocator,
		  struct pmon_trend_result *out)
{
	enum pmon_status status = pmon_trend_fit(trend->points, trend->n, allocator, &out->whole);
	size_t middle = 0;

	while (middle < trend->n &&
	       trend->points[middle].time * 2 < trend->points[trend->n - 1].time)
		middle++;
	if (status == PMON_OK)
		status = pmon_trend_fit(trend->points + middle, trend->n - middle, allocator,
					&out->later);
	out->level = level_of(trend);
	out->monotone = monotone_share(trend, out->whole.slope);
	return status;
}

bool
pmon_trend_lasts(const struct pmon_trend *trend, const struct pmon_trend_result *result)
{
	const struct pmon_trend_fit *whole = &result->whole;
	double hours =
		(double)(trend->last_time - trend->first_time) / (3600.0 * PMON_TIME_PER_SEC);

	return trend->n >= FEWEST_POINTS && whole->significance < SIGNIFICANT &&
	       result->later.significance < SIGNIFICANT_LATER &&
	       fabs(whole->slope) * hours > ABOVE_NOISE * whole->noise &&
	       result->later.slope / whole->slope >= LATER_SLOPE &&
	       copysign(1, whole->slope) * (trend->last - result->level) >= -whole->noise;
}
