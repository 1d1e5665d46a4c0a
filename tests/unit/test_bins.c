// test_bins.c - the course of a series in bounded memory
// SPDX-License-Identifier: MIT
//
// The expected results are computed from the whole series.

#include "t.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/bins.h"

#define MOST 60000

static double values[MOST]; // NaN: none

static double
noise(uint64_t *state)
{
	double sum = -6;

	for (int i = 0; i < 12; i++) {
		*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		sum += (double)(*state >> 11) / 9007199254740992.0;
	}
	return sum;
}

static void
fill(struct bins *bins, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!isnan(values[i]))
			assert_true(bins_add(bins, i, values[i]));
	assert_true(bins_end(bins));
}

static double
true_mean(uint32_t from, uint32_t to)
{
	double sum = 0;
	double n = 0;

	for (uint32_t i = from; i < to; i++)
		if (!isnan(values[i])) {
			sum += values[i];
			n++;
		}
	return sum / n;
}

static bool
begins(const struct bins *bins, uint32_t sample)
{
	uint32_t at = bins->from;

	for (uint32_t i = 0; i < bins->n; at += bins->list[i++].n)
		if (at == sample)
			return true;
	return false;
}

// The edges of a pulse stay in place, however long the log and wherever the pulse is; so does a
// single extreme sample.
static void
test_edges_keep_their_place(void **state)
{
	static const uint32_t lengths[] = {8, 100, 144, 145, 1000, 5760, MOST};
	(void)state;

	for (size_t l = 0; l < T_LEN(lengths); l++)
		for (uint64_t seed = 1; seed <= 5; seed++) {
			struct bins bins = {.n = 0};
			uint32_t n = lengths[l];
			uint32_t from = (uint32_t)(seed * n / 7);
			uint32_t to = from + (n / 10 > 3 ? n / 10 : 3);
			uint64_t random = seed;

			for (uint32_t i = 0; i < n; i++)
				values[i] = 100 + noise(&random) + (i >= from && i < to ? 30 : 0);
			values[n - 1] = 1000;
			fill(&bins, n);
			assert_true(bins.n <= BINS_MOST && bins.n_picks <= BINS_PICKS);
			assert_int_equal(bins.next - bins.from, n);
			assert_true(begins(&bins, from));
			assert_true(to >= n || begins(&bins, to));
			assert_true(begins(&bins, n - 1));
			assert_true(fabs(bins_mean(&bins, 0, n) - true_mean(0, n)) < 0.01);
			assert_true(fabs(bins_mean(&bins, from, to) - true_mean(from, to)) < 0.01);
			bins_free(&bins);
		}
}

// Samples without a value have no part in a mean.
static void
test_missing_values(void **state)
{
	struct bins bins = {.n = 0};
	uint64_t random = 7;
	(void)state;

	for (uint32_t i = 0; i < 5000; i++)
		values[i] = i >= 100 && i < 400 ? NAN : i < 100 ? 5 + noise(&random) : 50;
	fill(&bins, 5000);
	assert_true(isnan(bins_mean(&bins, 150, 350)));
	assert_true(fabs(bins_mean(&bins, 0, 400) - true_mean(0, 100)) < 0.01);
	assert_true(fabs(bins_mean(&bins, 0, 5000) - true_mean(0, 5000)) < 0.01);
	bins_free(&bins);
	// Every second value is missing: bins must not run out.
	bins = (struct bins){.n = 0};
	for (uint32_t i = 0; i < 5000; i++)
		values[i] = i % 2 != 0 ? NAN : 10 + noise(&random);
	fill(&bins, 5000);
	assert_true(bins.n <= BINS_MOST);
	assert_true(fabs(bins_mean(&bins, 0, 5000) - 10) < 0.2);
	bins_free(&bins);
	// When they come in each sample again, a pulse keeps its edges.
	bins = (struct bins){.n = 0};
	for (uint32_t i = 0; i < 5000; i++)
		values[i] = i < 2000 && i % 2 != 0  ? NAN
			    : i >= 3000 && i < 3100 ? 50
						    : 10 + noise(&random);
	fill(&bins, 5000);
	assert_true(begins(&bins, 3000) && begins(&bins, 3100));
	bins_free(&bins);
}

// Normal noise with standard deviation 1, from at least 48 samples: five standard errors are
// allowed.
static void
test_usual_level(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct bins bins = {.n = 0};
		uint64_t random = seed * 77;
		struct bins_usual usual;

		for (uint32_t i = 0; i < 3000; i++)
			values[i] =
				i % 240 < 16 ? 500 : 40 + noise(&random); // at a regular distance
		fill(&bins, 3000);
		usual = bins_usual(&bins);
		assert_true(fabs(usual.median - 40) < 5 * 1.26 / sqrt(48));
		assert_true(usual.spread > 0.4 && usual.spread < 2);
		bins_free(&bins);
	}
}

static void
test_constant(void **state)
{
	struct bins bins = {.n = 0};
	(void)state;

	for (uint32_t i = 0; i < 3000; i++)
		values[i] = 0;
	fill(&bins, 3000);
	assert_int_equal(bins.n, 1);
	assert_true(bins_usual(&bins).spread == 0);
	bins_free(&bins);
	bins = (struct bins){.n = 0};
	assert_true(isnan(bins_usual(&bins).median));
	assert_true(isnan(bins_mean(&bins, 0, 10)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edges_keep_their_place),
		cmocka_unit_test(test_missing_values),
		cmocka_unit_test(test_usual_level),
		cmocka_unit_test(test_constant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
