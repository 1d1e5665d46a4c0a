// test_map.c - the hash table of numbers: what is found, in which order, and what a lack of memory leaves
// SPDX-License-Identifier: MIT

#include "t.h"

#include <pmon/path.h>

#include "base/map.h"

#define N_NUMBERS 100000

// So many numbers under one hash that they go round the end of the table at each size.
static uint64_t
hash_of(uint32_t i)
{
	return i % 3 == 0 ? UINT32_MAX : pmon_map_mix(7, i);
}

// The numbers under the hash that every third one has.
static void
assert_in_order(const struct pmon_map *map, uint32_t n)
{
	size_t at = 0;

	for (uint32_t want = 0; want < n; want += 3)
		assert_int_equal(pmon_map_next(map, UINT32_MAX, &at), want);
	assert_int_equal(pmon_map_next(map, UINT32_MAX, &at), PMON_MAP_NONE);
}

static void
numbers_of_a_hash_come_in_order(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	struct pmon_map map = {0};

	(void)state;
	assert_in_order(&map, 0);
	for (uint32_t i = 0; i < 300; i++) {
		assert_true(pmon_map_put(&map, &own, hash_of(i), i));
		assert_in_order(&map, i + 1);
	}
	pmon_map_clear(&map);
	assert_in_order(&map, 0);
	pmon_map_add(&map, UINT32_MAX, 0);
	assert_in_order(&map, 1);
	pmon_map_free(&map, &own);
	assert_in_order(&map, 0);
	T_EQ_U64(memory.live_blocks, 0);
}

static void
many_numbers_are_found(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	struct pmon_map map = {0};

	(void)state;
	for (uint32_t i = 0; i < N_NUMBERS; i++)
		assert_true(pmon_map_put(&map, &own, pmon_map_mix(1, i), i));
	for (uint32_t i = 0; i < N_NUMBERS; i++) {
		size_t at = 0;
		uint32_t found;

		while ((found = pmon_map_next(&map, pmon_map_mix(1, i), &at)) != i)
			assert_int_not_equal(found, PMON_MAP_NONE);
	}
	assert_in_range(memory.live_bytes, 1, 32 * N_NUMBERS);
	pmon_map_free(&map, &own);
}

static void
room_stays_reserved(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	struct pmon_map map = {0};

	(void)state;
	assert_true(pmon_map_reserve(&map, &own, 1000));
	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 1000; i++)
			pmon_map_add(&map, hash_of(i), i);
		assert_in_order(&map, 1000);
		pmon_map_clear(&map);
	}
	T_EQ_U64(memory.calls, 1);
	pmon_map_free(&map, &own);
}

static void
a_table_stays_when_memory_is_short(void **state)
{
	struct t_memory memory = {.fail_at = 2};
	struct pmon_allocator own = t_memory_allocator(&memory);
	struct pmon_map map = {0};
	uint32_t n = 0;

	(void)state;
	while (pmon_map_put(&map, &own, UINT32_MAX, 3 * n))
		n++;
	assert_true(n > 0);
	assert_in_order(&map, 3 * n);
	assert_false(pmon_map_reserve(&map, &own, SIZE_MAX));
	assert_false(pmon_map_reserve(&map, &own, (size_t)1 << 31));
	assert_true(pmon_map_put(&map, &own, UINT32_MAX, 3 * n));
	assert_in_order(&map, 3 * n + 3);
	pmon_map_free(&map, &own);
	T_EQ_U64(memory.live_blocks, 0);
}

// The spellings of a name in upper and lower case have one hash, even where they differ in bytes; nothing, an
// empty name, and the parts of a name that is cut in two elsewhere have others.
static void
hashes_of_names(void **state)
{
	const struct pmon_span kelvin = PMON_SPAN("\xE2\x84\xAA"), k = PMON_SPAN("k");
	uint64_t nothing = pmon_map_mix_name(1, (struct pmon_span){NULL, 0});

	(void)state;
	assert_true(pmon_text_same(kelvin, k));
	T_EQ_U64(pmon_map_mix_name(1, kelvin), pmon_map_mix_name(1, k));
	T_EQ_U64(pmon_map_mix_name(1, PMON_SPAN("LSASS")),
		 pmon_map_mix_name(1, PMON_SPAN("lsass")));
	assert_true(pmon_map_mix_name(1, PMON_SPAN("")) != nothing);
	assert_true(pmon_map_mix_name(2, k) != pmon_map_mix_name(1, k));
	assert_true(pmon_map_mix_name(pmon_map_mix_name(1, PMON_SPAN("ab")), PMON_SPAN("c")) !=
		    pmon_map_mix_name(pmon_map_mix_name(1, PMON_SPAN("a")), PMON_SPAN("bc")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_a_hash_come_in_order),
		cmocka_unit_test(many_numbers_are_found),
		cmocka_unit_test(room_stays_reserved),
		cmocka_unit_test(a_table_stays_when_memory_is_short),
		cmocka_unit_test(hashes_of_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
