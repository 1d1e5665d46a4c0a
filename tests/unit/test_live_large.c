// test_live_large.c - a machine of 200 processors and 5,000 processes, recorded
// SPDX-License-Identifier: MIT
//
// Fields as in Documentation/filesystems/proc.rst: ticks of 1/100 s. Between the two trees a second
// passes. Processor i is busy i % 101 of its 100 ticks and idle for the others; process p has p % 50
// ticks more of user time; half of them share a name.

#include "t.h"

#include <stdlib.h>

#include "live_tree.h"

#define PROCESSORS 200
#define PROCESSES  5000

static void
write_stat(struct tree *t, unsigned n)
{
	static char text[PROCESSORS * 100];
	size_t len = 0;
	unsigned long busy = 0;

	for (unsigned i = 0; i < PROCESSORS; i++)
		busy += i % 101 * n;
	len += (size_t)snprintf(text, sizeof(text), "cpu %lu 0 0 %lu 0 0 0 0 0 0\n", 1000 + busy,
				5000 + PROCESSORS * 100UL * n - busy);
	for (unsigned i = 0; i < PROCESSORS; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"cpu%u %u 0 0 %u 0 0 0 0 0 0\n", i, 50 + i % 101 * n,
					700 + (100 - i % 101) * n);
	(void)snprintf(text + len, sizeof(text) - len, "ctxt 5\nprocesses 1\nprocs_running 1\n");
	tree_file(t, n, "proc/stat", text);
}

static void
write_process(struct tree *t, unsigned n, unsigned p)
{
	char path[64];
	char text[300];

	(void)snprintf(path, sizeof(path), "proc/%u/stat", p + 100);
	(void)snprintf(text, sizeof(text),
		       "%u (%s%u) S 1 1 1 0 -1 0 10 0 0 0 %u 3 0 0 20 0 1 0 50 4096000 100 0\n",
		       p + 100, p % 2 == 0 ? "worker" : "p", p % 2 == 0 ? 0 : p, 20 + p % 50 * n);
	tree_file(t, n, path, text);
}

static void
all_of_it_is_sampled(void **state)
{
	struct tree *t = tree_new();
	double busy = 0;
	double user = 0;

	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		write_stat(t, n);
		for (unsigned p = 0; p < PROCESSES; p++)
			write_process(t, n, p);
	}
	tree_open(t, "\\Processor(*)\\% Processor Time", "\\Process(*)\\% User Time",
		  "\\Process(*)\\ID Process", NULL);
	tree_play(t);
	for (unsigned i = 0; i < PROCESSORS; i++)
		busy += i % 101;
	for (unsigned p = 0; p < PROCESSES; p++)
		user += p % 50;
	assert_int_equal(tree_count(t, "\\Processor(*)\\*"), PROCESSORS + 1);
	T_EQ_DBL(tree_number(t, "\\Processor(37)\\% Processor Time"), 37);
	T_EQ_DBL(tree_number(t, "\\Processor(199)\\% Processor Time"), 199 % 101);
	assert_float_equal(tree_number(t, "\\Processor(_Total)\\% Processor Time"),
			   busy / PROCESSORS, 1e-9);
	// a process has the share of one processor; the names of _Total and of 2,500 workers
	assert_int_equal(tree_count(t, "\\Process(*)\\% User Time"), PROCESSES + 1);
	T_EQ_DBL(tree_number(t, "\\Process(p4999)\\% User Time"), 4999 % 50);
	T_EQ_DBL(tree_number(t, "\\Process(worker0#2499)\\ID Process"), 4998 + 100);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\% User Time"), user);
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_it_is_sampled)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
