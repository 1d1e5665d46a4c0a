// trend.h - whether a series grows or falls over time, and how fast
// SPDX-License-Identifier: MIT
//
// The slope is that of Theil and Sen: the median of the slopes between all pairs of points. A few
// outliers do not change it. Its significance is that of the Mann-Kendall test: how likely a series
// without a trend has an order as monotone as this one.
//
// A series is kept as at most PMON_TREND_POINTS points. When these are full, neighbours are merged into
// their mean, and every later point is the mean of twice as many values. So the memory of a series is
// bounded, and the result depends on its values alone.
//
//	struct pmon_trend trend = {.n = 0};
//
//	pmon_trend_add(&trend, NULL, sample->time, value);     // each value, in order of time
//	pmon_trend_result(&trend, NULL, &result);
//	pmon_trend_free(&trend, NULL);

#ifndef PMON_QUERY_TREND_H
#define PMON_QUERY_TREND_H

#include <pmon/base.h>

#define PMON_TREND_POINTS 120 // 16 bytes each: less than 2 KiB a series

// A value, or the mean of several, and its time in any unit.
struct pmon_trend_point {
	double time;
	double value;
};

// What points say.
struct pmon_trend_fit {
	double slope;        // of the value, in a unit of time
	double significance; // two-sided p-value: small if there is a trend; 1 for fewer than 3 points
	double noise;        // median distance from a line of this slope
};

// n may be 0. Times ascend. Takes memory for n * (n - 1) / 2 numbers while it computes. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_trend_fit(const struct pmon_trend_point *points, size_t n,
					       const struct pmon_allocator *allocator,
					       struct pmon_trend_fit *out);

// The same; but the slope and the noise stay 0, which saves most of the time, when the significance is
// larger than `most`.
PMON_NODISCARD enum pmon_status pmon_trend_fit_significant(const struct pmon_trend_point *points,
							   size_t n, double most,
							   const struct pmon_allocator *allocator,
							   struct pmon_trend_fit *out);

// A series so far. All zeros at the beginning.
struct pmon_trend {
	struct pmon_trend_point *points; // times in hours since first_time
	size_t n;
	size_t cap;
	uint64_t merged; // values in each point, but perhaps the last one; a power of two
	uint64_t in_last;
	pmon_time first_time;
	pmon_time last_time;
	double first;
	double last;
	uint64_t values;
	uint64_t rises; // values above the one before
	uint64_t falls;
};

// Add a value that is not older than the one before. False when memory is short.
PMON_NODISCARD bool pmon_trend_add(struct pmon_trend *trend, const struct pmon_allocator *allocator,
				   pmon_time time, double value);
void pmon_trend_free(struct pmon_trend *trend, const struct pmon_allocator *allocator);

struct pmon_trend_result {
	struct pmon_trend_fit whole; // slopes are for an hour
	struct pmon_trend_fit later; // of the second half of the time
	double level;                // median of the values
	double monotone; // share of the changes from value to value that go the way of the slope; 0
			 // without a change
};
PMON_NODISCARD enum pmon_status pmon_trend_result(const struct pmon_trend *trend,
						  const struct pmon_allocator *allocator,
						  struct pmon_trend_result *out);

// Does the series go one way to its end? The trend is significant, in the second half as well; that
// half has at least a quarter of the slope; the change over the whole time exceeds the noise six times;
// and the newest value has not gone back to before the median.
bool pmon_trend_lasts(const struct pmon_trend *trend, const struct pmon_trend_result *result);

#endif
