// test_by_series.c - elements by series, whatever their numbers are
// SPDX-License-Identifier: MIT

#include "t.h"

#include "shell/input/by_series.h"

struct element {
	uint64_t a;
	char b[40];
};

// A series that appears after everything requested before.
static void
test_grows_on_access(void **state)
{
	struct by_series elements = BY_SERIES_OF(struct element);
	struct element *e;
	(void)state;

	assert_null(by_series_find(&elements, 0));
	e = by_series_get(&elements, 3);
	assert_non_null(e);
	e->a = 33;
	e = by_series_get(&elements, 100000);
	assert_non_null(e);
	assert_int_equal(e->a, 0);
	assert_int_equal(e->b[39], 0);
	assert_int_equal(elements.n, 100001);
	e = by_series_find(&elements, 3);
	assert_int_equal(e->a, 33);
	e = by_series_find(&elements, 99999);
	assert_int_equal(e->a, 0);
	by_series_free(&elements);
}

static void
test_missing_elements(void **state)
{
	struct by_series elements = BY_SERIES_OF(struct element);
	(void)state;

	assert_non_null(by_series_get(&elements, 3));
	assert_null(by_series_find(&elements, 4));
	assert_null(by_series_find(&elements, UINT32_MAX));
	assert_null(by_series_get(&elements, SIZE_MAX / 2)); // no memory
	assert_int_equal(elements.n, 4);
	by_series_free(&elements);
	assert_null(by_series_find(&elements, 3));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grows_on_access),
		cmocka_unit_test(test_missing_elements),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
