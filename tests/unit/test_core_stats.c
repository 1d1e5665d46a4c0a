// test_core_stats.c - averages, extremes and counts of a series
// SPDX-License-Identifier: MIT

#include <float.h>
#include <math.h>

#include <pmon/counter.h>

#include "t.h"

__extension__ typedef unsigned __int128 u128;

static struct pmon_calc
calc_of(uint32_t type, int64_t time_base, const struct pmon_calc_options *options)
{
	struct pmon_counter counter = {.type = type, .time_base = time_base};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, options);
	return calc;
}

static struct pmon_stats
stats_of(uint32_t type, int64_t time_base)
{
	struct pmon_calc calc = calc_of(type, time_base, NULL);
	struct pmon_stats stats;

	pmon_stats_init(&stats, &calc);
	return stats;
}

// Samples are one unit of time apart, from 1.
static struct pmon_value
add(struct pmon_stats *stats, int64_t first, int64_t second)
{
	struct pmon_raw raw = {.first = first,
			       .second = second,
			       .multi = 2,
			       .time = (pmon_time)pmon_stats_samples(stats) + 1};

	return pmon_stats_add(stats, &raw);
}

static void
add_bad(struct pmon_stats *stats, uint32_t status)
{
	struct pmon_raw raw = {.status = status,
			       .first = 999,
			       .second = 999,
			       .time = (pmon_time)pmon_stats_samples(stats) + 1};

	T_EQ_I64(pmon_stats_add(stats, &raw).status, PMON_V_BAD_RAW);
}

static void
check_average(const struct pmon_stats *stats, double want, enum pmon_vstat status,
	      const char *label)
{
	struct pmon_value got = pmon_stats_average(stats);

	T_EQ_STR_AT(pmon_vstat_name(got.status), pmon_vstat_name(status), label);
	T_EQ_DBL_AT(got.value, want, label);
}

// ---- Stated examples ---------------------------------------------------------------------------

// One read of 150 ms in ten intervals. The right average is 0.15 s; the mean of the ten displayed
// values, 0.015 s, is what Performance Monitor gave before KB2877211. NT Debugging blog.
static void
test_one_read_in_ten_intervals(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_AVERAGE_TIMER, 14318180);

	(void)state;
	T_EQ_I64(add(&stats, 0, 0).status, PMON_V_FIRST);
	T_EQ_DBL(add(&stats, 2147727, 1).value, 0.15);
	for (int i = 0; i < 9; i++)
		T_EQ_I64(add(&stats, 2147727, 1).status, PMON_V_BASE_ZERO);
	check_average(&stats, 0.15, PMON_V_OK, "");
	T_EQ_DBL(stats.minimum.value, 0);
	T_EQ_DBL(stats.maximum.value, 0.15);
	T_EQ_DBL(stats.last.value, 0);
	T_EQ_I64(stats.minimum_time, 3); // the earliest of the nine zeros
	T_EQ_I64(stats.maximum_time, 2);
	T_EQ_U64(pmon_stats_samples(&stats), 11);
	T_EQ_U64(pmon_stats_invalid(&stats), 0);
}

// The average function of each formula over N = 10, 40, 50, 130; D or B = 100, 300, 450, 1000; two
// units in the newest sample; F = 50. "Calculations for Raw Counter Data". Python,
// fractions.Fraction: n = 130 - 10, d = 1000 - 100; count sum(N) / 4; delta n / 3; rate n / (d /
// 50); ratio n / d; percent 100 * n / d; inverse 100 * (1 - n / d); multi 100 * n / d / 2; multi
// inverse 100 * (2 - n / d); average time n / 50 / d; elapsed (1000 - 130) / 50; fraction sum(100 *
// N / B) / 4.
static double
average_of_formula(enum pmon_formula formula)
{
	switch (formula) {
	case PMON_FORMULA_COUNT:
		return 57.5;
	case PMON_FORMULA_FRACTION:
		return 11.86111111111111;
	case PMON_FORMULA_ELAPSED:
		return 17.4;
	case PMON_FORMULA_DELTA:
		return 40;
	case PMON_FORMULA_RATE:
		return 6.666666666666667;
	case PMON_FORMULA_RATIO:
		return 0.13333333333333333;
	case PMON_FORMULA_PERCENT:
		return 13.333333333333334;
	case PMON_FORMULA_PERCENT_INV:
		return 86.66666666666667;
	case PMON_FORMULA_MULTI:
		return 6.666666666666667;
	case PMON_FORMULA_MULTI_INV:
		return 186.66666666666666;
	case PMON_FORMULA_AVERAGE_TIME:
		return 0.0026666666666666666;
	default:
		fail_msg("formula %d", (int)formula);
		return 0;
	}
}

static void
test_average_of_every_type(void **state)
{
	static const int64_t first[] = {10, 40, 50, 130};
	static const int64_t second[] = {100, 300, 450, 1000};

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);
		struct pmon_stats stats = stats_of(type->word, 50);
		double want;
		double got;

		if (type->formula == PMON_FORMULA_NONE || type->formula == PMON_FORMULA_DOUBLE)
			continue;
		want = average_of_formula(type->formula);
		for (size_t k = 0; k < T_LEN(first); k++) {
			struct pmon_raw raw = {
				.first = first[k], .second = second[k], .multi = k == 3 ? 2 : 7};

			(void)pmon_stats_add(&stats, &raw);
		}
		got = pmon_stats_average(&stats).value;
		T_EQ_I64_AT(pmon_stats_average(&stats).status, PMON_V_OK, type->name);
		if (!(fabs(got - want) <= want * 2 * DBL_EPSILON))
			T_EQ_DBL_AT(got, want, type->name);
	}
}

static void
test_average_of_doubles(void **state)
{
	static const double numbers[] = {1e16, 1, -1e16, 1}; // (1e16 + 1 - 1e16 + 1) / 4
	struct pmon_stats stats = stats_of(PMON_PERF_DOUBLE_RAW, 0);

	(void)state;
	for (size_t i = 0; i < T_LEN(numbers); i++) {
		struct pmon_raw raw = {0};

		memcpy(&raw.first, &numbers[i], sizeof(raw.first));
		(void)pmon_stats_add(&stats, &raw);
	}
	check_average(&stats, 0.5, PMON_V_OK, "");
	T_EQ_DBL(stats.minimum.value, -1e16);
	T_EQ_DBL(stats.maximum.value, 1e16);
}

// ---- Pairs that are missing or bad -------------------------------------------------------------

// Good pairs: 10 in 10 s, 5 -> 25 in 10 s. (10 + 20) / (10 + 10) = 1.5; the end points would give
// (25 - 10) / 30 = 0.5. docs/counters.md, "Which raw values make a pair".
static void
test_reset_costs_its_own_pair(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_BULK_COUNT, 1);

	(void)state;
	add(&stats, 10, 0);
	T_EQ_DBL(add(&stats, 20, 10).value, 1);
	T_EQ_I64(add(&stats, 5, 20).status, PMON_V_COUNTER_BACK);
	T_EQ_I64(stats.last.status, PMON_V_COUNTER_BACK); // the last entry in the data
	T_EQ_DBL(add(&stats, 25, 30).value, 2);
	check_average(&stats, 1.5, PMON_V_OK, "");
	T_EQ_U64(pmon_stats_invalid(&stats), 1);
	T_EQ_U64(pmon_stats_samples(&stats), 4);
	T_EQ_U64(stats.count[PMON_V_FIRST], 1);
	T_EQ_U64(stats.count[PMON_V_COUNTER_BACK], 1);
	T_EQ_U64(stats.count[PMON_V_OK], 2);
	T_EQ_DBL(stats.minimum.value, 1);
	T_EQ_DBL(stats.maximum.value, 2);
}

// A clamped pair is a displayed 0 that is in no sum.
static void
test_clamped_reset(void **state)
{
	const struct pmon_calc_options clamp = {.policy = PMON_POLICY_CLAMP};
	struct pmon_calc calc = calc_of(PMON_PERF_COUNTER_BULK_COUNT, 1, &clamp);
	struct pmon_stats stats;

	(void)state;
	pmon_stats_init(&stats, &calc);
	add(&stats, 10, 0);
	add(&stats, 20, 10);
	T_EQ_I64(add(&stats, 5, 20).status, PMON_V_CLAMPED);
	add(&stats, 25, 30);
	check_average(&stats, 1.5, PMON_V_OK, "");
	T_EQ_DBL(stats.minimum.value, 0);
	T_EQ_I64(stats.minimum.status, PMON_V_CLAMPED);
	T_EQ_I64(stats.minimum.policy, PMON_POLICY_CLAMP);
	T_EQ_U64(pmon_stats_invalid(&stats), 0);
}

// The pair spans a bad raw value: 100 -> 160 in 20 s. PdhComputeCounterStatistics skips such
// entries.
static void
test_bad_raw_is_passed_over(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_BULK_COUNT, 1);

	(void)state;
	add_bad(&stats, PMON_RAW_NO_INSTANCE);
	T_EQ_I64(add(&stats, 100, 10).status, PMON_V_FIRST);
	add_bad(&stats, PMON_RAW_INVALID);
	T_EQ_DBL(add(&stats, 160, 30).value, 3);
	add_bad(&stats, 2);
	check_average(&stats, 3, PMON_V_OK, "");
	T_EQ_U64(pmon_stats_invalid(&stats), 3);
	T_EQ_U64(pmon_stats_samples(&stats), 5);
	T_EQ_U64(stats.count[PMON_V_BAD_RAW], 3);
	T_EQ_I64(stats.first_raw_time, 1);
	T_EQ_I64(stats.last_raw_time, 5);
}

// 10 in 10 s, away, 90 in 10 s: (10 + 90) / 20 = 5, not (190 - 0) / 40.
static void
test_gap_starts_anew(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_BULK_COUNT, 1);

	(void)state;
	pmon_stats_gap(&stats);
	T_EQ_I64(add(&stats, 0, 0).status, PMON_V_FIRST);
	T_EQ_DBL(add(&stats, 10, 10).value, 1);
	pmon_stats_gap(&stats);
	T_EQ_I64(add(&stats, 100, 30).status, PMON_V_FIRST);
	T_EQ_DBL(add(&stats, 190, 40).value, 9);
	pmon_stats_gap(&stats);
	pmon_stats_gap(&stats);
	check_average(&stats, 5, PMON_V_OK, "");
	T_EQ_U64(pmon_stats_invalid(&stats), 0); // a first sample is none
	T_EQ_U64(stats.count[PMON_V_FIRST], 2);
	T_EQ_U64(pmon_stats_samples(&stats), 4);
}

// A gap means nothing to types of one sample.
// The value before a window makes its first pair, and is not of the window: 40 in 2 ticks are 20 a tick.
// Put behind the window before, which has 10 in 1, that pair is there once: 50 in 3 ticks.
static void
test_lead_makes_the_first_pair(void **state)
{
	struct pmon_stats before = stats_of(PMON_PERF_COUNTER_COUNTER, 1);
	struct pmon_stats window = stats_of(PMON_PERF_COUNTER_COUNTER, 1);
	const struct pmon_raw lead = {.first = 10, .second = 1, .time = 2};
	const struct pmon_raw bad = {.status = PMON_RAW_INVALID, .first = 5, .time = 2};

	(void)state;
	(void)add(&before, 0, 0);
	(void)add(&before, 10, 1);
	pmon_stats_lead(&window, &lead);
	pmon_stats_lead(&window, &bad); // leads to nothing
	T_EQ_U64(pmon_stats_samples(&window), 0);
	T_EQ_DBL(add(&window, 50, 3).value, 20);
	T_EQ_U64(window.count[PMON_V_FIRST], 0);
	T_EQ_U64(window.pairs, 1);
	check_average(&window, 20, PMON_V_OK, "the window");
	assert_int_equal(pmon_stats_merge(&before, &window), PMON_OK);
	T_EQ_U64(before.pairs, 2);
	check_average(&before, 50 / 3.0, PMON_V_OK, "both");
}

static void
test_gap_between_counts(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_RAWCOUNT, 0);

	(void)state;
	add(&stats, 10, 0);
	pmon_stats_gap(&stats);
	T_EQ_DBL(add(&stats, 20, 0).value, 20);
	check_average(&stats, 15, PMON_V_OK, "");
	T_EQ_U64(stats.count[PMON_V_FIRST], 0);
}

// The differences of a pair with a refused value are good, so they are in the sums: idle 12 of 10
// is below zero, then 4 of 10; together 16 of 20 idle, 100 * (1 - 16 / 20) = 20 %. In binary 1 -
// 0.8 is 0.19999999999999996: Python, 100 * (1 - 16 / 20).
static void
test_sums_take_refused_values(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_100NSEC_TIMER_INV, 0);

	(void)state;
	add(&stats, 0, 0);
	T_EQ_I64(add(&stats, 12, 10).status, PMON_V_BELOW_ZERO);
	T_EQ_DBL(add(&stats, 16, 20).value, 60);
	check_average(&stats, 19.999999999999996, PMON_V_OK, "below_zero");
	T_EQ_U64(pmon_stats_invalid(&stats), 1);

	// No time between the second and the third: 8 in 10 s all the same.
	stats = stats_of(PMON_PERF_COUNTER_BULK_COUNT, 1);
	add(&stats, 0, 0);
	add(&stats, 3, 5);
	T_EQ_I64(add(&stats, 4, 5).status, PMON_V_NO_DATA);
	add(&stats, 8, 10);
	check_average(&stats, 0.8, PMON_V_OK, "no_data");
	T_EQ_U64(pmon_stats_invalid(&stats), 1);
}

// KB177655: a counter that passed 2^32. (0x140 + 0x40) / 2 = 0xC0.
static void
test_wraps_are_counted_through(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_COUNTER, 1);

	(void)state;
	add(&stats, 0xFFFFFF80, 0);
	add(&stats, 0xC0, 1);
	add(&stats, 0x100, 2);
	check_average(&stats, 0xC0, PMON_V_WRAPPED, "");
	T_EQ_U64(pmon_stats_invalid(&stats), 0);
	T_EQ_I64(stats.last.status, PMON_V_OK);
}

// 4 seconds after its start at 10, then a restart "in the future": the newest value stays. The
// state keeps the raw value that it is from.
static void
test_elapsed_average_is_the_newest(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_ELAPSED_TIME, 10);

	(void)state;
	add(&stats, 10, 30);
	check_average(&stats, 2, PMON_V_OK, "");
	add(&stats, 10, 50);
	check_average(&stats, 4, PMON_V_OK, "");
	T_EQ_I64(add(&stats, 61, 60).status, PMON_V_BELOW_ZERO);
	check_average(&stats, 4, PMON_V_OK, "");
	T_EQ_I64(stats.tail.second, 50);
	add(&stats, 61, 71);
	check_average(&stats, 1, PMON_V_OK, "after a restart");
	T_EQ_DBL(stats.minimum.value, 1);
	T_EQ_DBL(stats.maximum.value, 4);
}

static void
test_unknown_times_are_passed_over(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_RAWCOUNT, 0);
	static const pmon_time times[] = {PMON_TIME_NONE, 5, PMON_TIME_NONE, 8, PMON_TIME_NONE};

	(void)state;
	for (size_t i = 0; i < T_LEN(times); i++)
		(void)pmon_stats_add(&stats, &(struct pmon_raw){.time = times[i]});
	T_EQ_I64(stats.first_raw_time, 5);
	T_EQ_I64(stats.last_raw_time, 8);
}

// ---- No average --------------------------------------------------------------------------------

static void
test_reasons_for_no_average(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_BULK_COUNT, 1);

	(void)state;
	check_average(&stats, 0, PMON_V_NO_DATA, "empty");
	T_EQ_I64(stats.last.status, PMON_V_NO_DATA);
	T_EQ_I64(stats.minimum.status, PMON_V_NO_DATA);
	T_EQ_I64(stats.maximum.status, PMON_V_NO_DATA);
	T_EQ_I64(stats.minimum_time, PMON_TIME_NONE);
	T_EQ_I64(stats.first_raw_time, PMON_TIME_NONE);
	T_EQ_U64(pmon_stats_samples(&stats), 0);
	add(&stats, 9, 9);
	check_average(&stats, 0, PMON_V_FIRST, "one sample");
	add_bad(&stats, PMON_RAW_NO_INSTANCE);
	add_bad(&stats, PMON_RAW_NO_INSTANCE);
	check_average(&stats, 0, PMON_V_BAD_RAW, "mostly bad");

	stats = stats_of(PMON_PERF_COUNTER_BULK_COUNT, 0);
	add(&stats, 1, 1);
	add(&stats, 2, 2);
	add(&stats, 3, 3);
	check_average(&stats, 0, PMON_V_BAD_TIME_BASE, "time base");
	T_EQ_U64(pmon_stats_invalid(&stats), 2);

	stats = stats_of(0x12345678, 1);
	T_EQ_I64(add(&stats, 1, 1).status, PMON_V_UNKNOWN_TYPE);
	check_average(&stats, 0, PMON_V_UNKNOWN_TYPE, "unknown type");

	stats = stats_of(PMON_PERF_AVERAGE_BASE, 1);
	T_EQ_I64(add(&stats, 1, 1).status, PMON_V_NOT_DISPLAYED);
	check_average(&stats, 0, PMON_V_NOT_DISPLAYED, "base");

	stats = stats_of(PMON_PERF_COUNTER_BULK_COUNT, 1); // no time passed over all
	add(&stats, 1, 1);
	add(&stats, 2, 1);
	check_average(&stats, 0, PMON_V_NO_DATA, "no time");
	stats = stats_of(PMON_PERF_AVERAGE_BULK, 0); // no operations over all
	add(&stats, 1, 1);
	add(&stats, 1, 1);
	check_average(&stats, 0, PMON_V_BASE_ZERO, "no operations");
}

// Options apply to the average, not to what it is made of: 150 % and 50 % are 100 %, not 75 %.
static void
test_options_apply_once(void **state)
{
	const struct pmon_calc_options options = {.cap_100 = true, .times_1000 = true};
	struct pmon_calc calc = calc_of(PMON_PERF_100NSEC_TIMER, 0, &options);
	struct pmon_stats stats;

	(void)state;
	pmon_stats_init(&stats, &calc);
	add(&stats, 0, 0);
	T_EQ_DBL(add(&stats, 150, 100).value, 100000);
	T_EQ_DBL(add(&stats, 200, 200).value, 50000);
	check_average(&stats, 100000, PMON_V_OK, "timer");
	calc = calc_of(PMON_PERF_RAW_FRACTION, 0, &options);
	pmon_stats_init(&stats, &calc);
	add(&stats, 150, 100);
	add(&stats, 50, 100);
	check_average(&stats, 100000, PMON_V_OK, "fraction");
	add(&stats, 1, 0); // a base of 0 is a valid 0: (150 + 50 + 0) / 3
	T_EQ_I64(stats.last.status, PMON_V_BASE_ZERO);
	check_average(&stats, 200.0 / 3 * 1000, PMON_V_OK, "fraction of nothing");
}

// ---- Properties --------------------------------------------------------------------------------

// Raw values that only go forward, with pauses.
static void
step(struct t_rand *r, struct pmon_raw *raw)
{
	raw->first += (int64_t)(t_rand_u64(r) >> (16 + t_rand_below(r, 40)));
	raw->second += 1 + (int64_t)(t_rand_u64(r) >> (16 + t_rand_below(r, 40)));
	raw->multi = 1 + (uint32_t)t_rand_below(r, 9);
}

// The average over [a, c] is the value of the pair (a, c), bit for bit, when no pair is bad: that
// is what the average functions say.
static void
test_average_is_that_of_the_end_points(void **state)
{
	struct t_rand r = {.state = 11};

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		struct pmon_counter counter = {
			.type = pmon_type_at(i)->word, .time_base = 14318180, .size_bytes = 8};
		struct pmon_calc calc;

		pmon_calc_init(&calc, &counter, NULL);
		if (!pmon_calc_needs_two(&calc))
			continue;
		for (int round = 0; round < 300; round++) {
			struct pmon_raw first = {.first = (int64_t)(t_rand_u64(&r) >> 4),
						 .second = (int64_t)(t_rand_u64(&r) >> 4)};
			struct pmon_raw raw = first;
			size_t n = 1 + t_rand_below(&r, 30);
			struct pmon_stats stats;
			struct pmon_value want;

			pmon_stats_init(&stats, &calc);
			(void)pmon_stats_add(&stats, &raw);
			for (size_t k = 0; k < n; k++) {
				step(&r, &raw);
				(void)pmon_stats_add(&stats, &raw);
			}
			want = pmon_calc_value(&calc, &first, &raw);
			if (pmon_type_at(i)->formula == PMON_FORMULA_DELTA)
				want.value /= (double)n;
			check_average(&stats, want.value, want.status, pmon_type_at(i)->name);
		}
	}
}

static void
check_complement(uint32_t plain_type, uint32_t inverse_type, double units,
		 const struct pmon_raw *older, const struct pmon_raw *newer)
{
	struct pmon_calc plain = calc_of(plain_type, 0, NULL);
	struct pmon_calc inverse = calc_of(inverse_type, 0, NULL);
	struct pmon_value a = pmon_calc_value(&plain, older, newer);
	struct pmon_value b = pmon_calc_value(&inverse, older, newer);

	T_EQ_I64(a.status, PMON_V_OK);
	T_EQ_I64(b.status, PMON_V_OK);
	assert_true(fabs(units * a.value + b.value - 100 * units) <= 100 * units * 4 * DBL_EPSILON);
}

// Inverse and plain are 100 %; for B units, B times the plain share and the inverse are B * 100 %.
static void
test_inverse_is_the_rest(void **state)
{
	struct t_rand r = {.state = 12};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct pmon_raw older = {.first = (int64_t)(t_rand_u64(&r) >> 4),
					 .second = (int64_t)(t_rand_u64(&r) >> 4)};
		uint64_t passed = 1 + (t_rand_u64(&r) >> (4 + t_rand_below(&r, 58)));
		struct pmon_raw newer = {.first = older.first +
						  (int64_t)(t_rand_u64(&r) % (passed + 1)),
					 .second = older.second + (int64_t)passed,
					 .multi = 1 + (uint32_t)t_rand_below(&r, 64)};

		check_complement(PMON_PERF_COUNTER_TIMER, PMON_PERF_COUNTER_TIMER_INV, 1, &older,
				 &newer);
		check_complement(PMON_PERF_100NSEC_TIMER, PMON_PERF_100NSEC_TIMER_INV, 1, &older,
				 &newer);
		check_complement(PMON_PERF_COUNTER_MULTI_TIMER, PMON_PERF_COUNTER_MULTI_TIMER_INV,
				 newer.multi, &older, &newer);
		check_complement(PMON_PERF_100NSEC_MULTI_TIMER, PMON_PERF_100NSEC_MULTI_TIMER_INV,
				 newer.multi, &older, &newer);
	}
}

// ---- Against an accumulator of our own, in 128-bit integers ------------------------------------

struct model {
	u128 n;
	u128 d;
	uint64_t pairs;
	uint64_t invalid;
	bool open;
	struct pmon_raw older;
};

// newer - older; false when it went back. Only PERF_COUNTER_COUNTER wraps here.
static bool
model_difference(int64_t newer, int64_t older, bool wraps, u128 *out)
{
	bool narrow = newer >= 0 && older >= 0 && newer >> 32 == 0 && older >> 32 == 0;

	if (newer < older && !(wraps && narrow))
		return false;
	*out = newer >= older ? (u128)newer - (u128)older
			      : (u128)newer + ((u128)1 << 32) - (u128)older;
	*out &= ((u128)1 << 64) - 1;
	// A wrap is believed when it is the shorter way.
	return newer >= older || *out < (u128)1 << 31;
}

static void
model_add(struct model *m, const struct pmon_raw *raw, bool wraps)
{
	u128 n;
	u128 d;

	if (raw->status > 1) {
		m->invalid++;
		return;
	}
	if (m->open) {
		bool good = model_difference(raw->first, m->older.first, wraps, &n) &&
			    model_difference(raw->second, m->older.second, false, &d);

		if (good) {
			m->n += n;
			m->d += d;
			m->pairs++;
		}
		m->invalid += !good || d == 0;
	}
	m->older = *raw;
	m->open = true;
}

static void
check_model(const struct model *m, const struct pmon_stats *stats)
{
	struct pmon_value got = pmon_stats_average(stats);
	long double want;

	T_EQ_U64(stats->pairs, m->pairs);
	T_EQ_U64(pmon_stats_invalid(stats), m->invalid);
	T_EQ_U64(stats->numerator.word[0], (uint64_t)m->n);
	T_EQ_U64(stats->numerator.word[1], (uint64_t)(m->n >> 64));
	T_EQ_U64(stats->denominator.word[0], (uint64_t)m->d);
	T_EQ_U64(stats->denominator.word[1], (uint64_t)(m->d >> 64));
	if (m->pairs == 0 || m->d == 0) {
		assert_false(pmon_vstat_has_value(got.status));
		return;
	}
	assert_true(pmon_vstat_has_value(got.status));
	want = (long double)m->n * 50 / (long double)m->d;
	assert_true(fabsl((long double)got.value - want) <= want * 4 * DBL_EPSILON);
}

static void
test_random_series_against_model(void **state)
{
	struct t_rand r = {.state = 13};

	(void)state;
	for (int round = 0; round < 4000; round++) {
		bool wraps = round % 2 == 0;
		struct pmon_stats stats = stats_of(
			wraps ? PMON_PERF_COUNTER_COUNTER : PMON_PERF_COUNTER_BULK_COUNT, 50);
		struct pmon_raw raw = {.first = INT64_C(0xFFFFFF00), .second = 7};
		struct model m = {0};

		for (int i = 0; i < 40; i++) {
			raw.first += (int64_t)t_rand_below(&r, 100);
			raw.second += (int64_t)t_rand_below(&r, 4);
			raw.status =
				t_rand_below(&r, 10) == 0 ? PMON_RAW_NO_INSTANCE : PMON_RAW_NEW;
			if (t_rand_below(&r, 10) == 0)
				raw.first = (int64_t)(t_rand_u64(&r) >> t_rand_below(&r, 64));
			if (t_rand_below(&r, 20) == 0)
				raw.second = (int64_t)t_rand_u64(&r) >> t_rand_below(&r, 64);
			raw.first &= INT64_MAX >> 1;
			raw.second &= INT64_MAX >> 1;
			if (t_rand_below(&r, 10) == 0) {
				pmon_stats_gap(&stats);
				m.open = false;
			}
			(void)pmon_stats_add(&stats, &raw);
			model_add(&m, &raw, wraps);
		}
		check_model(&m, &stats);
	}
}

// ---- Random bits everywhere --------------------------------------------------------------------

static struct pmon_raw
random_raw(struct t_rand *r)
{
	static const int64_t odd[] = {0, 1, -1, INT64_MIN, INT64_MAX, 0xFFFFFFFF, 0x100000000};
	struct pmon_raw raw = {
		.status = t_rand_below(r, 8) == 0 ? (uint32_t)t_rand_u64(r)
						  : (uint32_t)t_rand_below(r, 2),
		.multi = (uint32_t)(t_rand_u64(r) >> t_rand_below(r, 64)),
		.time = (pmon_time)t_rand_u64(r),
		.first = (int64_t)t_rand_u64(r) >> t_rand_below(r, 64),
		.second = (int64_t)t_rand_u64(r) >> t_rand_below(r, 64),
	};

	if (t_rand_below(r, 4) == 0)
		raw.first = odd[t_rand_below(r, T_LEN(odd))];
	if (t_rand_below(r, 4) == 0)
		raw.second = odd[t_rand_below(r, T_LEN(odd))];
	return raw;
}

static void
check_sane(const struct pmon_value *v, const char *label)
{
	assert_true(isfinite(v->value));
	assert_true((unsigned)v->status < PMON_V_COUNT);
	assert_true((unsigned)v->policy <= PMON_POLICY_CLAMP);
	if (!pmon_vstat_has_value(v->status) || v->status == PMON_V_BASE_ZERO ||
	    v->status == PMON_V_CLAMPED)
		T_EQ_DBL_AT(v->value, 0, label);
}

static void
check_random_series(struct t_rand *r, const struct pmon_counter_type *type, enum pmon_policy policy)
{
	struct pmon_counter counter = {
		.type = type != NULL ? type->word : (uint32_t)t_rand_u64(r),
		.size_bytes = (uint8_t)t_rand_below(r, 10),
		.default_scale = (int32_t)t_rand_u64(r) >> t_rand_below(r, 32),
		.time_base = (int64_t)t_rand_u64(r) >> t_rand_below(r, 64),
	};
	struct pmon_calc_options options = {.policy = policy,
					    .cap_100 = t_rand_below(r, 2) == 0,
					    .default_scale = t_rand_below(r, 2) == 0,
					    .times_1000 = t_rand_below(r, 2) == 0};
	const char *name = type != NULL ? type->name : "random word";
	struct pmon_raw older = random_raw(r);
	struct pmon_stats stats;
	struct pmon_value value;
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, &options);
	pmon_stats_init(&stats, &calc);
	for (int i = 0; i < 12; i++) {
		struct pmon_raw newer = random_raw(r);

		value = pmon_calc_value(&calc, i % 4 == 0 ? NULL : &older, &newer);
		check_sane(&value, name);
		value = pmon_stats_add(&stats, &newer);
		check_sane(&value, name);
		value = pmon_stats_average(&stats);
		check_sane(&value, name);
		older = newer;
	}
	check_sane(&stats.minimum, name);
	check_sane(&stats.maximum, name);
	assert_true(stats.minimum.value <= stats.maximum.value);
	T_EQ_U64(pmon_stats_samples(&stats), 12);
}

static void
test_random_bits(void **state)
{
	struct t_rand r = {.state = 14};

	(void)state;
	for (size_t i = 0; i <= pmon_type_count(); i++) // the last is any word
		for (unsigned policy = 0; policy < 3; policy++)
			for (int round = 0; round < 300; round++)
				check_random_series(&r, pmon_type_at(i), (enum pmon_policy)policy);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_read_in_ten_intervals),
		cmocka_unit_test(test_average_of_every_type),
		cmocka_unit_test(test_average_of_doubles),
		cmocka_unit_test(test_reset_costs_its_own_pair),
		cmocka_unit_test(test_clamped_reset),
		cmocka_unit_test(test_bad_raw_is_passed_over),
		cmocka_unit_test(test_gap_starts_anew),
		cmocka_unit_test(test_lead_makes_the_first_pair),
		cmocka_unit_test(test_gap_between_counts),
		cmocka_unit_test(test_sums_take_refused_values),
		cmocka_unit_test(test_wraps_are_counted_through),
		cmocka_unit_test(test_elapsed_average_is_the_newest),
		cmocka_unit_test(test_unknown_times_are_passed_over),
		cmocka_unit_test(test_reasons_for_no_average),
		cmocka_unit_test(test_options_apply_once),
		cmocka_unit_test(test_average_is_that_of_the_end_points),
		cmocka_unit_test(test_inverse_is_the_rest),
		cmocka_unit_test(test_random_series_against_model),
		cmocka_unit_test(test_random_bits),
	};

	return cmocka_run_group_tests_name("core_stats", tests, NULL, NULL);
}
