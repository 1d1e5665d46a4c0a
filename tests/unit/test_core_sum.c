// test_core_sum.c - sums that are exact and do not depend on order
// SPDX-License-Identifier: MIT

#include <math.h>

#include "core/sum.h"
#include "t.h"

// ---- Against 128-bit integers, which 32-bit processors lack --------------------------------------

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

static void
check_words(const struct pmon_sum *sum, u128 want, uint64_t sign, const char *label)
{
	T_EQ_U64_AT(sum->word[0], (uint64_t)want, label);
	T_EQ_U64_AT(sum->word[1], (uint64_t)(want >> 64), label);
	T_EQ_U64_AT(sum->word[2], sign, label);
	T_EQ_U64_AT(sum->word[3], sign, label);
}

static void
test_random_unsigned(void **state)
{
	struct t_rand r = {.state = 3};
	struct pmon_sum sum = {{0}};
	u128 want = 0;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t n = t_rand_u64(&r) >> t_rand_below(&r, 64);

		pmon_sum_add_u64(&sum, n);
		want += n;
	}
	check_words(&sum, want, 0, "");
	T_EQ_DBL(pmon_sum_value(&sum, 0), (double)want);
}

static void
test_random_signed(void **state)
{
	struct t_rand r = {.state = 4};
	struct pmon_sum sum = {{0}};
	i128 want = 0;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		int64_t n = (int64_t)t_rand_u64(&r);

		n /= INT64_C(1) << t_rand_below(&r, 63);
		pmon_sum_add_i64(&sum, n);
		want += n;
		check_words(&sum, (u128)want, want < 0 ? UINT64_MAX : 0, "");
		T_EQ_DBL(pmon_sum_value(&sum, 0), (double)want);
	}
}

// Doubles that are whole multiples of 2^-20 and below 2^50 in magnitude.
static void
test_random_doubles(void **state)
{
	struct t_rand r = {.state = 5};
	struct pmon_sum sum = {{0}};
	i128 want = 0;

	(void)state;
	for (int i = 0; i < 50000; i++) {
		int64_t n = (int64_t)(t_rand_u64(&r) >> 11) - (INT64_C(1) << 52);

		pmon_sum_add_double(&sum, ldexp((double)n, -20));
		want += n;
		T_EQ_DBL(pmon_sum_value(&sum, PMON_SUM_FRACTION), ldexp((double)want, -20));
	}
}

#endif

// ---- Known sums ----------------------------------------------------------------------------------

// A carry goes through all four words.
static void
test_carries(void **state)
{
	struct pmon_sum sum = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, 0}};
	struct pmon_sum other = {{UINT64_MAX, UINT64_MAX, 0, 0}};
	struct pmon_sum same;

	(void)state;
	same = sum;
	pmon_sum_add_u64(&sum, 1);
	T_EQ_U64(sum.word[0] | sum.word[1] | sum.word[2], 0);
	T_EQ_U64(sum.word[3], 1);
	pmon_sum_add_i64(&same, 1);
	assert_memory_equal(&same, &sum, sizeof(sum));
	pmon_sum_add_i64(&sum, -1);
	T_EQ_U64(sum.word[0] & sum.word[1] & sum.word[2], UINT64_MAX);
	T_EQ_U64(sum.word[3], 0);
	// A word that gets a carry and is all ones itself: FF..FF FF..FF + 1 00..01.
	sum = (struct pmon_sum){{1, UINT64_MAX, 0, 0}};
	pmon_sum_add(&sum, &other);
	T_EQ_U64(sum.word[0], 0);
	T_EQ_U64(sum.word[1], UINT64_MAX);
	T_EQ_U64(sum.word[2], 1);
	sum = (struct pmon_sum){{0}};
	assert_true(pmon_sum_is_zero(&sum));
	for (int i = 0; i < 4; i++) {
		sum = (struct pmon_sum){{0}};
		sum.word[i] = 1;
		assert_false(pmon_sum_is_zero(&sum));
	}
}

// The nearest double, halves to even. Python: float(v).hex().
static void
test_rounding(void **state)
{
	static const struct {
		uint64_t high; // v = high * 2^64 + low
		uint64_t low;
		double want;
	} rows[] = {
		{0, 0, 0},
		{0, 1, 1},
		{0, UINT64_MAX, 0x1p64},
		{0, UINT64_C(9007199254740993), 0x1p53}, // 2^53 + 1
		{0, UINT64_C(9007199254740995), 0x1.0000000000002p53},
		{1, 0x800, 0x1p64}, // 2^64 + 2^11, a half
		{1, 0x801, 0x1.0000000000001p64},
		{1, 0x1800, 0x1.0000000000002p64},
		{1, 0x1FFF - 0x1000, 0x1.0000000000001p64},
		{1, UINT64_MAX, 0x1p65},
		{4, UINT64_MAX - 4, 0x1.4p66}, // 5 * (2^64 - 1)
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_sum sum = {{rows[i].low, rows[i].high, 0, 0}};
		struct pmon_sum negative = {{0}};

		T_EQ_DBL(pmon_sum_value(&sum, 0), rows[i].want);
		// The same below zero: 0 - v.
		for (int k = 0; k < 4; k++)
			negative.word[k] = ~sum.word[k];
		pmon_sum_add_u64(&negative, 1);
		T_EQ_DBL(pmon_sum_value(&negative, 0), -rows[i].want);
	}
}

// ---- Doubles -----------------------------------------------------------------------------------

#define MAX_TERMS 12

// Sums: Python, float(sum(map(Fraction, terms))).
static const struct {
	double want;
	size_t n;
	double terms[MAX_TERMS];
} doubles[] = {
	{1.0, 10, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}},
	{2.0, 4, {1e16, 1.0, -1e16, 1.0}},
	{0x1p-59, 3, {0x1p79, 0x1p-59, -0x1p79}},
	{0x1p53, 2, {0x1p53, 1.0}},
	{9007199254740994.0, 3, {0x1p53, 1.0, 0x1p-60}},
	{9007199254740996.0, 2, {9007199254740994.0, 1.0}},
	{0x1p-55, 4, {0.1, 0.2, 0.3, -0.6}},
	{0x1p-54, 4, {-1.0 / 3, -1.0 / 3, -1.0 / 3, 1.0}},
	{-0x1.0000000000001p+70, 4, {-0x1p70, -0x1p17, -1.0, 0x1p-20}},
	{0, 4, {0.1, -0.3, 0.3, -0.1}},
	{0, 2, {0.0, -0.0}},
	{0x1.fffffffffffffp79, 1, {0x1.fffffffffffffp79}},
	{-0x1.fffffffffffffp79, 1, {-0x1.fffffffffffffp79}},
	{0x1.fffffffffffffp80, 2, {0x1.fffffffffffffp79, 0x1.fffffffffffffp79}},
	{0x1p-112, 1, {0x1p-112}},               // the last fraction bit
	{0, 3, {0x1p-113, 0x1p-300, 0x1p-1074}}, // below it
};

static void
test_doubles_in_any_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(doubles); i++) {
		for (size_t start = 0; start < doubles[i].n; start++) {
			struct pmon_sum up = {{0}};
			struct pmon_sum down = {{0}};

			for (size_t k = 0; k < doubles[i].n; k++) {
				size_t at = (start + k) % doubles[i].n;

				pmon_sum_add_double(&up, doubles[i].terms[at]);
				pmon_sum_add_double(&down, doubles[i].terms[doubles[i].n - 1 - at]);
			}
			T_EQ_DBL(pmon_sum_value(&up, PMON_SUM_FRACTION), doubles[i].want);
			assert_memory_equal(&up, &down, sizeof(up));
		}
	}
}

// Parts that are added up are the whole, wherever they are cut.
static void
test_parts(void **state)
{
	struct t_rand r = {.state = 6};

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct pmon_sum whole = {{0}};
		struct pmon_sum parts[3] = {{{0}}, {{0}}, {{0}}};

		for (int i = 0; i < 50; i++) {
			double d = ldexp((double)(int64_t)t_rand_u64(&r),
					 (int)t_rand_below(&r, 120) - 104);

			pmon_sum_add_double(&whole, d);
			pmon_sum_add_double(&parts[t_rand_below(&r, 3)], d);
		}
		pmon_sum_add(&parts[1], &parts[2]);
		pmon_sum_add(&parts[0], &parts[1]);
		assert_memory_equal(&parts[0], &whole, sizeof(whole));
	}
}

// A multiple is the sum of as many, in all four words and of both signs.
static void
test_multiples(void **state)
{
	static const uint32_t counts[] = {0, 1, 2, 3, 255, 1000};
	struct t_rand r = {.state = 9};

	(void)state;
	for (int round = 0; round < 200; round++) {
		for (size_t k = 0; k < T_LEN(counts); k++) {
			struct pmon_sum one = {
				{t_rand_u64(&r), t_rand_u64(&r), t_rand_u64(&r), t_rand_u64(&r)}};
			struct pmon_sum want = {{0}};
			struct pmon_sum got = pmon_sum_times(&one, counts[k]);

			for (uint32_t i = 0; i < counts[k]; i++)
				pmon_sum_add(&want, &one);
			assert_memory_equal(&got, &want, sizeof(want));
		}
	}
	// Python: hex((2**128 - 1) * (2**32 - 1))
	const struct pmon_sum large = {{UINT64_MAX, UINT64_MAX, 0, 0}};
	const struct pmon_sum got = pmon_sum_times(&large, UINT32_MAX);

	T_EQ_U64(got.word[0], UINT64_C(0xFFFFFFFF00000001));
	T_EQ_U64(got.word[1], UINT64_C(0xFFFFFFFFFFFFFFFF));
	T_EQ_U64(got.word[2], UINT64_C(0x00000000FFFFFFFE));
	T_EQ_U64(got.word[3], 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_multiples),       cmocka_unit_test(test_carries),
		cmocka_unit_test(test_rounding),        cmocka_unit_test(test_doubles_in_any_order),
		cmocka_unit_test(test_parts),
#ifdef __SIZEOF_INT128__
		cmocka_unit_test(test_random_unsigned), cmocka_unit_test(test_random_signed),
		cmocka_unit_test(test_random_doubles),
#endif
	};

	return cmocka_run_group_tests_name("core_sum", tests, NULL, NULL);
}
