// test_rd.c - the bounded reader
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "base/rd.h"

static const uint8_t bytes[] = {0x01, 0x02, 0x03, 0x04, 0x85, 0x86, 0x87, 0x88, 0x09, 0x0A};

#define ORIGIN 1000

// A reader over a block of exactly n bytes, so that the sanitizers see a step past it.
static struct pmon_rd
exactly(size_t n, uint8_t **block_out)
{
	*block_out = malloc(n > 0 ? n : 1);
	assert_non_null(*block_out);
	memcpy(*block_out, bytes, n);
	return pmon_rd_init(*block_out, n, ORIGIN);
}

// ---- Every getter, and what it does when a byte is missing ------------------------------------

static uint64_t
get_u8(struct pmon_rd *r)
{
	return pmon_rd_u8(r);
}

static uint64_t
get_u16(struct pmon_rd *r)
{
	return pmon_rd_u16(r);
}

static uint64_t
get_u32(struct pmon_rd *r)
{
	return pmon_rd_u32(r);
}

static uint64_t
get_i32(struct pmon_rd *r)
{
	return (uint64_t)pmon_rd_i32(r);
}

static uint64_t
get_u64(struct pmon_rd *r)
{
	return pmon_rd_u64(r);
}

static uint64_t
get_i64(struct pmon_rd *r)
{
	return (uint64_t)pmon_rd_i64(r);
}

static const struct {
	const char *name;
	uint64_t (*get)(struct pmon_rd *r);
	size_t size;
	size_t at;
	uint64_t value; // by hand, from the bytes above, little-endian
} getters[] = {
	{"u8", get_u8, 1, 0, 0x01},
	{"u8, high", get_u8, 1, 4, 0x85},
	{"u16", get_u16, 2, 0, 0x0201},
	{"u16, high", get_u16, 2, 4, 0x8685},
	{"u32", get_u32, 4, 0, 0x04030201},
	{"u32, high", get_u32, 4, 4, 0x88878685},
	{"i32", get_i32, 4, 0, 0x04030201},
	{"i32, negative", get_i32, 4, 4, 0xFFFFFFFF88878685},
	{"u64", get_u64, 8, 0, 0x8887868504030201},
	{"u64, at 2", get_u64, 8, 2, 0x0A09888786850403},
	{"i64, negative", get_i64, 8, 0, 0x8887868504030201},
	{"i64", get_i64, 8, 2, 0x0A09888786850403},
};

static void
getters_read_little_endian(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(getters); i++) {
		uint8_t *block;
		struct pmon_rd r = exactly(getters[i].at + getters[i].size, &block);

		pmon_rd_skip(&r, getters[i].at);
		T_EQ_U64_AT(getters[i].get(&r), getters[i].value, getters[i].name);
		T_EQ_BOOL_AT(pmon_rd_ok(&r), true, getters[i].name);
		T_EQ_U64_AT(pmon_rd_left(&r), 0, getters[i].name);
		T_EQ_U64_AT(pmon_rd_offset(&r), ORIGIN + getters[i].at + getters[i].size,
			    getters[i].name);
		free(block);
	}
}

static void
getters_fail_when_a_byte_is_missing(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(getters); i++)
		for (size_t have = 0; have < getters[i].size; have++) {
			uint8_t *block;
			struct pmon_rd r = exactly(getters[i].at + have, &block);

			pmon_rd_skip(&r, getters[i].at);
			T_EQ_U64_AT(getters[i].get(&r), 0, getters[i].name);
			T_EQ_BOOL_AT(pmon_rd_ok(&r), false, getters[i].name);
			T_EQ_U64_AT(r.fail_at, ORIGIN + getters[i].at, getters[i].name);
			T_EQ_U64_AT(pmon_rd_left(&r), 0, getters[i].name);
			free(block);
		}
}

static void
plain_values_from_bytes(void **state)
{
	(void)state;
	T_EQ_U64(pmon_le32(bytes + 4), 0x88878685);
	T_EQ_U64(pmon_le64(bytes), 0x8887868504030201);
}

// ---- The primitive ----------------------------------------------------------------------------

static void
bytes_are_given_in_place(void **state)
{
	struct pmon_rd r = pmon_rd_init(bytes, sizeof(bytes), ORIGIN);

	(void)state;
	assert_ptr_equal(pmon_rd_bytes(&r, 4), bytes);
	assert_ptr_equal(pmon_rd_bytes(&r, 0), bytes + 4);
	assert_ptr_equal(pmon_rd_bytes(&r, 6), bytes + 4);
	assert_non_null(pmon_rd_bytes(&r, 0)); // at the end, 0 bytes can still be read
	assert_true(pmon_rd_ok(&r));
	assert_null(pmon_rd_bytes(&r, 1));
	T_EQ_U64(r.fail_at, ORIGIN + sizeof(bytes));
}

static void
sizes_do_not_overflow(void **state)
{
	struct pmon_rd r = pmon_rd_init(bytes, sizeof(bytes), ORIGIN);

	(void)state;
	pmon_rd_skip(&r, 3);
	assert_null(pmon_rd_bytes(&r, SIZE_MAX));
	assert_false(pmon_rd_ok(&r));
	r = pmon_rd_init(bytes, sizeof(bytes), ORIGIN);
	pmon_rd_skip(&r, 3);
	pmon_rd_skip(&r, SIZE_MAX - 2); // 3 + SIZE_MAX - 2 is 0 in a size_t
	assert_false(pmon_rd_ok(&r));
}

static void
no_bytes_at_all(void **state)
{
	struct pmon_rd r = pmon_rd_init(NULL, 0, ORIGIN);
	struct pmon_rd sub = pmon_rd_sub(&r, 0, 0);

	(void)state;
	assert_non_null(pmon_rd_bytes(&r, 0));
	assert_non_null(pmon_rd_bytes(&sub, 0));
	assert_true(pmon_rd_ok(&r) && pmon_rd_ok(&sub));
	T_EQ_U64(pmon_rd_u8(&r), 0);
	assert_false(pmon_rd_ok(&r));
}

// ---- Failure sticks -----------------------------------------------------------------------------

static void
the_first_failure_sticks(void **state)
{
	struct pmon_rd r = pmon_rd_init(bytes, sizeof(bytes), ORIGIN);

	(void)state;
	pmon_rd_skip(&r, 7);
	T_EQ_U64(pmon_rd_u32(&r), 0); // 3 are left
	T_EQ_U64(r.fail_at, ORIGIN + 7);
	for (size_t i = 0; i < T_LEN(getters); i++)
		T_EQ_U64_AT(getters[i].get(&r), 0, getters[i].name);
	assert_null(pmon_rd_bytes(&r, 0));
	pmon_rd_seek(&r, 0); // a failed reader cannot seek
	T_EQ_U64(pmon_rd_u8(&r), 0);
	pmon_rd_fail(&r);
	T_EQ_U64(pmon_rd_count(&r, 1), 0);
	assert_false(pmon_rd_ok(&r));
	T_EQ_U64(r.fail_at, ORIGIN + 7);
	T_EQ_U64(pmon_rd_left(&r), 0);
}

static void
values_out_of_range_fail_at_their_position(void **state)
{
	struct pmon_rd r = pmon_rd_init(bytes, sizeof(bytes), ORIGIN);

	(void)state;
	pmon_rd_skip(&r, 2);
	pmon_rd_fail(&r);
	T_EQ_U64(r.fail_at, ORIGIN + 2);
	assert_false(pmon_rd_ok(&r));
	T_EQ_U64(pmon_rd_u8(&r), 0);
}

static void
seeking_stays_in_the_window(void **state)
{
	struct pmon_rd r = pmon_rd_init(bytes, sizeof(bytes), ORIGIN);

	(void)state;
	pmon_rd_seek(&r, 4);
	T_EQ_U64(pmon_rd_u8(&r), 0x85);
	pmon_rd_seek(&r, 0);
	T_EQ_U64(pmon_rd_u8(&r), 0x01);
	pmon_rd_seek(&r, sizeof(bytes));
	assert_true(pmon_rd_ok(&r));
	T_EQ_U64(pmon_rd_left(&r), 0);
	pmon_rd_seek(&r, 1);
	pmon_rd_seek(&r, sizeof(bytes) + 1);
	assert_false(pmon_rd_ok(&r));
	T_EQ_U64(r.fail_at, ORIGIN + 1);
}

// ---- Windows ------------------------------------------------------------------------------------

static void
windows_see_their_bytes_only(void **state)
{
	struct pmon_rd r = pmon_rd_init(bytes, sizeof(bytes), ORIGIN);
	struct pmon_rd sub;
	struct pmon_rd sub_sub;

	(void)state;
	pmon_rd_skip(&r, 1);
	sub = pmon_rd_sub(&r, 2, 5); // 03 04 85 86 87
	T_EQ_U64(pmon_rd_pos(&r), 1);
	T_EQ_U64(pmon_rd_left(&sub), 5);
	T_EQ_U64(pmon_rd_offset(&sub), ORIGIN + 2);
	T_EQ_U64(pmon_rd_u16(&sub), 0x0403);
	sub_sub = pmon_rd_sub(&sub, 4, 1); // counted from the start of the window
	T_EQ_U64(pmon_rd_offset(&sub_sub), ORIGIN + 6);
	T_EQ_U64(pmon_rd_u8(&sub_sub), 0x87);
	T_EQ_U64(pmon_rd_u32(&sub), 0); // 3 are left in the window, though more follow it
	T_EQ_U64(sub.fail_at, ORIGIN + 4);
	assert_false(pmon_rd_ok(&sub));
	assert_true(pmon_rd_ok(&r)); // it is up to the caller that made the window
}

static void
windows_that_do_not_fit_fail_on_both_sides(void **state)
{
	static const struct {
		size_t pos;
		size_t len;
		bool ok;
	} rows[] = {
		{0, 10, true},
		{10, 0, true},
		{9, 1, true},
		{0, 11, false},
		{10, 1, false},
		{11, 0, false},
		{1, SIZE_MAX, false},
		{SIZE_MAX, 2, false},
		{SIZE_MAX, 0, false},
		{9, 2, false},
		{SIZE_MAX, SIZE_MAX, false},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_rd r = pmon_rd_init(bytes, sizeof(bytes), ORIGIN);
		struct pmon_rd sub;

		pmon_rd_skip(&r, 3);
		sub = pmon_rd_sub(&r, rows[i].pos, rows[i].len);
		if (pmon_rd_ok(&r) != rows[i].ok || pmon_rd_ok(&sub) != rows[i].ok)
			fail_msg("row %zu", i);
		T_EQ_U64(pmon_rd_left(&sub), rows[i].ok ? rows[i].len : 0);
		if (rows[i].ok)
			continue;
		T_EQ_U64(r.fail_at, ORIGIN + 3);
		T_EQ_U64(sub.fail_at, ORIGIN + 3);
		T_EQ_U64(pmon_rd_u8(&sub), 0);
	}
}

static void
a_failed_reader_gives_failed_windows(void **state)
{
	struct pmon_rd r = pmon_rd_init(bytes, sizeof(bytes), ORIGIN);
	struct pmon_rd sub;

	(void)state;
	pmon_rd_skip(&r, 11);
	sub = pmon_rd_sub(&r, 0, 1);
	assert_false(pmon_rd_ok(&sub));
	T_EQ_U64(pmon_rd_u8(&sub), 0);
}

// ---- Counts -------------------------------------------------------------------------------------

static void
counts_must_fit(void **state)
{
	static const struct {
		uint8_t count[4];
		size_t min_size;
		uint32_t n;
		bool ok;
	} rows[] = {
		// Six bytes follow the count.
		{{0, 0, 0, 0}, 4, 0, true},
		{{1, 0, 0, 0}, 4, 1, true},
		{{2, 0, 0, 0}, 4, 0, false},
		{{3, 0, 0, 0}, 2, 3, true},
		{{4, 0, 0, 0}, 2, 0, false},
		{{6, 0, 0, 0}, 1, 6, true},
		{{7, 0, 0, 0}, 1, 0, false},
		{{0xFF, 0xFF, 0xFF, 0xFF}, 1, 0, false},
		{{0xFF, 0xFF, 0xFF, 0xFF}, 0x10000000, 0, false},
		{{1, 0, 0, 0}, SIZE_MAX, 0, false},
		{{0, 0, 0, 0}, SIZE_MAX, 0, true},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		uint8_t block[10] = {0};
		struct pmon_rd r = pmon_rd_init(block, sizeof(block), ORIGIN);

		memcpy(block, rows[i].count, 4);
		if (pmon_rd_count(&r, rows[i].min_size) != rows[i].n ||
		    pmon_rd_ok(&r) != rows[i].ok)
			fail_msg("row %zu", i);
	}
}

static void
a_truncated_count_is_zero(void **state)
{
	struct pmon_rd r = pmon_rd_init(bytes, 3, ORIGIN);

	(void)state;
	T_EQ_U64(pmon_rd_count(&r, 1), 0);
	assert_false(pmon_rd_ok(&r));
	T_EQ_U64(r.fail_at, ORIGIN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(getters_read_little_endian),
		cmocka_unit_test(getters_fail_when_a_byte_is_missing),
		cmocka_unit_test(plain_values_from_bytes),
		cmocka_unit_test(bytes_are_given_in_place),
		cmocka_unit_test(sizes_do_not_overflow),
		cmocka_unit_test(no_bytes_at_all),
		cmocka_unit_test(the_first_failure_sticks),
		cmocka_unit_test(values_out_of_range_fail_at_their_position),
		cmocka_unit_test(seeking_stays_in_the_window),
		cmocka_unit_test(windows_see_their_bytes_only),
		cmocka_unit_test(windows_that_do_not_fit_fail_on_both_sides),
		cmocka_unit_test(a_failed_reader_gives_failed_windows),
		cmocka_unit_test(counts_must_fit),
		cmocka_unit_test(a_truncated_count_is_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
