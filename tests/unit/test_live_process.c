// test_live_process.c - the objects Process and Thread, on recorded machines and on this one
// SPDX-License-Identifier: MIT
//
// Expected values are worked out from proc(5) and the kernel's Documentation/filesystems/proc.rst:
// times of stat are ticks of 1/100 s (USER_HZ), rss and statm are pages, starttime counts from the
// start of the machine. Trees are 1 s apart and begin 1,000 s after that start.

#include "t.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "live_tree.h"

#define TICK 100000 // 100 ns

// What a test wants to say of a task; zeros are usual for the rest.
struct task {
	unsigned id;
	const char *comm;
	char state; // 0: S
	unsigned parent;
	unsigned long minflt;
	unsigned long majflt;
	unsigned long utime;
	unsigned long stime;
	int priority; // 0: that of nice
	int nice;
	unsigned threads; // 0: one
	unsigned long started;
	unsigned long vsize;
	unsigned long rss;
	unsigned rt_priority;
	unsigned policy;
	unsigned long blkio;
};

// The 52 fields of proc(5), in their order.
static void
stat_file(struct tree *t, unsigned n, const char *folder, const struct task *task)
{
	char path[128];
	char line[1024];

	(void)snprintf(path, sizeof(path), "proc/%s/stat", folder);
	(void)snprintf(
		line, sizeof(line),
		"%u (%s) %c %u 1 1 0 -1 4194304 %lu 7 %lu 8 %lu %lu 9 9 %d %d %u 0 %lu %lu %lu "
		"18446744073709551615 1 1 0 0 0 0 0 4096 0 0 0 0 17 3 %u %u %lu 0 0 0 0 0 0 0 0 "
		"0 0\n",
		task->id, task->comm, task->state != 0 ? task->state : 'S', task->parent,
		task->minflt, task->majflt, task->utime, task->stime,
		task->priority != 0 ? task->priority : 20 + task->nice, task->nice,
		task->threads != 0 ? task->threads : 1, task->started, task->vsize, task->rss,
		task->rt_priority, task->policy, task->blkio);
	tree_file(t, n, path, line);
}

static void
process(struct tree *t, unsigned n, struct task task)
{
	char folder[32];

	(void)snprintf(folder, sizeof(folder), "%u", task.id);
	stat_file(t, n, folder, &task);
}

static void
thread(struct tree *t, unsigned n, unsigned of, struct task task)
{
	char folder[64];

	(void)snprintf(folder, sizeof(folder), "%u/task/%u", of, task.id);
	stat_file(t, n, folder, &task);
}

static void
io_file(struct tree *t, unsigned n, unsigned id, const unsigned long long v[6])
{
	char path[64];
	char text[512];

	(void)snprintf(path, sizeof(path), "proc/%u/io", id);
	(void)snprintf(text, sizeof(text),
		       "rchar: %llu\nwchar: %llu\nsyscr: %llu\nsyscw: %llu\nread_bytes: %llu\n"
		       "write_bytes: %llu\ncancelled_write_bytes: 77\n",
		       v[0], v[1], v[2], v[3], v[4], v[5]);
	tree_file(t, n, path, text);
}

// The process of an instance; 0 when there is none.
static unsigned
id_of(struct tree *t, const char *instance)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "\\Process(%s)\\ID Process", instance);
	return tree_status(t, path) == TREE_ABSENT ? 0 : (unsigned)tree_raw(t, path).first;
}

static unsigned
thread_of(struct tree *t, const char *instance)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "\\Thread(%s)\\ID Thread", instance);
	return tree_status(t, path) == TREE_ABSENT ? 0 : (unsigned)tree_raw(t, path).first;
}

// ---- Values ---------------------------------------------------------------------------------

static void
values_are_those_of_the_files(void **state)
{
	struct tree *t = tree_new();
	double page = (double)sysconf(_SC_PAGESIZE);

	(void)state;
	process(t, 0,
		(struct task){.id = 10,
			      .comm = "bash",
			      .parent = 4,
			      .minflt = 1000,
			      .majflt = 10,
			      .utime = 100,
			      .stime = 50,
			      .nice = 5,
			      .threads = 3,
			      .started = 50000,
			      .vsize = 9000000,
			      .rss = 700,
			      .blkio = 10});
	process(t, 1,
		(struct task){.id = 10,
			      .comm = "bash",
			      .parent = 4,
			      .minflt = 1400,
			      .majflt = 13,
			      .utime = 130,
			      .stime = 60,
			      .nice = 5,
			      .threads = 3,
			      .started = 50000,
			      .vsize = 9000000,
			      .rss = 700,
			      .blkio = 35});
	tree_files(t, 0, 1, "proc/10/statm", "2197 700 300 200 0 450 0\n");
	io_file(t, 0, 10, (unsigned long long[6]){1000, 2000, 10, 20, 4096, 8192});
	io_file(t, 1, 10, (unsigned long long[6]){1500, 2700, 13, 25, 8192, 12288});
	for (unsigned n = 0; n < 2; n++) {
		tree_file(t, n, "proc/10/fd/0", "");
		tree_file(t, n, "proc/10/fd/1", "");
		tree_file(t, n, "proc/10/fd/255", "");
		tree_file(t, n, "proc/sys/kernel/task_delayacct", "1\n");
	}
	tree_open(t, "\\Process(*)\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\% User Time"), 30); // 30 ticks in 1 s
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\% Privileged Time"), 10);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\% Processor Time"), 40);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\% Disk Wait Time"), 25);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\ID Process"), 10);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Creating Process ID"), 4);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Elapsed Time"), 501); // 1,001 s less 500 s
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Thread Count"), 3);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Handle Count"), 3);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Priority Base"), 14); // 19 - 5
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Working Set"), 700 * page);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Working Set - Private"), 400 * page);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Virtual Bytes"), 9000000);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Private Bytes"), 450 * page);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Page Faults/sec"), 403);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Major Faults/sec"), 3);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\IO Read Operations/sec"), 3);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\IO Write Operations/sec"), 5);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\IO Data Operations/sec"), 8);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\IO Read Bytes/sec"), 500);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\IO Write Bytes/sec"), 700);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\IO Data Bytes/sec"), 1200);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Disk Read Bytes/sec"), 4096);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\Disk Write Bytes/sec"), 4096);
	assert_int_equal(tree_count(t, "\\Process(bash)\\*"), 24); // all of the table
	tree_free(t);
}

// The type words of Windows, as its logs have them; faults are 64 bits wide here.
static void
types_are_those_of_windows(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	process(t, 0, (struct task){.id = 10, .comm = "bash"});
	tree_open(t, "\\Process(*)\\*", NULL);
	tree_play(t);
	assert_int_equal(tree_type(t, "\\Process(bash)\\% Processor Time"), 0x20510500);
	assert_int_equal(tree_type(t, "\\Process(bash)\\Elapsed Time"), 0x30240500);
	assert_int_equal(tree_type(t, "\\Process(bash)\\ID Process"), 0x00010000);
	assert_int_equal(tree_type(t, "\\Process(bash)\\Working Set"), 0x00010100);
	assert_int_equal(tree_type(t, "\\Process(bash)\\Page Faults/sec"), 0x10410500);
	tree_free(t);
}

// Three threads that never wait: 250 ticks in a second.
static void
many_processors_are_more_than_100_percent(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	process(t, 0, (struct task){.id = 10, .comm = "make"});
	process(t, 1, (struct task){.id = 10, .comm = "make", .utime = 250});
	tree_open(t, "\\Process(make)\\% User Time", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Process(make)\\% User Time"), 250);
	tree_free(t);
}

// sched(7): policies 1 and 2 are FIFO and RR, 6 is DEADLINE. 39 - priority is the PRI of ps.
static void
priorities_rise(void **state)
{
	static const struct {
		struct task task;
		double base;
		double current;
	} cases[] = {
		{{.id = 1, .comm = "usual"}, 19, 19},
		{{.id = 2, .comm = "nice", .nice = 19}, 0, 0},
		{{.id = 3, .comm = "first", .nice = -20, .priority = 0}, 39, 39},
		{{.id = 4, .comm = "fifo", .policy = 1, .rt_priority = 1, .priority = -2}, 41, 41},
		{{.id = 5, .comm = "rr", .policy = 2, .rt_priority = 99, .priority = -100},
		 139,
		 139},
		{{.id = 6, .comm = "deadline", .policy = 6, .priority = -101}, 140, 140},
		{{.id = 7, .comm = "boosted", .priority = -50}, 19, 89}, // it holds a lock
	};
	struct tree *t = tree_new();
	char path[128];

	(void)state;
	for (size_t i = 0; i < T_LEN(cases); i++) {
		process(t, 0, cases[i].task);
		thread(t, 0, cases[i].task.id, cases[i].task);
	}
	tree_open(t, "\\Process(*)\\*", "\\Thread(*)\\*", NULL);
	tree_play(t);
	for (size_t i = 0; i < T_LEN(cases); i++) {
		(void)snprintf(path, sizeof(path), "\\Process(%s)\\Priority Base",
			       cases[i].task.comm);
		T_EQ_DBL_AT(tree_number(t, path), cases[i].base, path);
		(void)snprintf(path, sizeof(path), "\\Thread(%s/0)\\Priority Current",
			       cases[i].task.comm);
		T_EQ_DBL_AT(tree_number(t, path), cases[i].current, path);
	}
	tree_free(t);
}

// As on kernels before the file, in containers, and of processes of other users.
static void
what_cannot_be_read_is_absent(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 2; n++)
		process(t, n, (struct task){.id = 10, .comm = "bash", .utime = n});
	tree_file(t, 1, "proc/10/io", "rchar: 5\nsyscr: 7\n"); // torn
	tree_file(t, 1, "proc/10/statm", "2197 700");
	tree_files(t, 0, 1, "proc/sys/kernel/task_delayacct", "0\n");
	tree_open(t, "\\Process(*)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_status(t, "\\Process(bash)\\IO Read Bytes/sec"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(bash)\\IO Data Bytes/sec"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(_Total)\\IO Data Bytes/sec"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(bash)\\Private Bytes"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(bash)\\Handle Count"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(bash)\\% Disk Wait Time"), TREE_ABSENT);
	assert_true(tree_next(t));
	assert_int_equal(tree_raw(t, "\\Process(bash)\\IO Read Bytes/sec").first, 5);
	assert_int_equal(tree_status(t, "\\Process(bash)\\IO Data Bytes/sec"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(bash)\\Working Set - Private"), TREE_ABSENT);
	T_EQ_DBL(tree_number(t, "\\Process(bash)\\% User Time"), 1);
	tree_free(t);
}

// A process of one thread whose schedstat is the same has not run, and its other files are not read
// again. These trees say what no kernel would, to show which were read.
static void
who_has_not_run_is_not_read_again(void **state)
{
	static const struct {
		const char *name;
		struct task before;
		struct task after;
		const char *ran_before;
		const char *ran_after;
		bool is_read;
	} cases[] = {
		{"idle", {.rss = 5}, {.rss = 5}, "123 45 6\n", "123 45 6\n", false},
		{"ran", {.rss = 5}, {.rss = 5}, "123 45 6\n", "124 45 6\n", true},
		{"switched", {.rss = 5}, {.rss = 5}, "123 45 6\n", "123 45 7\n", true},
		{"shorter", {.rss = 5}, {.rss = 5}, "123 45 6\n", "123 45", true},
		{"reclaimed", {.rss = 5}, {.rss = 4}, "123 45 6\n", "123 45 6\n", true},
		{"runs", {.rss = 5}, {.rss = 5, .state = 'R'}, "123 45 6\n", "123 45 6\n", true},
		{"threads", {.threads = 2}, {.threads = 2}, "123 45 6\n", "123 45 6\n", true},
		{"uncounted", {.rss = 5}, {.rss = 5}, "0 0 0\n", "0 0 0\n", true},
		{"restarted", {.started = 5}, {.started = 6}, "123 45 6\n", "123 45 6\n", true},
	};
	struct tree *t = tree_new();
	char path[128];

	(void)state;
	for (unsigned i = 0; i < T_LEN(cases); i++) {
		struct task task[2] = {cases[i].before, cases[i].after};

		for (unsigned n = 0; n < 2; n++) {
			task[n].id = 100 + i;
			task[n].comm = cases[i].name;
			process(t, n, task[n]);
			io_file(t, n, 100 + i, (unsigned long long[6]){1000 + n});
			(void)snprintf(path, sizeof(path), "proc/%u/schedstat", 100 + i);
			tree_file(t, n, path, n == 0 ? cases[i].ran_before : cases[i].ran_after);
		}
	}
	tree_open(t, "\\Process(*)\\*", NULL);
	tree_play(t);
	for (unsigned i = 0; i < T_LEN(cases); i++) {
		(void)snprintf(path, sizeof(path), "\\Process(%s%s)\\IO Read Bytes/sec",
			       cases[i].name,
			       cases[i].before.started != cases[i].after.started ? "#1" : "");
		T_EQ_I64_AT(tree_raw(t, path).first, 1000 + cases[i].is_read, path);
	}
	tree_free(t);
}

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
		process(t, 0, (struct task){.id = 100 + i, .comm = cases[i].comm});
	tree_open(t, "\\Process(*)\\ID Process", NULL);
	tree_play(t);
	for (unsigned i = 0; i < T_LEN(cases); i++)
		T_EQ_I64_AT(id_of(t, cases[i].instance), 100 + i, cases[i].instance);
	assert_int_equal(tree_sample(t)->n, T_LEN(cases));
	tree_free(t);
}

// Counter paths are the same in upper and lower case, and the total is no process.
static void
names_are_one_in_any_case(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	process(t, 0, (struct task){.id = 10, .comm = "Xorg"});
	process(t, 0, (struct task){.id = 11, .comm = "xorg"});
	process(t, 0, (struct task){.id = 12, .comm = "_Total"});
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\Thread Count", NULL);
	tree_play(t);
	assert_int_equal(id_of(t, "Xorg"), 10);
	assert_int_equal(id_of(t, "xorg#1"), 11);
	assert_int_equal(id_of(t, "_Total"), 0);
	assert_int_equal(id_of(t, "_Total#1"), 12);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\Thread Count"), 3);
	tree_free(t);
}

static void
names_have_ids_when_asked(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_options(t)->pid_names = true;
	process(t, 0, (struct task){.id = 10, .comm = "bash"});
	process(t, 0, (struct task){.id = 11, .comm = "bash"});
	thread(t, 0, 11, (struct task){.id = 11, .comm = "bash"});
	tree_open(t, "\\Process(*)\\ID Process", "\\Thread(bash_11/0)\\ID Thread", NULL);
	tree_play(t);
	assert_int_equal(id_of(t, "bash_10"), 10);
	assert_int_equal(id_of(t, "bash_11"), 11);
	assert_int_equal(thread_of(t, "bash_11/0"), 11);
	tree_free(t);
}

// ---- Numbers --------------------------------------------------------------------------------

// Windows numbers anew when one ends: here 20 stays bash#1.
static void
numbers_stay_with_their_processes(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		if (n < 1)
			process(t, n, (struct task){.id = 10, .comm = "bash"});
		process(t, n, (struct task){.id = 20, .comm = "bash", .utime = 100 * n});
		process(t, n, (struct task){.id = 30, .comm = "bash"});
		if (n >= 1) // began when 10 ended: its number is not free yet
			process(t, n, (struct task){.id = 5, .comm = "bash", .started = 99900});
		if (n >= 2) // a sample has passed without number 0
			process(t, n, (struct task){.id = 40, .comm = "bash", .utime = 25 * n});
	}
	tree_open(t, "\\Process(bash#*)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "bash"), 10);
	assert_int_equal(id_of(t, "bash#1"), 20);
	assert_int_equal(id_of(t, "bash#2"), 30);
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "bash"), 0);
	assert_int_equal(id_of(t, "bash#1"), 20);
	assert_int_equal(id_of(t, "bash#2"), 30);
	assert_int_equal(id_of(t, "bash#3"), 5);
	T_EQ_DBL(tree_number(t, "\\Process(bash#1)\\% User Time"), 100);
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "bash"), 40);
	assert_int_equal(id_of(t, "bash#3"), 5);
	// The series begins anew: there is nothing to compare with.
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
		process(t, n,
			(struct task){.id = 10,
				      .comm = "sh",
				      .started = n == 0 ? 500 : 99990,
				      .utime = n == 0 ? 100 : 300 + n});
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\% User Time", NULL);
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "sh"), 10);
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "sh"), 0);
	assert_int_equal(id_of(t, "sh#1"), 10);
	assert_int_equal(tree_status(t, "\\Process(sh#1)\\% User Time"), PMON_V_FIRST);
	// What the first had stays in the total, and all that the second has is new: 100 + 301.
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 401 * TICK);
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "sh#1"), 10);
	T_EQ_DBL(tree_number(t, "\\Process(sh#1)\\% User Time"), 1);
	tree_free(t);
}

// exec: the process goes on, its instance is another. To the total it is the same process.
static void
another_program_is_another_instance(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	process(t, 0, (struct task){.id = 10, .comm = "bash", .utime = 100});
	process(t, 1, (struct task){.id = 10, .comm = "ls", .utime = 110});
	process(t, 2, (struct task){.id = 10, .comm = "ls", .utime = 115});
	process(t, 2, (struct task){.id = 11, .comm = "bash", .started = 100100});
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\% User Time", NULL);
	assert_true(tree_next(t));
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "bash"), 0);
	assert_int_equal(id_of(t, "ls"), 10);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\% User Time"), 10);
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "bash"), 11);
	T_EQ_DBL(tree_number(t, "\\Process(ls)\\% User Time"), 5);
	tree_free(t);
}

// 60 processes of a name in each sample, none of them of the sample before. Numbers are had again,
// and so there are no more of them than of two samples.
static void
storms_of_processes_use_numbers_again(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 12; n++)
		for (unsigned i = 0; i < 60; i++)
			process(t, n, (struct task){.id = 1000 + 60 * n + i, .comm = "cc1"});
	tree_open(t, "\\Process(*)\\ID Process", NULL);
	tree_play(t);
	assert_int_equal(tree_sample(t)->n, 60);
	assert_int_equal(pmon_schema_count(pmon_source_schema(tree_source(t))), 120);
	tree_free(t);
}

// ---- The list -------------------------------------------------------------------------------

// A process that ends between the list and the reading leaves a folder without files, or none.
static void
a_process_ends_while_it_is_read(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	process(t, 0, (struct task){.id = 10, .comm = "a", .utime = 5});
	process(t, 0, (struct task){.id = 12, .comm = "b", .utime = 7});
	tree_folder(t, 0, "proc/11");
	tree_folder(t, 0, "proc/self");
	process(t, 1, (struct task){.id = 10, .comm = "a", .utime = 6});
	tree_folder(t, 1, "proc/12");
	process(t, 2, (struct task){.id = 10, .comm = "a", .utime = 6});
	process(t, 2,
		(struct task){.id = 12, .comm = "b", .utime = 9}); // it had not ended after all
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\% User Time", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_count(t, "\\Process(*)\\ID Process"), 2);
	assert_true(tree_next(t));
	assert_int_equal(tree_count(t, "\\Process(*)\\ID Process"), 1);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 13 * TICK);
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "b"), 12);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 15 * TICK);
	tree_free(t);
}

// What only grows never shrinks in the total; the rest is the sum of those that are there.
static void
the_total_keeps_what_ended_processes_had(void **state)
{
	static const unsigned a_read[] = {1000, 900, 1100}; // went back by a little
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 3; n++) {
		process(t, n,
			(struct task){.id = 10, .comm = "a", .utime = 100 + 10 * n, .threads = 2});
		io_file(t, n, 10, (unsigned long long[6]){a_read[n]});
	}
	process(t, 0, (struct task){.id = 11, .comm = "b", .utime = 50, .threads = 4});
	process(t, 2, (struct task){.id = 12, .comm = "c", .utime = 7});
	tree_open(t, "\\Process(_Total)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 150 * TICK);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\IO Read Bytes/sec").first, 1000);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\Thread Count"), 6);
	assert_true(tree_next(t));
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 160 * TICK);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\IO Read Bytes/sec").first, 1000);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\Thread Count"), 2);
	assert_true(tree_next(t));
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 177 * TICK);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\IO Read Bytes/sec").first, 1100);
	// Sums of these say nothing.
	assert_int_equal(tree_status(t, "\\Process(_Total)\\ID Process"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(_Total)\\Elapsed Time"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(_Total)\\Priority Base"), TREE_ABSENT);
	tree_free(t);
}

// The clock since the start went back: everything is new. One sample has no processes, so that the
// first of a name is the first again, and no series goes on from before the restart.
static void
a_restart_begins_anew(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		tree_clock(t, n, TREE_TIME + n * PMON_TIME_PER_SEC,
			   n < 2 ? TREE_PERF + n * PMON_TIME_PER_SEC : n * PMON_TIME_PER_SEC);
		process(t, n,
			(struct task){.id = 1,
				      .comm = "systemd",
				      .started = 3,
				      .utime = n < 2 ? 100 : 500});
	}
	tree_open(t, "\\Process(*)\\*", NULL);
	assert_true(tree_next(t));
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "systemd"), 1);
	assert_true(tree_next(t));
	assert_int_equal(tree_sample(t)->n, 0);
	assert_true(tree_next(t));
	assert_int_equal(id_of(t, "systemd"), 1);
	assert_int_equal(tree_status(t, "\\Process(systemd)\\% User Time"), PMON_V_FIRST);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 500 * TICK);
	tree_free(t);
}

static void
only_what_is_asked_for_is_there(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		process(t, n, (struct task){.id = 10, .comm = "a", .utime = n});
		process(t, n, (struct task){.id = 11, .comm = "b", .utime = 2 * n});
		io_file(t, n, 10, (unsigned long long[6]){5});
		io_file(t, n, 11, (unsigned long long[6]){100 + 7 * n});
	}
	tree_open(t, "\\Process(b)\\IO Read Bytes/sec", "\\Process(_Total)\\% User Time", NULL);
	tree_play(t);
	assert_int_equal(tree_sample(t)->n, 2);
	T_EQ_DBL(tree_number(t, "\\Process(b)\\IO Read Bytes/sec"), 7);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\% User Time"), 3);
	tree_free(t);
}

// ---- Hostile text ---------------------------------------------------------------------------

// A stat that does not tell its comm, its state and its start is none. Other fields that are missing,
// no numbers, or too large are absent.
static void
torn_and_foreign_lines_are_survived(void **state)
{
	static const char tail[] = " 1 1 1 0 -1 4194304 1 0 2 0 3 4 0 0 20 0 1 0 900 5 6";
	static const char *const none[] = {
		"",
		"\n",
		"1",
		"1 (",
		"1 (a",
		"1 (a)",
		"1 (a) S",
		"1 a S 1 1 1",
		")(",
		"1 (a) S 1 1 1 0 -1 0",
		"1 (a) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 x",
		"1 (a) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 99999999999999999999 5 6",
		"1 (a)\nS 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 900 5 6",
	};
	struct tree *t = tree_new();
	char path[64];
	char line[512];

	(void)state;
	for (unsigned i = 0; i < T_LEN(none); i++) {
		(void)snprintf(path, sizeof(path), "proc/%u/stat", 100 + i);
		tree_file(t, 0, path, none[i]);
	}
	(void)snprintf(line, sizeof(line), "1 (short) S%s", tail);
	tree_file(t, 0, "proc/50/stat", line);
	tree_file(t, 0, "proc/51/stat",
		  "1 (large) S 1 1 1 0 -1 0 18446744073709551615 0 1 0 99999999999999999999 "
		  "9223372036854775800 0 0 -999999 99 -5 0 900 5 9223372036854775800\n");
	tree_bytes(t, 0, "proc/52/stat",
		   "1 (n\0ul) S 1 1 1 0 -1 0 1 0 2 0 3 4 0 0 20 0 1 0 900 5 6", 57);
	tree_file(t, 0, "proc/00000000000000053/stat", "1 (long id) S 1");
	tree_file(t, 0, "proc/4294967297/stat", line);
	tree_file(t, 0, "proc/54x/stat", line);
	tree_file(t, 0, "proc/50/statm", "18446744073709551615 18446744073709551615 0 0 0 1 0");
	tree_file(t, 0, "proc/50/io", "rchar: 99999999999999999999999\nwchar: -1\nsyscr:\n:\n");
	tree_open(t, "\\Process(*)\\*", "\\Thread(*)\\*", NULL);
	tree_play(t);
	assert_int_equal(tree_count(t, "\\Process(*)\\ID Process"), 3);
	assert_int_equal(id_of(t, "short"), 50);
	assert_int_equal(tree_raw(t, "\\Process(short)\\% User Time").first, 3 * TICK);
	T_EQ_DBL(tree_number(t, "\\Process(short)\\Priority Base"), 19);
	assert_int_equal(id_of(t, "large"), 51);
	assert_int_equal(tree_status(t, "\\Process(large)\\% User Time"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(large)\\% Privileged Time"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(large)\\Page Faults/sec"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(large)\\Working Set"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(large)\\Thread Count"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(large)\\Priority Base"), TREE_ABSENT);
	T_EQ_DBL(tree_number(t, "\\Process(large)\\Virtual Bytes"), 5);
	assert_int_equal(id_of(t, "n?ul"), 52);
	tree_free(t);
}

// ---- Threads --------------------------------------------------------------------------------

// The first thread is 0 though others have lower ids; numbers stay, and are had again after a sample.
static void
threads_are_numbered_in_their_process(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		process(t, n, (struct task){.id = 10, .comm = "java", .threads = 3});
		thread(t, n, 10, (struct task){.id = 10, .comm = "java", .utime = 10 * n});
		if (n < 1)
			thread(t, n, 10, (struct task){.id = 5, .comm = "gc"});
		thread(t, n, 10, (struct task){.id = 12, .comm = "io", .state = 'R'});
		if (n >= 1)
			thread(t, n, 10, (struct task){.id = 13, .comm = "new"});
		if (n >= 2)
			thread(t, n, 10, (struct task){.id = 14, .comm = "newer"});
		process(t, n, (struct task){.id = 20, .comm = "java"});
		thread(t, n, 20, (struct task){.id = 20, .comm = "java"});
	}
	tree_open(t, "\\Thread(*)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(thread_of(t, "java/0"), 10);
	assert_int_equal(thread_of(t, "java/1"), 5);
	assert_int_equal(thread_of(t, "java/2"), 12);
	assert_int_equal(thread_of(t, "java/0#1"), 20);
	assert_true(tree_next(t));
	assert_int_equal(thread_of(t, "java/1"), 0);
	assert_int_equal(thread_of(t, "java/2"), 12);
	assert_int_equal(thread_of(t, "java/3"), 13);
	assert_true(tree_next(t));
	assert_int_equal(thread_of(t, "java/1"), 14);
	T_EQ_DBL(tree_number(t, "\\Thread(java/0)\\% User Time"), 10);
	T_EQ_DBL(tree_number(t, "\\Thread(_Total/_Total)\\% User Time"), 10);
	T_EQ_DBL(tree_number(t, "\\Thread(java/0)\\ID Process"), 10);
	T_EQ_DBL(tree_number(t, "\\Thread(java/2)\\Thread State"), 2); // running
	T_EQ_DBL(tree_number(t, "\\Thread(java/0)\\Thread State"), 5); // waiting
	assert_int_equal(tree_status(t, "\\Process(java)\\ID Process"), TREE_ABSENT);
	tree_free(t);
}

// A name reads back as what it was made of.
static void
names_of_threads_read_back(void **state)
{
	struct tree *t = tree_new();
	const struct pmon_schema *schema;
	struct pmon_path path;

	(void)state;
	process(t, 0, (struct task){.id = 10, .comm = "a (b)"});
	thread(t, 0, 10, (struct task){.id = 10, .comm = "x"});
	process(t, 0, (struct task){.id = 11, .comm = "a (b)"});
	thread(t, 0, 11, (struct task){.id = 11, .comm = "x"});
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

// exec gives the first thread another parent, and the others end.
static void
threads_move_with_the_name_of_their_process(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	process(t, 0, (struct task){.id = 10, .comm = "bash", .threads = 2});
	thread(t, 0, 10, (struct task){.id = 10, .comm = "bash"});
	thread(t, 0, 10, (struct task){.id = 11, .comm = "bash"});
	process(t, 1, (struct task){.id = 10, .comm = "ls"});
	thread(t, 1, 10, (struct task){.id = 10, .comm = "ls"});
	tree_open(t, "\\Thread(*)\\ID Thread", NULL);
	assert_true(tree_next(t));
	assert_int_equal(thread_of(t, "bash/1"), 11);
	assert_true(tree_next(t));
	assert_int_equal(thread_of(t, "ls/0"), 10);
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
		process(t, n, (struct task){.id = 10, .comm = "a"});
		thread(t, n, 10, (struct task){.id = 10, .comm = "a"});
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
	process(t, 0, (struct task){.id = 10, .comm = "a"});
	thread(t, 0, 10, (struct task){.id = 10, .comm = "a"});
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
		process(t, n, (struct task){.id = 10, .comm = "java", .threads = 2});
		thread(t, n, 10, (struct task){.id = 10, .comm = "java"});
		thread(t, n, 10, (struct task){.id = 11, .comm = "java"});
		// One comes and goes, and takes its number with it.
		process(t, n, (struct task){.id = 20 + n % 3, .comm = "sh", .started = 100 * n});
		thread(t, n, 20 + n % 3, (struct task){.id = 20 + n % 3, .comm = "sh"});
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
	enum pmon_status status = PMON_E_NOMEM;

	(void)state;
	tree_open(t, "\\Process(*)\\*", "\\Thread(*)\\*", NULL);
	options = *tree_options(t);
	options.allocator = &allocator;
	for (size_t n = 1; status == PMON_E_NOMEM; n++) {
		memory = (struct t_memory){.fail_at = n};
		status = pmon_live_open(&options, &source, NULL);
		while (status == PMON_OK)
			status = pmon_source_next(source, &sample, NULL);
		pmon_source_close(source);
		assert_int_equal(memory.live_blocks, 0);
	}
	assert_int_equal(status, PMON_END);
	tree_free(t);
}

// When all names and numbers have been seen, nothing more is needed. Processes come and go.
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
			process(t, n, (struct task){.id = 100 + 5 * n + i, .comm = "sh"});
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

// ---- This machine ---------------------------------------------------------------------------

static struct pmon_source *
open_here(struct pmon_select **select, const char *const *patterns)
{
	struct pmon_live_options options = {.interval_100ns = 0};
	struct pmon_source *source;
	struct pmon_err err;

	assert_int_equal(pmon_select_new(NULL, select, &err), PMON_OK);
	for (; *patterns != NULL; patterns++)
		assert_int_equal(pmon_select_add(*select, t_span(*patterns), &err), PMON_OK);
	options.select = *select;
	if (pmon_live_open(&options, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	return source;
}

// The raw value of a counter of the instance whose id counter says id; -1 when it is not there.
static int64_t
raw_of(struct pmon_source *source, const struct pmon_sample *sample, const char *id_counter,
       int64_t id, const char *counter)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	const struct pmon_path *it = NULL;

	for (size_t i = 0; i < sample->n && it == NULL; i++) {
		const struct pmon_path *path = &pmon_schema_at(schema, sample->series[i])->path;

		if (sample->raw[i].first == id && pmon_text_same(path->counter, t_span(id_counter)))
			it = path;
	}
	for (size_t i = 0; i < sample->n && it != NULL; i++) {
		struct pmon_path path = pmon_schema_at(schema, sample->series[i])->path;
		struct pmon_path want = *it;

		want.counter = t_span(counter);
		if (pmon_path_same(&path, &want))
			return sample->raw[i].first;
	}
	return -1;
}

static volatile unsigned long work; // that nobody takes it away

static int64_t
user_time_100ns(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return (int64_t)usage.ru_utime.tv_sec * PMON_TIME_PER_SEC + usage.ru_utime.tv_usec * 10;
}

// Each end of the difference is cut to whole ticks, and a sample takes a while itself.
static void
our_own_time_is_that_of_getrusage(void **state)
{
	static const char *const patterns[] = {"\\Process(*)\\ID Process",
					       "\\Process(*)\\% User Time", NULL};
	struct pmon_select *select;
	struct pmon_source *source = open_here(&select, patterns);
	const struct pmon_sample *sample;
	int64_t used;
	int64_t seen;

	(void)state;
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	used = -user_time_100ns();
	seen = -raw_of(source, sample, "ID Process", getpid(), "% User Time");
	assert_true(seen <= 0);
	while (used + user_time_100ns() < 100 * PMON_TIME_PER_MSEC)
		for (unsigned i = 0; i < 100000; i++)
			work += i;
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	used += user_time_100ns();
	seen += raw_of(source, sample, "ID Process", getpid(), "% User Time");
	assert_true(seen >= used - 2 * TICK && seen <= used + 2 * TICK);
	pmon_source_close(source);
	pmon_select_free(select);
}

static int64_t
now_in(struct pmon_source *source, int64_t id, const char *counter)
{
	const struct pmon_sample *sample;

	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	return raw_of(source, sample, "ID Process", id, counter);
}

static void
a_child_comes_and_goes(void **state)
{
	static const char *const patterns[] = {"\\Process(*)\\*", NULL};
	struct pmon_select *select;
	struct pmon_source *source = open_here(&select, patterns);
	pid_t child;

	(void)state;
	assert_true(now_in(source, getpid(), "Working Set") > 0);
	child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	assert_true(child > 0);
	assert_int_equal(now_in(source, child, "Creating Process ID"), getpid());
	assert_int_equal(now_in(source, child, "Thread Count"), 1);
	assert_true(now_in(source, child, "Handle Count") >= 3);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(now_in(source, child, "ID Process"), -1);
	pmon_source_close(source);
	pmon_select_free(select);
}

// Waits for a byte, writes 1,000 of them, and tells that it did.
static void
write_when_told(int in, int out)
{
	char bytes[1000] = {0};
	int null = open("/dev/null", O_WRONLY);

	while (read(in, bytes, 1) == 1)
		if (write(null, bytes, sizeof(bytes)) < 0 || write(out, bytes, 1) != 1)
			break;
	_exit(0);
}

// wchar counts what write() gave. The answer itself, of one byte, may be here before it is counted, and
// of the first one it is not known whether it was. valgrind writes a few bytes of its own.
static void
every_byte_is_seen(void **state)
{
	static const char *const patterns[] = {"\\Process(*)\\*", NULL};
	struct pmon_select *select;
	struct pmon_source *source = open_here(&select, patterns);
	int64_t first = 0;
	int64_t written;
	char byte = 0;
	int to[2];
	int from[2];
	pid_t child;

	(void)state;
	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(from), 0);
	child = fork();
	if (child == 0) {
		close(to[1]);
		write_when_told(to[0], from[1]);
	}
	for (int i = 0; i < 5; i++) {
		assert_int_equal(write(to[1], &byte, 1), 1);
		assert_int_equal(read(from[0], &byte, 1), 1);
		for (int again = 0; again < 3; again++) {
			written = now_in(source, child, "IO Write Bytes/sec");
			first = first == 0 ? written : first;
			assert_in_range(written - first + 1, 1001 * i, 1001 * i + 500);
		}
	}
	close(to[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(to[0]);
	close(from[0]);
	close(from[1]);
	pmon_source_close(source);
	pmon_select_free(select);
}

static void
our_own_thread_is_there(void **state)
{
	static const char *const patterns[] = {"\\Thread(*)\\*", NULL};
	struct pmon_select *select;
	struct pmon_source *source = open_here(&select, patterns);
	const struct pmon_sample *sample;

	(void)state;
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	assert_int_equal(raw_of(source, sample, "ID Thread", getpid(), "ID Process"), getpid());
	assert_int_equal(raw_of(source, sample, "ID Thread", getpid(), "Thread State"), 2);
	pmon_source_close(source);
	pmon_select_free(select);
}

static size_t
open_files(void)
{
	size_t n = 0;

	for (int fd = 0; fd < 4096; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

// Half of the files that may be open are left to others; the rest is opened and closed, and nothing
// is missing for it.
static void
files_are_left_to_others(void **state)
{
	static const char *const patterns[] = {"\\Process(*)\\*", NULL};
	struct rlimit before;
	struct rlimit few;
	struct pmon_select *select;
	struct pmon_source *source;
	size_t open_before = open_files();

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 40;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	source = open_here(&select, patterns);
	for (int i = 0; i < 3; i++)
		assert_true(now_in(source, getpid(), "IO Read Bytes/sec") > 0);
	assert_true(now_in(source, getpid(), "Handle Count") >= 3);
	assert_true(open_files() <= open_before + 20 + 4); // root, /proc and the tables' files
	pmon_source_close(source);
	assert_int_equal(open_files(), open_before);
	pmon_select_free(select);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
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
		process(t, n, (struct task){.id = 1, .comm = "init", .started = 5, .utime = n});
		for (unsigned i = 0; i < 12; i++) {
			unsigned id = 100 + n * 12 + i;

			(void)snprintf(comm, sizeof(comm), "job%u", id);
			process(t, n, (struct task){.id = id, .comm = comm, .started = id});
		}
	}
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\% User Time",
		  "\\System\\Context Switches/sec", NULL);
	return t;
}

// A source goes on with what it has, is told once, and takes no more memory.
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
		assert_int_equal(id_of(t, "init"), 1);
		if (n > 0) // 1 tick of 10 ms in 1 s
			T_EQ_DBL(tree_number(t, "\\Process(init)\\% User Time"), 1);
		if (n == 1)
			assert_int_equal(id_of(t, "job112"), 112);
		if (n == 40)
			in_use = memory.live_bytes;
	}
	assert_false(tree_next(t));
	assert_int_equal(told, 1);
	assert_int_equal(id_of(t, "job800"), 0);
	assert_in_range(pmon_schema_count(pmon_source_schema(tree_source(t))), 50, 100);
	assert_in_range(memory.live_bytes, 1, in_use + in_use / 10);
	tree_free(t);
	assert_int_equal(memory.live_bytes, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_the_files),
		cmocka_unit_test(types_are_those_of_windows),
		cmocka_unit_test(many_processors_are_more_than_100_percent),
		cmocka_unit_test(priorities_rise),
		cmocka_unit_test(what_cannot_be_read_is_absent),
		cmocka_unit_test(who_has_not_run_is_not_read_again),
		cmocka_unit_test(any_name_is_an_instance),
		cmocka_unit_test(names_without_end_are_left_out),
		cmocka_unit_test(names_are_one_in_any_case),
		cmocka_unit_test(names_have_ids_when_asked),
		cmocka_unit_test(numbers_stay_with_their_processes),
		cmocka_unit_test(an_id_is_used_again),
		cmocka_unit_test(another_program_is_another_instance),
		cmocka_unit_test(storms_of_processes_use_numbers_again),
		cmocka_unit_test(a_process_ends_while_it_is_read),
		cmocka_unit_test(the_total_keeps_what_ended_processes_had),
		cmocka_unit_test(a_restart_begins_anew),
		cmocka_unit_test(only_what_is_asked_for_is_there),
		cmocka_unit_test(torn_and_foreign_lines_are_survived),
		cmocka_unit_test(threads_are_numbered_in_their_process),
		cmocka_unit_test(names_of_threads_read_back),
		cmocka_unit_test(threads_move_with_the_name_of_their_process),
		cmocka_unit_test(switches_are_of_both_kinds),
		cmocka_unit_test(threads_are_given_on_request),
		cmocka_unit_test(memory_may_be_short),
		cmocka_unit_test(memory_stays_as_it_is),
		cmocka_unit_test(our_own_time_is_that_of_getrusage),
		cmocka_unit_test(a_child_comes_and_goes),
		cmocka_unit_test(every_byte_is_seen),
		cmocka_unit_test(our_own_thread_is_there),
		cmocka_unit_test(files_are_left_to_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
