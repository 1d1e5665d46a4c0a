// test_streams.c - streams by the order in which they were seen first: their index, the most of a log, no memory
// SPDX-License-Identifier: MIT

#include "t.h"

#include "model/streams.h"

// Numbers that have little in common; all are different, because the factor is odd.
static uint32_t
number_of(uint32_t i)
{
	return i * UINT32_C(2654435761) + 17;
}

static void
an_index_stays(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	struct pmon_streams streams = {.n = 0};

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		assert_int_equal(pmon_streams_index(&streams, &own, number_of(i)), i);
		assert_int_equal(pmon_streams_index(&streams, &own, number_of(i / 2)), i / 2);
		assert_int_equal(pmon_streams_index(&streams, &own, number_of(i)), i);
		assert_int_equal(streams.n, i + 1);
	}
	pmon_streams_clear(&streams);
	assert_int_equal(pmon_streams_index(&streams, &own, number_of(999)), 0);
	assert_int_equal(pmon_streams_index(&streams, &own, UINT32_MAX), 1);
	assert_int_equal(pmon_streams_index(&streams, &own, number_of(0)), 2);
	pmon_streams_free(&streams, &own);
	T_EQ_U64(memory.live_blocks, 0);
}

static void
a_log_has_so_many_at_most(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	struct pmon_streams streams = {.n = 0};
	uint32_t at;

	(void)state;
	for (uint32_t i = 0; i < PMON_STREAMS_MAX; i++) {
		assert_int_equal(pmon_streams_number(&streams, &own, number_of(i), &at), PMON_OK);
		assert_int_equal(at, i);
	}
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(pmon_streams_number(&streams, &own,
						     number_of((uint32_t)PMON_STREAMS_MAX + i),
						     &at),
				 PMON_E_LIMIT);
	assert_int_equal(pmon_streams_number(&streams, &own, number_of(5), &at), PMON_OK);
	assert_int_equal(at, 5);
	pmon_streams_free(&streams, &own);
	T_EQ_U64(memory.live_blocks, 0);
}

// Each allocation fails once; existing data is kept, and the next call succeeds.
static void
no_memory_loses_nothing(void **state)
{
	(void)state;
	for (size_t fail_at = 1; fail_at < 12; fail_at++) {
		struct t_memory memory = {.fail_at = fail_at};
		struct pmon_allocator own = t_memory_allocator(&memory);
		struct pmon_streams streams = {.n = 0};

		for (uint32_t i = 0; i < 200; i++) {
			uint32_t at = pmon_streams_index(&streams, &own, number_of(i));

			if (at == PMON_STREAM_NONE)
				at = pmon_streams_index(&streams, &own, number_of(i));
			assert_int_equal(at, i);
			assert_int_equal(pmon_streams_index(&streams, &own, number_of(0)), 0);
		}
		pmon_streams_free(&streams, &own);
		T_EQ_U64(memory.live_blocks, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_index_stays),
		cmocka_unit_test(a_log_has_so_many_at_most),
		cmocka_unit_test(no_memory_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
