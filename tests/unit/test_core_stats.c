// test_core_stats.c - averages, extremes and counts of a series
// SPDX-License-Identifier: MIT

#include <float.h>
#include <math.h>

#include <pmon/counter.h>

#include "t.h"

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

// Samples are one unit of time apart, starting at 1.
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
check_average(const struct pmon_stats *stats, double want, enum pmon_vstat status,
	      const char *label)
{
	struct pmon_value got = pmon_stats_average(stats);

	T_EQ_STR_AT(pmon_vstat_name(got.status), pmon_vstat_name(status), label);
	T_EQ_DBL_AT(got.value, want, label);
}

// ---- What share/vectors does not show ------------------------------------------------------------

// Another process took the name: no difference is computed across the change, in values, in sums,
// or in statistics merged there. By hand: 10 in 10 s and 40 in 20 s are (10 + 40) / 30 per second.
static void
test_another_process(void **state)
{
	const struct pmon_raw changed = {
		.status = PMON_RAW_CHANGED, .time = 3, .first = 500, .second = 30};
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_BULK_COUNT, 1);
	struct pmon_stats next = stats_of(PMON_PERF_COUNTER_BULK_COUNT, 1);

	(void)state;
	T_EQ_I64(add(&stats, 0, 0).status, PMON_V_FIRST);
	T_EQ_DBL(add(&stats, 10, 10).value, 1);
	T_EQ_I64(pmon_calc_value(&stats.calc, &stats.tail, &changed).status, PMON_V_CHANGED);
	T_EQ_I64(pmon_stats_add(&next, &changed).status, PMON_V_CHANGED);
	T_EQ_DBL(add(&next, 540, 50).value, 2);
	T_EQ_U64(pmon_stats_invalid(&next), 0);
	assert_int_equal(pmon_stats_merge(&stats, &next), PMON_OK);
	T_EQ_U64(stats.count[PMON_V_CHANGED], 1);
	T_EQ_U64(stats.count[PMON_V_FIRST], 1);
	check_average(&stats, 50.0 / 30.0, PMON_V_OK, "merged");
}

// A count that was 0 when the process started is not a sample, and the next value begins there.
static void
test_from_the_start_of_a_process(void **state)
{
	const struct pmon_raw started = {
		.status = PMON_RAW_STARTED, .time = 1, .first = 0, .second = 96};
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_BULK_COUNT, 1);

	(void)state;
	pmon_stats_lead(&stats, &started);
	T_EQ_U64(pmon_stats_samples(&stats), 0);
	T_EQ_DBL(add(&stats, 8, 100).value, 2);
	check_average(&stats, 2, PMON_V_OK, "since it started");
}

// The value before a window makes its first pair, but is not part of the window: 40 in 2 ticks are
// 20 per tick. Appended to the preceding window, which has 10 in 1, that pair counts once: 50 in 3
// ticks.
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

// winperf.h: PERF_COUNTER_TEXT has a text. The newest usable raw value, which represents one, is kept.
static void
test_text_keeps_the_newest(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_TEXT, 0);
	struct pmon_stats next = stats;
	const struct pmon_raw bad = {.status = PMON_RAW_INVALID, .first = 3};

	(void)state;
	T_EQ_I64(pmon_stats_add(&stats, &bad).status, PMON_V_NOT_DISPLAYED);
	assert_false(stats.has_tail);
	T_EQ_I64(add(&stats, 1, 0).status, PMON_V_NOT_DISPLAYED);
	T_EQ_I64(add(&stats, 2, 0).status, PMON_V_NOT_DISPLAYED);
	(void)pmon_stats_add(&stats, &bad);
	assert_true(stats.has_tail);
	T_EQ_I64(stats.tail.first, 2);
	check_average(&stats, 0, PMON_V_NOT_DISPLAYED, "of texts");
	(void)add(&next, 5, 0);
	assert_int_equal(pmon_stats_merge(&stats, &next), PMON_OK);
	T_EQ_I64(stats.tail.first, 5);
}

static void
test_unknown_times_are_skipped(void **state)
{
	struct pmon_stats stats = stats_of(PMON_PERF_COUNTER_RAWCOUNT, 0);
	static const pmon_time times[] = {PMON_TIME_NONE, 5, PMON_TIME_NONE, 8, PMON_TIME_NONE};

	(void)state;
	for (size_t i = 0; i < T_LEN(times); i++)
		(void)pmon_stats_add(&stats, &(struct pmon_raw){.time = times[i]});
	T_EQ_I64(stats.first_raw_time, 5);
	T_EQ_I64(stats.last_raw_time, 8);
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
test_average_from_the_end_points(void **state)
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

// ---- Against an accumulator of our own, in 128-bit integers, which 32-bit processors lack --------

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 u128;

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
#endif

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
	struct pmon_calc_options options = {.size = sizeof(options),
					    .policy = policy,
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
		cmocka_unit_test(test_another_process),
		cmocka_unit_test(test_from_the_start_of_a_process),
		cmocka_unit_test(test_lead_makes_the_first_pair),
		cmocka_unit_test(test_text_keeps_the_newest),
		cmocka_unit_test(test_unknown_times_are_skipped),
		cmocka_unit_test(test_average_from_the_end_points),
		cmocka_unit_test(test_inverse_is_the_rest),
		cmocka_unit_test(test_random_bits),
#ifdef __SIZEOF_INT128__
		cmocka_unit_test(test_random_series_against_model),
#endif
	};

	return cmocka_run_group_tests_name("core_stats", tests, NULL, NULL);
}
