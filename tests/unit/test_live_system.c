// test_live_system.c - the object System of recorded machines
// SPDX-License-Identifier: MIT

#include "t.h"

#include "live_tree.h"

// ctxt counts context switches (Documentation/filesystems/proc.rst, 1.7): 500 in 2 s are 250/s.
static void
rates(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/stat", "ctxt 1000\n");
	tree_file(t, 1, "proc/stat", "ctxt 1500\n");
	tree_clock(t, 1, TREE_TIME + 2 * PMON_TIME_PER_SEC, TREE_PERF + 2 * PMON_TIME_PER_SEC);
	tree_open(t, "\\System\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_status(t, "\\System\\Context Switches/sec"), PMON_V_FIRST);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\System\\Context Switches/sec"), 250);
	assert_int_equal(tree_status(t, "\\System\\Threads"), TREE_ABSENT);
	assert_false(tree_next(t));
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
