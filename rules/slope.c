// slope.c - the slope of a series over a sliding time range
// SPDX-License-Identifier: MIT
//
// The range is kept as a few points, each the mean of the values in its part of the range. After
// each part, the robust slope of the points is recomputed if it can be beyond the limit: it is the
// median of the slopes between all pairs of points, so half of these must be beyond it. They are
// counted as points come and go.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "query/trend.h"
#include "rules/state.h"

#define PARTS        12   // of the range
#define POINTS_LEAST 5    // fewer prove nothing: chance too often makes them monotone
#define SIGNIFICANT  0.03 // largest p-value of a trend
#define NOISE_LEAST  4    // the change over the range must be this many times the noise
#define HALF_LEAST   0.25 // of the slope, in each half of the range
#define SPAN_LEAST   0.75 // of the range that points must cover
#define ROUNDING     1e-9 // of a limit: rounding changes a slope by less

struct rules_slope {
	pmon_time origin; // point times are hours after this, on the steady clock
	pmon_time part_end;
	double sum; // of the values of the current part, and of their times
	double sum_hours;
	size_t in_part;
	size_t n;
	size_t beyond; // pairs of points whose slope may be beyond the limit
	struct pmon_trend_point points[PARTS + 1];
	struct pmon_raw raws[PARTS + 1]; // the last of each part
	int64_t behind_100ns[PARTS + 1]; // the steady times minus those of the clock
	bool known;
	double slope; // per hour; 0 if there is no trend, or it cannot be beyond the limit
};

static double
hours(int64_t length_100ns)
{
	return (double)length_100ns / PMON_TIME_PER_SEC / 3600;
}

// How many slopes between `other` and n adjacent points, all on one side of it, may be beyond the
// limit of the rule? All if a slope of 0 is beyond it.
static size_t
count_beyond(const struct rules_rule *rule, const struct pmon_trend_point *points, size_t n,
	     const struct pmon_trend_point *other)
{
	const struct rules_limit *limit = &rule->limits[RULES_WARNING];
	double sign = limit->threshold.below ? -1 : 1;
	double least = sign * limit->threshold.value * (1 - ROUNDING);
	size_t within = 0;

	if (least < 0 || (least <= 0 && limit->or_equal))
		return n;
	for (size_t i = 0; i < n; i++) {
		double time = other->time - points[i].time;
		double change = sign * (other->value - points[i].value);

		within += time > 0 ? change < least * time : time < 0 && -change < least * -time;
	}
	return n - within;
}

static void
drop_first(const struct rules_rule *rule, struct rules_slope *s)
{
	s->beyond -= count_beyond(rule, s->points + 1, s->n - 1, &s->points[0]);
	s->n--;
	memmove(s->points, s->points + 1, s->n * sizeof(s->points[0]));
	memmove(s->raws, s->raws + 1, s->n * sizeof(s->raws[0]));
	memmove(s->behind_100ns, s->behind_100ns + 1, s->n * sizeof(s->behind_100ns[0]));
}

// Do the points change all the time, not in one step? Also false if memory runs out; *good then
// becomes false.
static bool
is_steady(const struct rules_slope *s, double slope, bool *good)
{
	size_t half = (s->n + 1) / 2;
	struct pmon_trend_fit first;
	struct pmon_trend_fit second;

	*good = pmon_trend_fit(s->points, half, NULL, &first) == PMON_OK &&
		pmon_trend_fit(s->points + (s->n - half), half, NULL, &second) == PMON_OK;
	return *good && first.slope / slope >= HALF_LEAST && second.slope / slope >= HALF_LEAST;
}

// False when memory is short.
static bool
fit(struct rules_slope *s, double range)
{
	double span = s->n > 0 ? s->points[s->n - 1].time - s->points[0].time : 0;
	size_t pairs = s->n * (s->n - 1) / 2;
	struct pmon_trend_fit f;
	bool good = true;

	s->slope = 0;
	s->known = s->n >= POINTS_LEAST && span >= range * SPAN_LEAST;
	if (!s->known || s->beyond < pairs - pairs / 2)
		return true;
	if (pmon_trend_fit_significant(s->points, s->n, SIGNIFICANT, NULL, &f) != PMON_OK)
		return false;
	if (f.slope != 0 && fabs(f.slope) * span > NOISE_LEAST * f.noise &&
	    is_steady(s, f.slope, &good))
		s->slope = f.slope;
	return good;
}

static bool
end_part(const struct rules_rule *rule, struct rules_slope *s,
	 const struct rules_interval *interval)
{
	struct pmon_trend_point point = {s->sum_hours / (double)s->in_part,
					 s->sum / (double)s->in_part};
	double range = hours(rule->trend_100ns);
	double now = hours(interval->steady - s->origin);

	while (s->n > 0 && (s->n > PARTS || s->points[0].time < now - range))
		drop_first(rule, s);
	s->beyond += count_beyond(rule, s->points, s->n, &point);
	s->points[s->n] = point;
	s->behind_100ns[s->n] = pmon_time_minus(interval->steady, interval->time);
	s->raws[s->n++] = *interval->raw;
	s->sum = 0;
	s->sum_hours = 0;
	s->in_part = 0;
	s->part_end = interval->steady + rule->trend_100ns / PARTS;
	return fit(s, range);
}

void
rules_slope_forget(struct check *check)
{
	free(check->slope);
	check->slope = NULL;
}

// Add a value that does not end a part, in the same way as rules_slope_add().
static void
add_to_part(struct rules_slope *s, double value, pmon_time steady)
{
	s->sum += value;
	s->sum_hours += hours(steady - s->origin);
	s->in_part++;
}

bool
rules_slope_goes_on(struct check *check, double value, pmon_time steady, bool *known)
{
	struct rules_slope *s = check->slope;

	if (s == NULL || steady >= s->part_end)
		return false;
	add_to_part(s, value, steady);
	*known = s->known;
	return true;
}

bool
rules_slope_add(struct check *check, const struct rules_rule *rule,
		const struct rules_interval *interval)
{
	struct rules_slope *s = check->slope;

	if (s == NULL) {
		s = check->slope = calloc(1, sizeof(*s));
		if (s == NULL)
			return false;
		s->origin = interval->steady;
		s->part_end = interval->steady;
	}
	add_to_part(s, interval->measure, interval->steady);
	return interval->steady < s->part_end || end_part(rule, s, interval);
}

bool
rules_slope_of(const struct check *check, double *slope)
{
	*slope = check->slope->slope;
	return check->slope->known;
}

void
rules_slope_begin(const struct check *check, const struct pmon_calc *calc,
		  const struct rules_interval *interval, struct rules_run *run)
{
	const struct rules_slope *s = check->slope;
	double since = s->points[0].time * 3600 * PMON_TIME_PER_SEC;
	pmon_time steady = s->origin + (int64_t)since;
	const struct rules_moment from = {pmon_time_minus(steady, s->behind_100ns[0]), steady,
					  interval->elapsed_100ns - (interval->steady - steady)};

	rules_run_begin(run, calc, NULL, &from);
	// If the interval has ended a part, the last of these is its own.
	for (size_t i = 0; i + (s->in_part == 0) < s->n; i++)
		(void)pmon_stats_add(&run->stats, &s->raws[i]);
}
