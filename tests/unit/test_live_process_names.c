// test_live_process_names.c - names, indexes and numbers of the instances of Process
// SPDX-License-Identifier: MIT
//
// Expected values are worked out from proc(5) and the kernel's Documentation/filesystems/proc.rst:
// times of stat are ticks of 1/100 s (USER_HZ), rss and statm are pages, starttime counts from the
// start of the machine. Trees are 1 s apart and begin 1,000 s after that start.

#include "t.h"

#include <stdlib.h>

#include <pmon/pmon.h>

#include "live_task.h"

// ---- Names ----------------------------------------------------------------------------------

// comm is what the process likes, and the parts of a counter path are not for it.
static void
any_name_is_an_instance(void **state)
{
	static const struct {
		const char *comm;
		const char *instance;
	} cases[] = {
		{"bash", "bash"},
		{"a b  c", "a b  c"},
		{"((sd-pam))", "[[sd-pam]]"},
		{") S 1 1 (", "] S 1 1 ["},
		{"x\ny", "x?y"},
		{"a/b#1\\c", "a_b_1_c"},
		{"", "_"},
		{"\xC3\xA9t\xC3\xA9", "\xC3\xA9t\xC3\xA9"},
		{"cut\xC3", "cut?"}, // the kernel cuts after 15 bytes, in a letter too
		{"\xFF\xFE", "??"},
		{"kworker/0:1-events", "kworker_0:1"},
		{"kworker/u8:3+flush-253:0", "kworker_u8:3"},
		{"kworker/1:0H-kblockd", "kworker_1:0H"},
		{"kworker/R-mm_percpu_wq", "kworker_R-mm_percpu_wq"},
	};
	struct tree *t = tree_new();

	(void)state;
	for (unsigned i = 0; i < T_LEN(cases); i++)
		task_process(t, 0, (struct task){.id = 100 + i, .comm = cases[i].comm});
	tree_open(t, "\\Process(*)\\ID Process", NULL);
	tree_play(t);
	for (unsigned i = 0; i < T_LEN(cases); i++)
		T_EQ_I64_AT(task_id_of(t, cases[i].instance), 100 + i, cases[i].instance);
	assert_int_equal(tree_sample(t)->n, T_LEN(cases));
	tree_free(t);
}

// Counter paths ignore letter case, and the total is not a process.
static void
names_are_one_in_any_case(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	task_process(t, 0, (struct task){.id = 10, .comm = "Xorg"});
	task_process(t, 0, (struct task){.id = 11, .comm = "xorg"});
	task_process(t, 0, (struct task){.id = 12, .comm = "_Total"});
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\Thread Count", NULL);
	tree_play(t);
	assert_int_equal(task_id_of(t, "Xorg"), 10);
	assert_int_equal(task_id_of(t, "xorg#1"), 11);
	assert_int_equal(task_id_of(t, "_Total"), 0);
	assert_int_equal(task_id_of(t, "_Total#1"), 12);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\Thread Count"), 3);
	tree_free(t);
}

// A series whose number is reused by a process with differently written case is the same series;
// two network interfaces or folders whose names differ only in case are two instances of one name.
static void
no_path_is_there_twice(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	task_process(t, 0, (struct task){.id = 10, .comm = "Xorg"});
	task_process(t, 2, (struct task){.id = 11, .comm = "XORG", .started = 100100});
	tree_files(
		t, 0, 2, "proc/self/net/dev",
		" eth0: 1 2 0 0 0 0 0 0 4 5 0 0 0 0 0 0\n ETH0: 7 2 0 0 0 0 0 0 4 5 0 0 0 0 0 0\n");
	tree_open(t, "\\Process(*)\\ID Process", "\\Network Interface(*)\\Bytes Received/sec",
		  NULL);
	tree_play(t);
	assert_int_equal(task_id_of(t, "xorg"), 11);
	T_EQ_I64(tree_raw(t, "\\Network Interface(eth0)\\Bytes Received/sec").first, 1);
	T_EQ_I64(tree_raw(t, "\\Network Interface(eth0#1)\\Bytes Received/sec").first, 7);
	assert_int_equal(pmon_schema_count(pmon_source_schema(tree_source(t))), 3);
	tree_free(t);
}

static void
names_have_ids_when_asked(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_options(t)->pid_names = true;
	task_process(t, 0, (struct task){.id = 10, .comm = "bash"});
	task_process(t, 0, (struct task){.id = 11, .comm = "bash"});
	task_thread(t, 0, 11, (struct task){.id = 11, .comm = "bash"});
	tree_open(t, "\\Process(*)\\ID Process", "\\Thread(bash_11/0)\\ID Thread", NULL);
	tree_play(t);
	assert_int_equal(task_id_of(t, "bash_10"), 10);
	assert_int_equal(task_id_of(t, "bash_11"), 11);
	assert_int_equal(task_thread_of(t, "bash_11/0"), 11);
	tree_free(t);
}

// ---- Numbers --------------------------------------------------------------------------------

// Windows renumbers when one ends: here 20 stays bash#1.
static void
numbers_stay_with_their_processes(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		if (n < 1)
			task_process(t, n, (struct task){.id = 10, .comm = "bash"});
		task_process(t, n, (struct task){.id = 20, .comm = "bash", .utime = 100 * n});
		task_process(t, n, (struct task){.id = 30, .comm = "bash"});
		if (n >= 1) // began when 10 ended: its number is not free yet
			task_process(t, n,
				     (struct task){.id = 5, .comm = "bash", .started = 99900});
		if (n >= 2) // a sample has passed without number 0
			task_process(t, n,
				     (struct task){.id = 40, .comm = "bash", .utime = 25 * n});
	}
	tree_open(t, "\\Process(bash#*)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "bash"), 10);
	assert_int_equal(task_id_of(t, "bash#1"), 20);
	assert_int_equal(task_id_of(t, "bash#2"), 30);
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "bash"), 0);
	assert_int_equal(task_id_of(t, "bash#1"), 20);
	assert_int_equal(task_id_of(t, "bash#2"), 30);
	assert_int_equal(task_id_of(t, "bash#3"), 5);
	T_EQ_DBL(tree_number(t, "\\Process(bash#1)\\% User Time"), 100);
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "bash"), 40);
	assert_int_equal(task_id_of(t, "bash#3"), 5);
	// The series starts over: there is nothing to compare with.
	assert_int_equal(tree_status(t, "\\Process(bash)\\% User Time"), PMON_V_FIRST);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\% User Time"), 25);
	tree_free(t);
}

// The id is the same, the start is not: another process.
static void
an_id_is_used_again(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 3; n++)
		task_process(t, n,
			     (struct task){.id = 10,
					   .comm = "sh",
					   .started = n == 0 ? 500 : 99990,
					   .utime = n == 0 ? 100 : 300 + n});
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\% User Time", NULL);
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "sh"), 10);
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "sh"), 0);
	assert_int_equal(task_id_of(t, "sh#1"), 10);
	assert_int_equal(tree_status(t, "\\Process(sh#1)\\% User Time"), PMON_V_FIRST);
	// The first one's values stay in the total, and everything of the second is new: 100 + 301.
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 401 * TICK);
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "sh#1"), 10);
	T_EQ_DBL(tree_number(t, "\\Process(sh#1)\\% User Time"), 1);
	tree_free(t);
}

// exec: the process continues, its instance is another. To the total it is the same process.
static void
another_program_is_another_instance(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	task_process(t, 0, (struct task){.id = 10, .comm = "bash", .utime = 100});
	task_process(t, 1, (struct task){.id = 10, .comm = "ls", .utime = 110});
	task_process(t, 2, (struct task){.id = 10, .comm = "ls", .utime = 115});
	task_process(t, 2, (struct task){.id = 11, .comm = "bash", .started = 100100});
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\% User Time", NULL);
	assert_true(tree_next(t));
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "bash"), 0);
	assert_int_equal(task_id_of(t, "ls"), 10);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\% User Time"), 10);
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "bash"), 11);
	T_EQ_DBL(tree_number(t, "\\Process(ls)\\% User Time"), 5);
	tree_free(t);
}

// 60 processes with the same name in each sample, all new each time. Numbers are reused, so there
// are never more than for two samples.
static void
storms_of_processes_use_numbers_again(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 12; n++)
		for (unsigned i = 0; i < 60; i++)
			task_process(t, n, (struct task){.id = 1000 + 60 * n + i, .comm = "cc1"});
	tree_open(t, "\\Process(*)\\ID Process", NULL);
	tree_play(t);
	assert_int_equal(tree_sample(t)->n, 60);
	assert_int_equal(pmon_schema_count(pmon_source_schema(tree_source(t))), 120);
	tree_free(t);
}

// ---- Names without end ----------------------------------------------------------------------

static void
note_left_out(void *ctx, const struct pmon_notice *notice)
{
	assert_false(notice->is_loss);
	assert_non_null(strstr(notice->text, "left out"));
	++*(int *)ctx;
}

// 12 processes of new names in each sample, 1 that stays, and room for 100 counters: System has one,
// 2 are of the process that stays, so that there is room for 48 or 49 instances more.
static struct tree *
endless_names(struct t_memory *memory, struct pmon_allocator *allocator, int *told)
{
	struct tree *t = tree_new();
	char comm[16];

	*allocator = t_memory_allocator(memory);
	tree_options(t)->allocator = allocator;
	tree_options(t)->limits.series = 100;
	tree_options(t)->notice = note_left_out;
	tree_options(t)->notice_ctx = told;
	for (unsigned n = 0; n < 60; n++) {
		tree_file(t, n, "proc/stat", "ctxt 1000\n");
		task_process(t, n,
			     (struct task){.id = 1, .comm = "init", .started = 5, .utime = n});
		for (unsigned i = 0; i < 12; i++) {
			unsigned id = 100 + n * 12 + i;

			(void)snprintf(comm, sizeof(comm), "job%u", id);
			task_process(t, n, (struct task){.id = id, .comm = comm, .started = id});
		}
	}
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\% User Time",
		  "\\System\\Context Switches/sec", NULL);
	return t;
}

// A source continues with what it has, reports that once, and allocates no more memory.
static void
names_without_end_are_left_out(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator allocator;
	int told = 0;
	struct tree *t = endless_names(&memory, &allocator, &told);
	size_t in_use = 0;

	(void)state;
	for (unsigned n = 0; n < 60; n++) {
		assert_true(tree_next(t));
		assert_int_equal(task_id_of(t, "init"), 1);
		if (n > 0) // 1 tick of 10 ms in 1 s
			T_EQ_DBL(tree_number(t, "\\Process(init)\\% User Time"), 1);
		if (n == 1)
			assert_int_equal(task_id_of(t, "job112"), 112);
		if (n == 40)
			in_use = memory.live_bytes;
	}
	assert_false(tree_next(t));
	assert_int_equal(told, 1);
	assert_int_equal(task_id_of(t, "job800"), 0);
	assert_in_range(pmon_schema_count(pmon_source_schema(tree_source(t))), 50, 100);
	assert_in_range(memory.live_bytes, 1, in_use + in_use / 10);
	tree_free(t);
	assert_int_equal(memory.live_bytes, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_name_is_an_instance),
		cmocka_unit_test(names_without_end_are_left_out),
		cmocka_unit_test(names_are_one_in_any_case),
		cmocka_unit_test(no_path_is_there_twice),
		cmocka_unit_test(names_have_ids_when_asked),
		cmocka_unit_test(numbers_stay_with_their_processes),
		cmocka_unit_test(an_id_is_used_again),
		cmocka_unit_test(another_program_is_another_instance),
		cmocka_unit_test(storms_of_processes_use_numbers_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
