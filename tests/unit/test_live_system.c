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

// Every field at its place (proc.rst 1.7 and 1.8; loadavg: three averages, threads that can run over
// all threads; file-nr: in use, free, limit).
static void
fields(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/stat",
		  "cpu 1 1 1 1\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 4294967290 5 6\nctxt 10\n"
		  "btime 1795228884\nprocesses 100\nprocs_running 5\nprocs_blocked 3\n"
		  "softirq 8589934592 0 1\n");
	tree_file(t, 1, "proc/stat",
		  "cpu 1 1 1 1\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 4294967300 5 6\nctxt 10\n"
		  "btime 1795228884\nprocesses 107\nprocs_running 1\nprocs_blocked 0\n"
		  "softirq 8589934600 0 1\n");
	tree_files(t, 0, 1, "proc/loadavg", "0.20 10.18 0.12 1/80 11206\n");
	tree_files(t, 0, 1, "proc/sys/fs/file-nr", "1504\t0\t9223372036854775807\n");
	tree_folder(t, 1, "proc/1");
	tree_folder(t, 1, "proc/4711");
	tree_folder(t, 1, "proc/sys");
	tree_open(t, "\\System\\*", NULL);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\System\\Processor Queue Length"), 3); // 5 on 2 processors
	T_EQ_DBL(tree_number(t, "\\System\\Threads Running"), 5);
	T_EQ_DBL(tree_number(t, "\\System\\Threads Blocked"), 3);
	assert_int_equal(tree_status(t, "\\System\\Processes"), TREE_ABSENT);
	T_EQ_DBL(tree_number(t, "\\System\\System Up Time"), 1000);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\System\\Processes"), 2);
	T_EQ_DBL(tree_number(t, "\\System\\Threads"), 80);
	T_EQ_DBL(tree_number(t, "\\System\\Processor Queue Length"), 0);
	T_EQ_DBL(tree_number(t, "\\System\\Forks/sec"), 7);
	// modulo 2^32 of a total that passes it: 10 in a second
	assert_int_equal(tree_status(t, "\\System\\Interrupts/sec"), PMON_V_WRAPPED);
	T_EQ_DBL(tree_number(t, "\\System\\Interrupts/sec"), 10);
	T_EQ_DBL(tree_number(t, "\\System\\Softirqs/sec"), 8);
	T_EQ_DBL(tree_number(t, "\\System\\Load Average 1 Minute"), 0.2);
	T_EQ_DBL(tree_number(t, "\\System\\Load Average 5 Minutes"), 10.18);
	T_EQ_DBL(tree_number(t, "\\System\\Load Average 15 Minutes"), 0.12);
	T_EQ_DBL(tree_number(t, "\\System\\Open Files"), 1504);
	T_EQ_I64(tree_raw(t, "\\System\\Open Files Limit").first, INT64_MAX);
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates),
		cmocka_unit_test(fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
