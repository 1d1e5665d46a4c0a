// test_wr.c - the bounded writer
// SPDX-License-Identifier: MIT

#include "t.h"

#include "base/wr.h"

static void
writes_within_the_window(void **state)
{
	uint8_t buf[16];
	struct pmon_wr w = pmon_wr_init(buf, sizeof(buf));

	(void)state;
	pmon_wr_u8(&w, 1);
	pmon_wr_u8(&w, 2);
	pmon_wr_u16(&w, 0x0403);
	pmon_wr_u32(&w, 0x08070605);
	pmon_wr_i64(&w, INT64_C(0x100F0E0D0C0B0A09));
	assert_true(pmon_wr_ok(&w));
	for (size_t i = 0; i < sizeof(buf); i++)
		assert_int_equal(buf[i], i + 1);
	assert_int_equal(pmon_wr_left(&w), 0);
	pmon_wr_seek(&w, 14);
	pmon_wr_u32(&w, 0);
	assert_false(pmon_wr_ok(&w)); // there was room for two bytes only,
	pmon_wr_seek(&w, 0);
	pmon_wr_u8(&w, 0); // and now for none
	assert_int_equal(buf[0], 1);
	assert_int_equal(buf[15], 16);
	assert_null(pmon_wr_bytes(&w, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_within_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
