// test_core_runs.c - runs, of one or several raw values at a time, compute the same as single raw
// values
// SPDX-License-Identifier: MIT

#include <math.h>

#include <pmon/counter.h>

#include "core/run.h"
#include "events.h"
#include "same_stats.h"
#include "t.h"

// ---- Runs --------------------------------------------------------------------------------------

// Like t_play(), but processes everything plain as runs. Returns how much that was.
static size_t
play_in_runs(struct pmon_stats *stats, const struct pmon_calc *calc, const struct t_event *events,
	     size_t n)
{
	struct pmon_run run;
	size_t n_plain = 0;

	pmon_stats_init(stats, calc);
	pmon_run_begin(&run, stats);
	for (size_t i = 0; i < n; i++) {
		const struct pmon_raw *raw = &events[i].raw;

		if (!events[i].gap && pmon_run_add(&run, stats, raw)) {
			struct pmon_value value = pmon_run_last(&run);
			struct pmon_value after;

			if (i % 5 == 0) // what is asked in between changes nothing
				pmon_run_end(&run, stats);
			after = pmon_run_last(&run);
			assert_memory_equal(&after, &value, sizeof(value));
			n_plain++;
			continue;
		}
		pmon_run_end(&run, stats);
		t_play_one(stats, &events[i]);
		pmon_run_begin(&run, stats);
	}
	pmon_run_end(&run, stats);
	return n_plain;
}

static void
test_runs_equal_single_values(void **state)
{
	struct t_rand r = {.state = 11};
	struct t_event events[T_MAX_EVENTS];
	size_t n_plain = 0;

	(void)state;
	for (size_t t = 0; t < pmon_type_count(); t++) {
		for (int round = 0; round < 1000; round++) {
			struct pmon_calc calc = t_make_calc(&r, pmon_type_at(t)->word);
			size_t n = t_make_events(&r, pmon_type_at(t)->word, events);
			struct pmon_stats plain;
			struct pmon_stats runs;

			if (round % 8 != 0)
				calc.options = (struct pmon_calc_options){
					.size = sizeof(struct pmon_calc_options),
					.policy = calc.options.policy};
			t_play(&plain, &calc, events, n);
			n_plain += play_in_runs(&runs, &calc, events, n);
			t_same_stats(&runs, &plain);
		}
	}
	assert_true(n_plain > 50000); // there were some
}

// Counts whose sum exceeds 64 bits at either end.
static void
test_runs_of_large_counts(void **state)
{
	static const int64_t counts[] = {INT64_MAX, 5,  INT64_MAX - 1, 0,  INT64_MIN + 1, -3,
					 INT64_MIN, -1, INT64_MIN + 2, -2, INT64_MAX,     1};
	struct pmon_counter counter = {.type = PMON_PERF_COUNTER_LARGE_RAWCOUNT};
	struct t_event events[2 * T_LEN(counts)];
	struct pmon_stats plain;
	struct pmon_stats runs;
	struct pmon_calc calc;

	(void)state;
	pmon_calc_init(&calc, &counter, NULL);
	for (size_t start = 0; start < T_LEN(counts); start++) {
		for (size_t i = 0; i < T_LEN(events); i++)
			events[i] = (struct t_event){
				.raw = {.time = (pmon_time)i,
					.first = counts[(start + i) % T_LEN(counts)]}};
		for (size_t n = 1; n <= T_LEN(events); n++) {
			t_play(&plain, &calc, events, n);
			(void)play_in_runs(&runs, &calc, events, n);
			t_same_stats(&runs, &plain);
		}
	}
}

// ---- Numbers -----------------------------------------------------------------------------------

#define COLUMNS 37

// A number of column i. Columns keep to magnitudes of their own, more or less.
static double
column_number(struct t_rand *r, size_t i)
{
	double number = (double)(int64_t)(t_rand_u64(r) >> 12) * 0x1p-52;

	switch (t_rand_below(r, 40)) {
	case 0:
		return t_rand_below(r, 2) == 0 ? 0.0 : -0.0;
	case 1: // any that is plain
		return ldexp(number - 0.5, (int)t_rand_below(r, i % 4 == 0 ? 940 : 1000) - 940);
	case 2:
		return (double)t_rand_below(r, 2);
	case 3: // not plain
		return t_rand_below(r, 40) == 0 ? (i % 2 == 0 ? 0x1p80 : (double)NAN) : number;
	default:
		if (i % 4 == 0)
			return i % 8 == 0 ? 127 + number : -127 - number;
		return ldexp(i % 3 == 0 ? number : number - 0.5, (int)(i * 4) - 80);
	}
}

static struct pmon_raw
double_raw(double number, pmon_time time)
{
	return (struct pmon_raw){.time = time, .first = t_double_bits(number)};
}

// Process the numbers of column i, as many at a time as possible. Returns how many were not
// processed one by one.
static size_t
play_doubles(struct pmon_stats *stats, const double *numbers, const pmon_time *times, size_t n)
{
	struct pmon_run run;
	size_t n_taken = 0;

	pmon_run_begin(&run, stats);
	for (size_t k = 0; k < n; k++) {
		size_t most = n - k < PMON_RUN_DOUBLES ? n - k : PMON_RUN_DOUBLES;
		size_t taken = pmon_run_add_doubles(&run, stats, numbers + k * COLUMNS, COLUMNS,
						    times + k, most);
		struct pmon_raw raw;

		n_taken += taken;
		k += taken;
		if (k == n)
			break;
		raw = double_raw(numbers[k * COLUMNS], times[k]);
		if (pmon_run_add(&run, stats, &raw))
			continue;
		pmon_run_end(&run, stats);
		(void)pmon_stats_add(stats, &raw);
		pmon_run_begin(&run, stats);
	}
	pmon_run_end(&run, stats);
	return n_taken;
}

static void
test_several_numbers_equal_single_ones(void **state)
{
	static double numbers[3000 * COLUMNS];
	static pmon_time times[3000];
	struct pmon_counter counter = {.type = PMON_PERF_DOUBLE_RAW, .size_bytes = 8};
	struct t_rand r = {.state = 5};
	struct pmon_calc calc;
	size_t n_taken = 0;

	(void)state;
	pmon_calc_init(&calc, &counter, NULL);
	for (size_t round = 0; round < 60; round++) {
		size_t n = round % 10 == 0 ? 3000 : 1 + t_rand_below(&r, 100);

		for (size_t k = 0; k < n; k++)
			times[k] = (pmon_time)k;
		for (size_t k = 0; k < n * COLUMNS; k++)
			numbers[k] = column_number(&r, k % COLUMNS);
		for (size_t i = 0; i < COLUMNS; i++) {
			struct pmon_stats plain;
			struct pmon_stats stats;

			pmon_stats_init(&plain, &calc);
			pmon_stats_init(&stats, &calc);
			for (size_t k = 0; k < n; k++) {
				struct pmon_raw raw =
					double_raw(numbers[k * COLUMNS + i], times[k]);

				(void)pmon_stats_add(&plain, &raw);
			}
			n_taken += play_doubles(&stats, numbers + i, times, n);
			t_same_stats(&stats, &plain);
		}
	}
	assert_true(n_taken > 300000); // of 800,000
}

// Numbers below 2^69 may be combined: their sums are exact to the last bit. Not combined are 2^69,
// a number of another formula, the first number, and the one after a gap.
static void
test_limits_of_several_numbers(void **state)
{
	struct pmon_counter counter = {.type = PMON_PERF_DOUBLE_RAW, .size_bytes = 8};
	double numbers[PMON_RUN_DOUBLES];
	pmon_time times[PMON_RUN_DOUBLES] = {0};
	struct pmon_raw raw = double_raw(0x1.fffffffffffffp68, 0);
	struct pmon_stats stats;
	struct pmon_calc calc;
	struct pmon_run run;

	(void)state;
	for (size_t k = 0; k < PMON_RUN_DOUBLES; k++)
		numbers[k] = 0x1.fffffffffffffp68;
	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	pmon_run_begin(&run, &stats);
	T_EQ_U64(pmon_run_add_doubles(&run, &stats, numbers, 1, times, 1), 0);
	(void)pmon_stats_add(&stats, &raw);
	pmon_run_begin(&run, &stats);
	T_EQ_U64(pmon_run_add_doubles(&run, &stats, numbers, 1, times, PMON_RUN_DOUBLES),
		 PMON_RUN_DOUBLES);
	pmon_run_end(&run, &stats);
	// For equal numbers, the only rounding is that of the product.
	T_EQ_DBL(pmon_sum_value(&stats.numerator, PMON_SUM_FRACTION),
		 0x1.fffffffffffffp68 * (PMON_RUN_DOUBLES + 1));
	pmon_stats_gap(&stats);
	pmon_run_begin(&run, &stats);
	T_EQ_U64(pmon_run_add_doubles(&run, &stats, numbers, 1, times, 1), 0);
	raw = double_raw(0x1p69, 0);
	(void)pmon_stats_add(&stats, &raw);
	pmon_run_begin(&run, &stats);
	T_EQ_U64(pmon_run_add_doubles(&run, &stats, numbers, 1, times, 1), 0);
	counter.type = PMON_PERF_COUNTER_LARGE_RAWCOUNT;
	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &raw);
	pmon_run_begin(&run, &stats);
	T_EQ_U64(pmon_run_add_doubles(&run, &stats, numbers, 1, times, 1), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs_equal_single_values),
		cmocka_unit_test(test_runs_of_large_counts),
		cmocka_unit_test(test_several_numbers_equal_single_ones),
		cmocka_unit_test(test_limits_of_several_numbers),
	};

	return cmocka_run_group_tests_name("core_runs", tests, NULL, NULL);
}
