// test_core_runs.c - runs, columns and vectors compute what each raw value alone does
// SPDX-License-Identifier: MIT

#include <math.h>

#include <pmon/counter.h>

#include "core/columns.h"
#include "core/run.h"
#include "events.h"
#include "same_stats.h"
#include "t.h"

// ---- Runs --------------------------------------------------------------------------------------

// As t_play(), with everything that is plain through a run. Returns how much of it was.
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
				calc.options =
					(struct pmon_calc_options){.policy = calc.options.policy};
			t_play(&plain, &calc, events, n);
			n_plain += play_in_runs(&runs, &calc, events, n);
			t_same_stats(&runs, &plain);
		}
	}
	assert_true(n_plain > 50000); // there were some
}

// Counts whose sum leaves 64 bits at either end.
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
	default:
		if (i % 4 == 0) // just below what the sums of 1 and less are for
			return i % 8 == 0 ? 127 + number : -127 - number;
		return ldexp(i % 3 == 0 ? number : number - 0.5, (int)(i * 4) - 80);
	}
}

// ---- Columns -----------------------------------------------------------------------------------

#define COLUMNS 37 // of which five are left when eight are taken together

static struct pmon_raw
double_raw(double number, pmon_time time)
{
	return (struct pmon_raw){.time = time, .first = t_double_bits(number)};
}

// As many samples in columns as may be, and each number as if it stood alone.
static void
play_columns(struct t_rand *r, size_t n_samples,
	     bool (*add)(struct pmon_columns *, const double *, pmon_time), size_t *n_refused,
	     size_t *n_taken)
{
	static char memory[PMON_COLUMNS_SIZE(COLUMNS)];
	struct pmon_counter counter = {.type = PMON_PERF_DOUBLE_RAW, .size_bytes = 8};
	struct pmon_stats plain[COLUMNS];
	struct pmon_stats stats[COLUMNS];
	struct pmon_columns columns = {.n = 0};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, NULL);
	for (size_t i = 0; i < COLUMNS; i++) {
		pmon_stats_init(&plain[i], &calc);
		pmon_stats_init(&stats[i], &calc);
	}
	for (size_t k = 0; k < n_samples; k++) {
		double numbers[COLUMNS];

		for (size_t i = 0; i < COLUMNS; i++) {
			struct pmon_raw raw;

			numbers[i] = k == 0 ? 1 : column_number(r, i);
			if (n_samples <= 100 && t_rand_below(r, 2000) == 0)
				numbers[i] = t_rand_below(r, 2) == 0 ? 0x1p79 : NAN;
			raw = double_raw(numbers[i], (int64_t)k);
			(void)pmon_stats_add(&plain[i], &raw);
		}
		if (columns.n > 0 && add(&columns, numbers, (int64_t)k)) {
			++*n_taken;
			continue;
		}
		*n_refused += columns.n > 0;
		pmon_columns_end(&columns);
		for (size_t i = 0; i < COLUMNS; i++) {
			struct pmon_raw raw = double_raw(numbers[i], (int64_t)k);

			(void)pmon_stats_add(&stats[i], &raw);
		}
		pmon_columns_begin(&columns, memory + k % 8, COLUMNS);
		for (size_t i = 0; i < COLUMNS; i++)
			if (!pmon_columns_take(&columns, i, &stats[i]))
				columns.n = 0;
	}
	pmon_columns_end(&columns);
	for (size_t i = 0; i < COLUMNS; i++)
		t_same_stats(&stats[i], &plain[i]);
}

static void
test_columns_equal_single_values(void **state)
{
	struct t_rand r = {.state = 5};
	size_t n_refused = 0;
	size_t n_taken = 0;

	(void)state;
	for (size_t round = 0; round < 60; round++) {
		// Sums are emptied after 1,023 samples.
		size_t n = round % 10 == 0 ? 3000 : 1 + t_rand_below(&r, 100);

		play_columns(&r, n, pmon_columns_add, &n_refused, &n_taken);
		play_columns(&r, n, pmon_columns_add_plain, &n_refused, &n_taken);
	}
	assert_true(n_refused > 10); // there were some
	assert_true(n_taken > 10 * n_refused);
}

// Sums are emptied after 1,023 samples and not before; numbers from 2^60 on are not taken.
static void
test_limits_of_columns(void **state)
{
	static char memory[PMON_COLUMNS_SIZE(1)];
	struct pmon_counter counter = {.type = PMON_PERF_DOUBLE_RAW, .size_bytes = 8};
	const double below = 0x1.fffffffffffffp59;
	const double limit = -0x1p60;
	const double one = 1;
	struct pmon_columns columns;
	struct pmon_stats stats;
	struct pmon_calc calc;
	struct pmon_raw raw = double_raw(1, 0);

	(void)state;
	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &raw);
	pmon_columns_begin(&columns, memory, 1);
	assert_true(pmon_columns_take(&columns, 0, &stats));
	for (uint32_t i = 1; i < 1023; i++) {
		assert_true(pmon_columns_add(&columns, &one, i));
		T_EQ_U64(columns.n_summed, i);
	}
	assert_true(pmon_columns_add(&columns, &one, 1023));
	T_EQ_U64(columns.n_summed, 0);
	T_EQ_U64(columns.n_samples, 1023);
	assert_true(pmon_columns_add(&columns, &below, 1024));
	assert_true(pmon_columns_add_plain(&columns, &below, 1025));
	assert_false(pmon_columns_add(&columns, &limit, 1026));
	assert_false(pmon_columns_add_plain(&columns, &limit, 1026));
	pmon_columns_end(&columns);
}

static void
test_other_series_have_no_columns(void **state)
{
	static char memory[PMON_COLUMNS_SIZE(1)];
	struct pmon_counter counter = {.type = PMON_PERF_COUNTER_RAWCOUNT, .size_bytes = 8};
	struct pmon_columns columns;
	struct pmon_stats stats;
	struct pmon_calc calc;
	struct pmon_raw raw = {.time = 1, .first = 1};

	(void)state;
	pmon_columns_begin(&columns, memory, 1);
	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &raw);
	assert_false(pmon_columns_take(&columns, 0, &stats)); // another formula
	counter.type = PMON_PERF_DOUBLE_RAW;
	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	assert_false(pmon_columns_take(&columns, 0, &stats)); // nothing before
	(void)pmon_stats_add(&stats, &raw);
	assert_true(pmon_columns_take(&columns, 0, &stats));
	pmon_stats_gap(&stats);
	assert_false(pmon_columns_take(&columns, 0, &stats)); // a gap
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs_equal_single_values),
		cmocka_unit_test(test_runs_of_large_counts),
		cmocka_unit_test(test_columns_equal_single_values),
		cmocka_unit_test(test_limits_of_columns),
		cmocka_unit_test(test_other_series_have_no_columns),
	};

	return cmocka_run_group_tests_name("core_runs", tests, NULL, NULL);
}
