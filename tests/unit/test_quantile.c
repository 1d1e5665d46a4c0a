// test_quantile.c - percentiles from a sketch, compared with those of all sorted values
// SPDX-License-Identifier: MIT

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "query/quantile.h"
#include "t.h"

#define N_VALUES 2000

struct weighted {
	double value;
	uint64_t weight;
};

static struct t_rand numbers = {1};

// ---- Exact percentiles ----------------------------------------------------------------------

static int
ascending(const void *a, const void *b)
{
	double x = ((const struct weighted *)a)->value;
	double y = ((const struct weighted *)b)->value;

	return x < y ? -1 : x > y;
}

// The definition in quantile.h: the smallest value that has p thousandths of a percent of the weight at
// or below it. Weights here are small, so that nothing overflows.
static double
exact(struct weighted *list, size_t n, uint32_t p)
{
	uint64_t total = 0;
	uint64_t seen = 0;

	qsort(list, n, sizeof(*list), ascending);
	for (size_t i = 0; i < n; i++)
		total += list[i].weight;
	for (size_t i = 0; i < n; i++) {
		seen += list[i].weight;
		if (seen * 100 * PMON_PERCENT >= total * p && seen > 0)
			return list[i].value;
	}
	return NAN;
}

// ---- Values of many kinds -------------------------------------------------------------------

// As many powers of two as kind has, about 1.
static double
any_value(unsigned kind)
{
	double value = ldexp(1 + (double)(t_rand_u64(&numbers) % 1000003) / 1000003,
			     (int)(t_rand_u64(&numbers) % (kind + 1)) - (int)kind / 2);

	if (t_rand_u64(&numbers) % 7 == 0)
		return 0;
	return t_rand_u64(&numbers) % 3 == 0 ? -value : value;
}

static void
fill(struct weighted *list, size_t n, unsigned kind)
{
	for (size_t i = 0; i < n; i++)
		list[i] = (struct weighted){any_value(kind), t_rand_u64(&numbers) % 1000};
}

static void
add_all(struct pmon_quantile *q, struct pmon_arena *arena, const struct weighted *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_true(pmon_quantile_add(q, arena, list[i].value, list[i].weight));
}

static const uint32_t percents[] = {0,     1,     500,   5000,  25000, 50000,
				    66667, 95000, 99000, 99900, 100000};

static void
check_close(double got, double want)
{
	if (fabs(got - want) > fabs(want) / 257 * (1 + 4 * DBL_EPSILON))
		fail_msg("%.17g is too far from %.17g", got, want);
}

// ---- Tests ----------------------------------------------------------------------------------

static void
test_error_is_bounded(void **state)
{
	static struct weighted list[N_VALUES];

	(void)state;
	for (unsigned kind = 0; kind < PMON_QUANTILE_OCTAVES; kind += 3)
		for (size_t n = 1; n <= N_VALUES; n = n * 3 + 1) {
			struct pmon_quantile q = {.zero = 0};
			struct pmon_arena arena;
			double got;

			pmon_arena_init(&arena, pmon_mem_allocator(NULL));
			fill(list, n, kind);
			list[0].weight++;
			add_all(&q, &arena, list, n);
			for (size_t i = 0; i < T_LEN(percents); i++) {
				assert_true(pmon_quantile_at(&q, percents[i], &got));
				check_close(got, exact(list, n, percents[i]));
			}
			pmon_arena_free(&arena);
		}
}

// All that can be seen of a sketch.
static void
check_same(const struct pmon_quantile *a, const struct pmon_quantile *b)
{
	for (uint32_t p = 0; p <= 100 * PMON_PERCENT; p += 50) {
		double x;
		double y;

		assert_true(pmon_quantile_at(a, p, &x));
		assert_true(pmon_quantile_at(b, p, &y));
		T_EQ_DBL(x, y);
	}
	T_EQ_U64(a->zero, b->zero);
}

static void
test_order_and_parts_do_not_matter(void **state)
{
	static struct weighted list[N_VALUES];

	(void)state;
	// With more powers of two than there is room for, too.
	for (unsigned kind = 1; kind < 4 * PMON_QUANTILE_OCTAVES; kind *= 2) {
		struct pmon_quantile whole = {.zero = 0};
		struct pmon_quantile joined = {.zero = 0};
		struct pmon_quantile parts[7] = {{.zero = 0}};
		struct pmon_arena arena;

		pmon_arena_init(&arena, pmon_mem_allocator(NULL));
		fill(list, N_VALUES, kind);
		add_all(&whole, &arena, list, N_VALUES);
		for (size_t i = N_VALUES; i-- > 0;)
			add_all(&parts[t_rand_u64(&numbers) % T_LEN(parts)], &arena, &list[i], 1);
		for (size_t i = 0; i < T_LEN(parts); i++)
			assert_true(pmon_quantile_merge(&joined, &arena, &parts[i]));
		check_same(&whole, &joined);
		pmon_arena_free(&arena);
	}
}

static void
test_small_values_count_as_zero(void **state)
{
	struct pmon_quantile q = {.zero = 0};
	struct pmon_arena arena;
	double got;

	(void)state;
	pmon_arena_init(&arena, pmon_mem_allocator(NULL));
	assert_true(pmon_quantile_add(&q, &arena, 1, 1));
	assert_true(pmon_quantile_add(&q, &arena, -1, 1));
	assert_true(pmon_quantile_add(&q, &arena, 0x1p63, 1)); // 63 above: both still have bins
	assert_true(pmon_quantile_at(&q, 66667, &got));
	check_close(got, 0x1p63);
	assert_true(pmon_quantile_at(&q, 66666, &got));
	check_close(got, 1);
	assert_true(pmon_quantile_add(&q, &arena, 0x1p64, 1)); // 64 above
	assert_true(pmon_quantile_at(&q, 0, &got));
	T_EQ_DBL(got, 0);
	assert_true(pmon_quantile_at(&q, 50000, &got));
	T_EQ_DBL(got, 0);
	T_EQ_U64(q.zero, 2);
	assert_true(pmon_quantile_add(&q, &arena, -1.5, 5)); // comes too late
	T_EQ_U64(q.zero, 7);
	pmon_arena_free(&arena);
}

static void
test_odd_values(void **state)
{
	static const double odd[] = {INFINITY, -INFINITY, NAN};
	struct pmon_quantile q = {.zero = 0};
	struct pmon_arena arena;
	double got;

	(void)state;
	pmon_arena_init(&arena, pmon_mem_allocator(NULL));
	assert_false(pmon_quantile_at(&q, 50000, &got));
	for (size_t i = 0; i < T_LEN(odd); i++)
		assert_true(pmon_quantile_add(&q, &arena, odd[i], 1));
	assert_true(pmon_quantile_add(&q, &arena, 7, 0));
	assert_false(pmon_quantile_at(&q, 50000, &got)); // neither has any weight
	assert_true(pmon_quantile_add(&q, &arena, -0.0, 1));
	assert_true(pmon_quantile_add(&q, &arena, DBL_TRUE_MIN, 1));
	T_EQ_U64(q.zero, 2);
	assert_true(pmon_quantile_add(&q, &arena, DBL_MAX, 1));
	assert_true(pmon_quantile_add(&q, &arena, -DBL_MAX, 1));
	assert_true(pmon_quantile_at(&q, 100000, &got));
	check_close(got, DBL_MAX);
	assert_true(pmon_quantile_at(&q, 0, &got));
	check_close(got, -DBL_MAX);
	pmon_arena_free(&arena);
}

static void
test_weights_do_not_overflow(void **state)
{
	struct pmon_quantile q = {.zero = 0};
	struct pmon_arena arena;
	double got;

	(void)state;
	pmon_arena_init(&arena, pmon_mem_allocator(NULL));
	assert_true(pmon_quantile_add(&q, &arena, 1, UINT64_MAX / 2));
	assert_true(pmon_quantile_add(&q, &arena, 3, UINT64_MAX / 2));
	assert_true(pmon_quantile_at(&q, 50000, &got));
	check_close(got, 1);
	assert_true(pmon_quantile_at(&q, 50001, &got));
	check_close(got, 3);
	assert_true(pmon_quantile_add(&q, &arena, 3, UINT64_MAX));
	assert_true(pmon_quantile_at(&q, 100000, &got));
	check_close(got, 3);
	pmon_arena_free(&arena);
}

// Distances of -3, -1, 0, 2 and 10 from 2 are 5, 3, 2, 0 and 8: their median is 3.
static void
test_distances(void **state)
{
	static const double values[] = {-3, -1, 0, 2, 10};
	struct t_memory memory = {.fail_at = 1, .fail_rest = true};
	struct pmon_allocator none = t_memory_allocator(&memory);
	struct pmon_quantile q = {.zero = 0};
	struct pmon_arena arena;
	double got;

	(void)state;
	pmon_arena_init(&arena, pmon_mem_allocator(NULL));
	assert_true(pmon_quantile_distance(&q, NULL, 7, 50000, &got));
	T_EQ_DBL(got, 0);
	for (size_t i = 0; i < T_LEN(values); i++)
		assert_true(pmon_quantile_add(&q, &arena, values[i], 7));
	assert_true(pmon_quantile_distance(&q, NULL, 2, 50000, &got));
	assert_true(fabs(got - 3) <= 0.02);
	assert_true(pmon_quantile_distance(&q, NULL, 2, 100000, &got));
	assert_true(fabs(got - 8) <= 0.08);
	assert_false(pmon_quantile_distance(&q, &none, 2, 50000, &got));
	pmon_arena_free(&arena);
}

// However values are spread, each costs at most 64 bytes, and all of a sketch 18 KiB more. The worst are 64 powers of two
// of both signs.
static void
test_memory_bound(void **state)
{
	struct t_memory memory = {.fail_at = 0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_arena arena;

	(void)state;
	pmon_arena_init(&arena, &allocator);
	for (size_t sketch = 0; sketch < 100; sketch++) {
		struct pmon_quantile q = {.zero = 0};

		for (int i = 0; i < 64; i++)
			assert_true(pmon_quantile_add(&q, &arena, ldexp(1.01, 63 - i), 1) &&
				    pmon_quantile_add(&q, &arena, -ldexp(1.01, 63 - i), 1));
	}
	// The arena has blocks of 16 KiB, and an allocation that does not fit leaves some bytes of one.
	assert_in_range(memory.live_bytes, 1, 100 * (128 * 64 + 18 * 1024) * 51 / 50);
	pmon_arena_free(&arena);
}

// Each failure is reported, whether in adding or in merging.
static void
test_short_memory(void **state)
{
	static struct weighted list[N_VALUES];
	struct t_memory memory;

	(void)state;
	fill(list, N_VALUES, PMON_QUANTILE_OCTAVES);
	for (size_t fail_at = 1;; fail_at++) {
		struct pmon_allocator allocator;
		struct pmon_quantile q = {.zero = 0};
		struct pmon_quantile copy = {.zero = 0};
		struct pmon_arena arena;
		bool good = true;

		memory = (struct t_memory){.fail_at = fail_at};
		allocator = t_memory_allocator(&memory);
		pmon_arena_init(&arena, &allocator);
		for (size_t i = 0; good && i < N_VALUES; i++)
			good = pmon_quantile_add(&q, &arena, list[i].value, list[i].weight);
		good = good && pmon_quantile_merge(&copy, &arena, &q);
		pmon_arena_free(&arena);
		T_EQ_U64(memory.live_blocks, 0);
		assert_int_equal(good, t_memory_sufficed(&memory));
		if (good)
			break;
	}
	assert_in_range(memory.calls, 10, 40); // in blocks of 16 KiB
}

// Expected: only the values after a restart count, also one with the exponent of the last one before, and one 64
// exponents above, which has the same place in the list.
static void
test_restart(void **state)
{
	static const double after[] = {1.5, 1.5 * 18446744073709551616.0};
	struct pmon_quantile q = {.zero = 0};
	struct pmon_arena arena;
	double got;
	(void)state;

	pmon_arena_init(&arena, pmon_mem_allocator(NULL));
	for (size_t i = 0; i < T_LEN(after); i++) {
		assert_true(pmon_quantile_add(&q, &arena, 1.5, 7));
		pmon_quantile_restart(&q);
		assert_false(pmon_quantile_at(&q, 50000, &got));
		assert_true(pmon_quantile_add(&q, &arena, after[i], 1));
		assert_true(pmon_quantile_at(&q, 0, &got));
		check_close(got, after[i]);
		assert_true(pmon_quantile_at(&q, 100000, &got));
		check_close(got, after[i]);
		pmon_quantile_restart(&q);
	}
	pmon_arena_free(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_error_is_bounded),
		cmocka_unit_test(test_order_and_parts_do_not_matter),
		cmocka_unit_test(test_small_values_count_as_zero),
		cmocka_unit_test(test_odd_values),
		cmocka_unit_test(test_weights_do_not_overflow),
		cmocka_unit_test(test_distances),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_memory_bound),
		cmocka_unit_test(test_short_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
