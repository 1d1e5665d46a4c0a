// trend.h - whether a series grows or falls over time, and how fast
// SPDX-License-Identifier: MIT
//
// The slope is the Theil-Sen estimator: the median of the slopes between all pairs of points, which
// is robust to outliers. Its significance is the p-value of the Mann-Kendall test: the probability
// that a series without a trend is at least this monotone.
//
// A series is kept as at most PMON_TREND_POINTS points. When they are full, adjacent points are
// merged into their mean, and each later point averages twice as many values. This bounds the
// memory per series, and the result depends only on its values.
//
//	struct pmon_trend trend = {.n = 0};
//
//	pmon_trend_add(&trend, NULL, sample->time, value);     // each value, in order of time
//	pmon_trend_result(&trend, NULL, &result);
//	pmon_trend_free(&trend, NULL);

#ifndef PMON_QUERY_TREND_H
#define PMON_QUERY_TREND_H

#include <pmon/base.h>

#define PMON_TREND_POINTS 120 // 16 bytes each: less than 2 KiB per series

// A value, or the mean of several, and its time in any unit.
struct pmon_trend_point {
	double time;
	double value;
};

// The fit of a set of points.
struct pmon_trend_fit {
	double slope;        // of the value, per unit of time
	double significance; // two-sided p-value: small if there is a trend; 1 for fewer than 3 points
	double noise;        // median distance from a line of this slope
};

// n may be 0. Times must ascend. Temporarily allocates n * (n - 1) / 2 numbers. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_trend_fit(const struct pmon_trend_point *points, size_t n,
					       const struct pmon_allocator *allocator,
					       struct pmon_trend_fit *out);

// Like pmon_trend_fit(), but leaves the slope and the noise 0 if the significance exceeds `most`,
// which saves most of the time.
PMON_NODISCARD enum pmon_status pmon_trend_fit_significant(const struct pmon_trend_point *points,
							   size_t n, double most,
							   const struct pmon_allocator *allocator,
							   struct pmon_trend_fit *out);

// A series so far. Initialize with zeros.
struct pmon_trend {
	struct pmon_trend_point *points; // times in hours since first_time
	size_t n;
	size_t cap;
	uint64_t merged; // values per point, except possibly the last; a power of two
	uint64_t in_last;
	pmon_time first_time;
	pmon_time last_time;
	double first;
	double last;
	uint64_t values;
	uint64_t rises; // values above the one before
	uint64_t falls;
};

// Add a value; its time must not be earlier than the previous one's. False when memory is short.
PMON_NODISCARD bool pmon_trend_add(struct pmon_trend *trend, const struct pmon_allocator *allocator,
				   pmon_time time, double value);
void pmon_trend_free(struct pmon_trend *trend, const struct pmon_allocator *allocator);

struct pmon_trend_result {
	struct pmon_trend_fit whole; // slopes are per hour
	struct pmon_trend_fit later; // of the second half of the time
	double level;                // median of the values
	double monotone; // share of the changes between values in the direction of the slope; 0 without a change
};
PMON_NODISCARD enum pmon_status pmon_trend_result(const struct pmon_trend *trend,
						  const struct pmon_allocator *allocator,
						  struct pmon_trend_result *out);

// Whether the trend persists to the end: it is significant, also in the second half; the second
// half has at least a quarter of the slope; the total change is more than six times the noise; and
// the newest value has not returned past the median.
bool pmon_trend_lasts(const struct pmon_trend *trend, const struct pmon_trend_result *result);

#endif
