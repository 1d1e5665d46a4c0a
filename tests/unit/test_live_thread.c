// test_live_thread.c - the object Thread on recorded machines, and the memory that tasks take
// SPDX-License-Identifier: MIT
//
// Expected values are worked out from proc(5) and the kernel's Documentation/filesystems/proc.rst:
// times of stat are ticks of 1/100 s (USER_HZ), rss and statm are pages, starttime counts from the
// start of the machine. Trees are 1 s apart and begin 1,000 s after that start.

#include "t.h"

#include <stdlib.h>

#include <pmon/pmon.h>

#include "live_task.h"

// ---- Threads --------------------------------------------------------------------------------

// The first thread is 0 although others have lower ids; numbers stay the same, and are reused after
// a sample without them.
static void
threads_are_numbered_in_their_process(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		task_process(t, n, (struct task){.id = 10, .comm = "java", .threads = 3});
		task_thread(t, n, 10, (struct task){.id = 10, .comm = "java", .utime = 10 * n});
		if (n < 1)
			task_thread(t, n, 10, (struct task){.id = 5, .comm = "gc"});
		task_thread(t, n, 10, (struct task){.id = 12, .comm = "io", .state = 'R'});
		if (n >= 1)
			task_thread(t, n, 10, (struct task){.id = 13, .comm = "new"});
		if (n >= 2)
			task_thread(t, n, 10, (struct task){.id = 14, .comm = "newer"});
		task_process(t, n, (struct task){.id = 20, .comm = "java"});
		task_thread(t, n, 20, (struct task){.id = 20, .comm = "java"});
	}
	tree_open(t, "\\Thread(*)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(task_thread_of(t, "java/0"), 10);
	assert_int_equal(task_thread_of(t, "java/1"), 5);
	assert_int_equal(task_thread_of(t, "java/2"), 12);
	assert_int_equal(task_thread_of(t, "java/0#1"), 20);
	assert_true(tree_next(t));
	assert_int_equal(task_thread_of(t, "java/1"), 0);
	assert_int_equal(task_thread_of(t, "java/2"), 12);
	assert_int_equal(task_thread_of(t, "java/3"), 13);
	assert_true(tree_next(t));
	assert_int_equal(task_thread_of(t, "java/1"), 14);
	T_EQ_DBL(tree_number(t, "\\Thread(java/0)\\% User Time"), 10);
	T_EQ_DBL(tree_number(t, "\\Thread(_Total/_Total)\\% User Time"), 10);
	T_EQ_DBL(tree_number(t, "\\Thread(java/0)\\ID Process"), 10);
	T_EQ_DBL(tree_number(t, "\\Thread(java/2)\\Thread State"), 2); // running
	T_EQ_DBL(tree_number(t, "\\Thread(java/0)\\Thread State"), 5); // waiting
	assert_int_equal(tree_status(t, "\\Process(java)\\ID Process"), TREE_ABSENT);
	tree_free(t);
}

static void
names_of_threads_read_back(void **state)
{
	struct tree *t = tree_new();
	const struct pmon_schema *schema;
	struct pmon_path path;

	(void)state;
	task_process(t, 0, (struct task){.id = 10, .comm = "a (b)"});
	task_thread(t, 0, 10, (struct task){.id = 10, .comm = "x"});
	task_process(t, 0, (struct task){.id = 11, .comm = "a (b)"});
	task_thread(t, 0, 11, (struct task){.id = 11, .comm = "x"});
	tree_open(t, "\\Thread(*)\\ID Thread", NULL);
	tree_play(t);
	schema = pmon_source_schema(tree_source(t));
	assert_int_equal(pmon_schema_count(schema), 2);
	for (size_t i = 0; i < 2; i++) {
		assert_true(pmon_path_parse(pmon_schema_at(schema, i)->name, &path, NULL));
		assert_true(pmon_path_same(&path, &pmon_schema_at(schema, i)->path));
		T_EQ_SPAN(path.parent, "a [b]");
		T_EQ_SPAN(path.instance, "0");
		assert_int_equal(path.index, i);
	}
	tree_free(t);
}

// exec gives the first thread another parent, and ends the others.
static void
threads_move_with_the_name_of_their_process(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	task_process(t, 0, (struct task){.id = 10, .comm = "bash", .threads = 2});
	task_thread(t, 0, 10, (struct task){.id = 10, .comm = "bash"});
	task_thread(t, 0, 10, (struct task){.id = 11, .comm = "bash"});
	task_process(t, 1, (struct task){.id = 10, .comm = "ls"});
	task_thread(t, 1, 10, (struct task){.id = 10, .comm = "ls"});
	tree_open(t, "\\Thread(*)\\ID Thread", NULL);
	assert_true(tree_next(t));
	assert_int_equal(task_thread_of(t, "bash/1"), 11);
	assert_true(tree_next(t));
	assert_int_equal(task_thread_of(t, "ls/0"), 10);
	assert_int_equal(tree_sample(t)->n, 1);
	tree_free(t);
}

// voluntary_ctxt_switches and nonvoluntary_ctxt_switches, of proc.rst.
static void
switches_are_of_both_kinds(void **state)
{
	static const char format[] = "Name:\tx\nvoluntary_ctxt_switches:\t%u\n"
				     "nonvoluntary_ctxt_switches:\t%u\n";
	struct tree *t = tree_new();
	char text[256];

	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		task_process(t, n, (struct task){.id = 10, .comm = "a"});
		task_thread(t, n, 10, (struct task){.id = 10, .comm = "a"});
		(void)snprintf(text, sizeof(text), format, 100 + 20 * n, 7 + 3 * n);
		tree_file(t, n, "proc/10/task/10/status", text);
	}
	tree_open(t, "\\Thread(*)\\Context Switches/sec", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Thread(a/0)\\Context Switches/sec"), 23);
	tree_free(t);
}

static void
threads_are_given_on_request(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	task_process(t, 0, (struct task){.id = 10, .comm = "a"});
	task_thread(t, 0, 10, (struct task){.id = 10, .comm = "a"});
	tree_open(t, NULL);
	tree_play(t);
	assert_int_equal(tree_count(t, "\\Thread(*)\\*"), 0);
	assert_true(tree_count(t, "\\Process(a)\\*") > 0);
	tree_free(t);
}

// ---- Memory ---------------------------------------------------------------------------------

static struct tree *
small_machine(void)
{
	struct tree *t = tree_new();

	for (unsigned n = 0; n < 6; n++) {
		task_process(t, n, (struct task){.id = 10, .comm = "java", .threads = 2});
		task_thread(t, n, 10, (struct task){.id = 10, .comm = "java"});
		task_thread(t, n, 10, (struct task){.id = 11, .comm = "java"});
		// One appears and disappears, together with its number.
		task_process(t, n,
			     (struct task){.id = 20 + n % 3, .comm = "sh", .started = 100 * n});
		task_thread(t, n, 20 + n % 3, (struct task){.id = 20 + n % 3, .comm = "sh"});
	}
	return t;
}

// The n-th allocation fails, whichever it is: a status, and nothing is lost.
static void
memory_may_be_short(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct tree *t = small_machine();
	const struct pmon_sample *sample;
	struct pmon_live_options options;
	struct pmon_source *source;
	bool is_done = false;

	(void)state;
	tree_open(t, "\\Process(*)\\*", "\\Thread(*)\\*", NULL);
	options = *tree_options(t);
	options.allocator = &allocator;
	for (size_t n = 1; !is_done; n++) {
		enum pmon_status status;

		memory = (struct t_memory){.fail_at = n};
		status = pmon_live_open(&options, &source, NULL);
		while (status == PMON_OK)
			status = pmon_source_next(source, &sample, NULL);
		pmon_source_close(source);
		assert_int_equal(memory.live_blocks, 0);
		is_done = t_memory_sufficed(&memory);
		assert_int_equal(status, is_done ? PMON_END : PMON_E_NOMEM);
	}
	tree_free(t);
}

// Once all names and numbers have occurred, no more memory is needed, although processes come and
// go.
static void
memory_stays_as_it_is(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct tree *t = tree_new();
	size_t before = 0;

	(void)state;
	for (unsigned n = 0; n < 40; n++)
		for (unsigned i = 0; i < 5; i++)
			task_process(t, n, (struct task){.id = 100 + 5 * n + i, .comm = "sh"});
	tree_options(t)->allocator = &allocator;
	tree_open(t, "\\Process(*)\\*", NULL);
	for (unsigned n = 0; n < 40; n++) {
		assert_true(tree_next(t));
		if (n == 3)
			before = memory.live_bytes;
	}
	assert_int_equal(memory.live_bytes, before);
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_numbered_in_their_process),
		cmocka_unit_test(names_of_threads_read_back),
		cmocka_unit_test(threads_move_with_the_name_of_their_process),
		cmocka_unit_test(switches_are_of_both_kinds),
		cmocka_unit_test(threads_are_given_on_request),
		cmocka_unit_test(memory_may_be_short),
		cmocka_unit_test(memory_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
