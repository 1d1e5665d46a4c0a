// test_trend.c - the Theil-Sen slope, the Mann-Kendall test, and how the points of a series are
// kept
// SPDX-License-Identifier: MIT

#include <math.h>

#include "base/time.h"
#include "query/trend.h"
#include "t.h"

#define MOST 400

// ---- Published examples ---------------------------------------------------------------------

static struct pmon_trend_fit
fit_of(const double *values, size_t n)
{
	struct pmon_trend_point points[MOST];
	struct pmon_trend_fit fit;

	for (size_t i = 0; i < n; i++)
		points[i] = (struct pmon_trend_point){(double)i, values[i]};
	assert_int_equal(pmon_trend_fit(points, n, NULL, &fit), PMON_OK);
	return fit;
}

static void
check_near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("%.17g is not within %g of %.17g", got, tolerance, want);
}

// Gilbert, "Statistical Methods for Environmental Pollution Monitoring" (1987), 16.4.1: of 10, 15, 14
// and 20 S is 4. Its variance is 4 * 3 * 13 / 18, so z is (4 - 1) / sqrt(8.667) = 1.019, of which
// a table of the normal distribution has the two-sided probability 0.308. The six slopes are 5, 2,
// 3.33, -1, 2.5 and 6: their median is (2.5 + 3.33) / 2.
static void
test_gilbert(void **state)
{
	static const double values[] = {10, 15, 14, 20};
	struct pmon_trend_fit fit = fit_of(values, T_LEN(values));

	(void)state;
	check_near(fit.significance, 0.308, 0.0005);
	check_near(fit.slope, 35.0 / 12, 1e-12);
}

// Hollander and Wolfe, "Nonparametric Statistical Methods" (1973), page 185, lightness and preference of
// canned tuna: K is 16 and the exact two-sided probability 0.1194. Here the preferences come in the
// order of the lightness. The normal approximation is (16 - 1) / sqrt(92) = 1.564: 0.1179.
static void
test_hollander(void **state)
{
	static const double by_lightness[] = {2.5, 4.0, 2.6, 3.6, 2.8, 3.1, 5.2, 5.0, 3.8};
	struct pmon_trend_fit fit = fit_of(by_lightness, T_LEN(by_lightness));

	(void)state;
	check_near(fit.significance, 0.1194, 0.002);
	check_near(fit.significance, 0.1179, 0.0001);
}

// Equal values: 1 1 2 2 3 3. S is 12; the variance 6 * 5 * 17 / 18 loses 2 * 1 * 9 / 18 for each of three
// pairs and is 25.333: z is 11 / 5.033 = 2.1855, two-sided 0.02885.
static void
test_ties(void **state)
{
	static const double values[] = {1, 1, 2, 2, 3, 3};
	static const double same[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};

	(void)state;
	check_near(fit_of(values, T_LEN(values)).significance, 0.02885, 0.00005);
	T_EQ_DBL(fit_of(same, T_LEN(same)).significance, 1);
	T_EQ_DBL(fit_of(same, T_LEN(same)).slope, 0);
}

// One wild value of eleven changes the slope of 2 by nothing; the noise is the median of distances that
// are 0 but for one.
static void
test_outlier(void **state)
{
	double values[11];
	struct pmon_trend_fit fit;

	(void)state;
	for (size_t i = 0; i < T_LEN(values); i++)
		values[i] = 3 + 2 * (double)i;
	values[4] = 1e9;
	fit = fit_of(values, T_LEN(values));
	T_EQ_DBL(fit.slope, 2);
	T_EQ_DBL(fit.noise, 0);
}

static void
test_few_points(void **state)
{
	static const double values[] = {1, 2};
	struct pmon_trend_fit fit = fit_of(values, 2);

	(void)state;
	T_EQ_DBL(fit.significance, 1);
	T_EQ_DBL(fit.slope, 0);
	fit = fit_of(values, 0);
	T_EQ_DBL(fit.significance, 1);
}

// The median of slopes, by counting: as many slopes are below it as above it.
static void
test_random(void **state)
{
	struct t_rand r = {.state = 5};
	double values[MOST];

	(void)state;
	for (int round = 0; round < 50; round++) {
		size_t n = 3 + t_rand_below(&r, 60);
		size_t below = 0;
		size_t above = 0;
		struct pmon_trend_fit fit;

		for (size_t i = 0; i < n; i++)
			values[i] = (double)t_rand_below(&r, 1 + t_rand_below(&r, 30));
		fit = fit_of(values, n);
		for (size_t i = 0; i < n; i++)
			for (size_t k = i + 1; k < n; k++) {
				double slope = (values[k] - values[i]) / (double)(k - i);

				below += slope < fit.slope - 1e-12;
				above += slope > fit.slope + 1e-12;
			}
		assert_true(2 * below <= n * (n - 1) / 2);
		assert_true(2 * above <= n * (n - 1) / 2);
	}
}

// ---- A series -------------------------------------------------------------------------------

#define HOUR (3600 * PMON_TIME_PER_SEC)

typedef double (*value_fn)(struct t_rand *r, double share);

// n values, one every 15 s.
static struct pmon_trend
series_of(value_fn value, size_t n)
{
	struct pmon_trend trend = {.n = 0};
	struct t_rand r = {.state = 6};

	for (size_t i = 0; i < n; i++)
		assert_true(pmon_trend_add(&trend, NULL, (pmon_time)i * 15 * PMON_TIME_PER_SEC,
					   value(&r, (double)i / (double)n)));
	return trend;
}

static double
noise(struct t_rand *r)
{
	return (double)t_rand_below(r, 1000) / 1000;
}

static double
grows(struct t_rand *r, double share)
{
	return 100 + 40 * share + noise(r);
}

static double
stays(struct t_rand *r, double share)
{
	(void)share;
	return 100 + noise(r);
}

static double
starts(struct t_rand *r, double share)
{
	return (share < 0.2 ? 100 + 400 * share : 180) + noise(r);
}

static double
steps(struct t_rand *r, double share)
{
	return (share < 0.5 ? 100 : 200) + noise(r);
}

static double
returns(struct t_rand *r, double share)
{
	return 100 + 100 * (share < 0.6 ? share : 1.2 - share) + noise(r);
}

// Growth, until everything was released at the very end.
static double
ends(struct t_rand *r, double share)
{
	return share > 0.998 ? 100 : grows(r, share);
}

static bool
lasts(value_fn value, size_t n, struct pmon_trend_result *result)
{
	struct pmon_trend trend = series_of(value, n);
	bool is_lasting;

	assert_true(trend.cap <= 2048 / sizeof(*trend.points));
	assert_int_equal(pmon_trend_result(&trend, NULL, result), PMON_OK);
	is_lasting = pmon_trend_lasts(&trend, result);
	pmon_trend_free(&trend, NULL);
	return is_lasting;
}

// 960 values of four hours rise by 40, 10 an hour; 161,280 of four weeks by 40 as well.
static void
test_growth(void **state)
{
	struct pmon_trend_result result;

	(void)state;
	assert_true(lasts(grows, 960, &result));
	check_near(result.whole.slope, 10, 0.1);
	check_near(result.level, 120.5, 0.5);
	assert_true(result.monotone > 0.5);
	assert_true(lasts(grows, 161280, &result));
	check_near(result.whole.slope, 40.0 / 672, 0.001);
	assert_true(lasts(grows, 20, &result));
}

static void
test_no_leak(void **state)
{
	struct pmon_trend_result result;

	(void)state;
	assert_false(lasts(stays, 960, &result));
	assert_false(lasts(starts, 960, &result));
	assert_false(lasts(steps, 960, &result));
	assert_false(lasts(returns, 960, &result));
	assert_false(lasts(ends, 960, &result));
	assert_false(lasts(grows, 9, &result));
}

// 121 values: 120 points are merged into 60, the last value begins a point of its own. The points of a
// straight line lie on it.
static void
test_merging(void **state)
{
	struct pmon_trend trend = {.n = 0};

	(void)state;
	for (int i = 0; i <= 120; i++)
		assert_true(pmon_trend_add(&trend, NULL, i * HOUR, 5 * i));
	assert_int_equal(trend.n, 61);
	T_EQ_DBL(trend.points[0].time, 0.5);
	T_EQ_DBL(trend.points[0].value, 2.5);
	T_EQ_DBL(trend.points[59].time, 118.5);
	T_EQ_DBL(trend.points[60].value, 600);
	assert_true(pmon_trend_add(&trend, NULL, 121 * HOUR, 605));
	assert_int_equal(trend.n, 61);
	T_EQ_DBL(trend.points[60].time, 120.5);
	T_EQ_DBL(trend.points[60].value, 602.5);
	T_EQ_DBL(trend.first, 0);
	T_EQ_DBL(trend.last, 605);
	T_EQ_U64(trend.rises, 121);
	T_EQ_U64(trend.falls, 0);
	pmon_trend_free(&trend, NULL);
}

// The largest numbers: neither a mean nor a sum of them overflows.
static void
test_large(void **state)
{
	struct pmon_trend trend = {.n = 0};
	struct pmon_trend_result result;

	(void)state;
	for (int i = 0; i < 300; i++)
		assert_true(pmon_trend_add(&trend, NULL, i * HOUR, i % 2 == 0 ? 1e308 : -1e308));
	for (size_t i = 0; i < trend.n; i++)
		assert_true(isfinite(trend.points[i].value));
	assert_int_equal(pmon_trend_result(&trend, NULL, &result), PMON_OK);
	assert_false(pmon_trend_lasts(&trend, &result));
	pmon_trend_free(&trend, NULL);
}

static void
test_no_memory(void **state)
{
	struct t_memory memory = {.fail_at = 1, .fail_rest = true};
	const struct pmon_allocator short_one = t_memory_allocator(&memory);
	const struct pmon_allocator *none = &short_one;
	struct pmon_trend trend = {.n = 0};
	struct pmon_trend_point points[3] = {{0, 1}, {1, 2}, {2, 3}};
	struct pmon_trend_fit fit;

	(void)state;
	assert_false(pmon_trend_add(&trend, none, 0, 1));
	assert_int_equal(pmon_trend_fit(points, 3, none, &fit), PMON_E_NOMEM);
	assert_int_equal(pmon_trend_fit(points, SIZE_MAX, none, &fit), PMON_E_NOMEM);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gilbert),    cmocka_unit_test(test_hollander),
		cmocka_unit_test(test_ties),       cmocka_unit_test(test_outlier),
		cmocka_unit_test(test_few_points), cmocka_unit_test(test_random),
		cmocka_unit_test(test_growth),     cmocka_unit_test(test_no_leak),
		cmocka_unit_test(test_merging),    cmocka_unit_test(test_large),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
