// test_library.c - libraries that are loaded when they are needed
// SPDX-License-Identifier: MIT

#include "t.h"

#include <math.h>

#include "os/library.h"

#define MATH_CALLS(CALL) CALL(, cos) CALL(c, eil)
#define ODD_CALLS(CALL)  CALL(, cos) CALL(pmon_, no_such_function)

double pmon_no_such_function(double x);

struct math_calls {
	MATH_CALLS(PMON_OS_CALL)
};

struct odd_calls {
	ODD_CALLS(PMON_OS_CALL)
};

static void
calls_are_found_by_their_names(void **state)
{
	struct math_calls math;
	struct pmon_err err;

	(void)state;
	assert_int_equal(PMON_OS_LOAD("libm.so.6", MATH_CALLS, &math, &err), PMON_OK);
	assert_true(math.cos(0) == 1);
	assert_true(math.eil(1.5) == 2);
}

static void
a_function_that_is_missing_is_named(void **state)
{
	struct odd_calls odd;
	struct pmon_err err;

	(void)state;
	assert_int_equal(PMON_OS_LOAD("libm.so.6", ODD_CALLS, &odd, &err), PMON_E_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "libm.so.6"));
	assert_non_null(strstr(err.msg, "pmon_no_such_function"));
}

static void
a_library_that_is_missing_is_named(void **state)
{
	struct math_calls math;
	struct pmon_err err;

	(void)state;
	assert_int_equal(PMON_OS_LOAD("libpmon-none.so.1", MATH_CALLS, &math, &err),
			 PMON_E_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "cannot load libpmon-none.so.1, install"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_found_by_their_names),
		cmocka_unit_test(a_function_that_is_missing_is_named),
		cmocka_unit_test(a_library_that_is_missing_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
