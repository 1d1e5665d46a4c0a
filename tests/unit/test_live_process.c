// test_live_process.c - the object Process, on recorded machines
// SPDX-License-Identifier: MIT
//
// Expected values are worked out from proc(5) and the kernel's Documentation/filesystems/proc.rst:
// times of stat are ticks of 1/100 s (USER_HZ), rss and statm are pages, starttime counts from the
// start of the machine. Trees are 1 s apart and begin 1,000 s after that start.

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "live_task.h"

// ---- Values ---------------------------------------------------------------------------------

// A process whose files have different contents a second later.
static struct tree *
bash_at_work(void)
{
	const struct task before = {.id = 10,
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
				    .blkio = 10};
	struct task after = before;
	struct tree *t = tree_new();

	after.minflt = 1400;
	after.majflt = 13;
	after.utime = 130;
	after.stime = 60;
	after.blkio = 35;
	task_process(t, 0, before);
	task_process(t, 1, after);
	tree_files(t, 0, 1, "proc/10/statm", "2197 700 300 200 0 450 0\n");
	tree_files(t, 0, 1, "proc/10/status",
		   "Name:\tbash\nVmSwapX:\t9 kB\nVmSwap:\t     120 kB\nHugetlbPages:\t0 kB\n");
	tree_files(t, 0, 1, "proc/meminfo", "SwapTotal: 1000 kB\n");
	task_io(t, 0, 10, (unsigned long long[6]){1000, 2000, 10, 20, 4096, 8192});
	task_io(t, 1, 10, (unsigned long long[6]){1500, 2700, 13, 25, 8192, 12288});
	tree_files(t, 0, 1, "proc/10/fd/0", "");
	tree_files(t, 0, 1, "proc/10/fd/1", "");
	tree_files(t, 0, 1, "proc/10/fd/255", "");
	tree_files(t, 0, 1, "proc/sys/kernel/task_delayacct", "1\n");
	return t;
}

static void
values_are_those_of_the_files(void **state)
{
	const double page = (double)sysconf(_SC_PAGESIZE);
	const struct {
		const char *counter;
		double value;
	} rows[] = {
		{"% User Time", 30}, // 30 ticks in 1 s
		{"% Privileged Time", 10},     {"% Processor Time", 40},
		{"% Disk Wait Time", 25},      {"ID Process", 10},
		{"Creating Process ID", 4},    {"Elapsed Time", 501}, // 1,001 s less 500 s
		{"Thread Count", 3},           {"Handle Count", 3},
		{"Priority Base", 14}, // 19 - 5
		{"Working Set", 700 * page},   {"Working Set - Private", 400 * page},
		{"Virtual Bytes", 9000000},    {"Private Bytes", 400 * page + 120 * 1024.0},
		{"Page Faults/sec", 403},      {"Major Faults/sec", 3},
		{"IO Read Operations/sec", 3}, {"IO Write Operations/sec", 5},
		{"IO Data Operations/sec", 8}, {"IO Read Bytes/sec", 500},
		{"IO Write Bytes/sec", 700},   {"IO Data Bytes/sec", 1200},
		{"Disk Read Bytes/sec", 4096}, {"Disk Write Bytes/sec", 4096},
	};
	struct tree *t = bash_at_work();

	(void)state;
	tree_open(t, "\\Process(*)\\*", NULL);
	tree_play(t);
	for (size_t i = 0; i < T_LEN(rows); i++) {
		char path[128];

		(void)snprintf(path, sizeof(path), "\\Process(bash)\\%s", rows[i].counter);
		T_EQ_DBL_AT(tree_number(t, path), rows[i].value, path);
	}
	assert_int_equal(tree_count(t, "\\Process(bash)\\*"), T_LEN(rows));
	tree_free(t);
}

// The type words of Windows, as its logs have them; faults are 64 bits wide here.
static void
types_are_those_of_windows(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	task_process(t, 0, (struct task){.id = 10, .comm = "bash"});
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
	task_process(t, 0, (struct task){.id = 10, .comm = "make"});
	task_process(t, 1, (struct task){.id = 10, .comm = "make", .utime = 250});
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
		task_process(t, 0, cases[i].task);
		task_thread(t, 0, cases[i].task.id, cases[i].task);
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

// As on kernels without the file, in containers, and for processes of other users.
static void
unreadable_values_are_absent(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 2; n++)
		task_process(t, n, (struct task){.id = 10, .comm = "bash", .utime = n});
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
idle_processes_are_not_read_again(void **state)
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
			task_process(t, n, task[n]);
			task_io(t, n, 100 + i, (unsigned long long[6]){1000 + n});
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

// ---- Start times ----------------------------------------------------------------------------

// The clock of a counter's differences, minus the age in Elapsed Time, is the
// time at which the process or thread was started: its count was 0 then.
static void
check_start(struct tree *t, const struct pmon_series *series, const struct pmon_raw *raw,
	    pmon_time started, int64_t started_perf)
{
	struct pmon_path path = series->path;
	struct pmon_raw elapsed;
	char text[256];
	int64_t start;

	path.machine = (struct pmon_span){NULL, 0};
	path.counter = PMON_SPAN("Elapsed Time");
	(void)pmon_path_format(&path, text, sizeof(text));
	elapsed = tree_raw(t, text);
	T_EQ_I64_AT(elapsed.first, started, text);
	T_EQ_I64_AT(series->counter.time_base, PMON_TIME_PER_SEC, text);
	start = raw->second - (elapsed.second - elapsed.first);
	switch (pmon_type_by_word(series->counter.type)->second) {
	case PMON_SECOND_PERFTIME:
		T_EQ_I64_AT(start, started_perf, series->name.ptr);
		break;
	case PMON_SECOND_100NS:
	case PMON_SECOND_OBJECT:
	case PMON_SECOND_TIMESTAMP:
		T_EQ_I64_AT(start, started, series->name.ptr);
		break;
	case PMON_SECOND_NONE:
	case PMON_SECOND_BASE:
		break;
	}
}

// Started 99,957 ticks after the machine: 0.43 s before the first sample. All counters of a sample have
// the same start, and each sample repeats it.
static void
start_is_on_the_clock_of_each_counter(void **state)
{
	const struct task task = {.id = 10, .comm = "a", .started = 99957};
	const int64_t perf = INT64_C(99957) * TICK;
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 3; n++) {
		task_process(t, n, task);
		task_thread(t, n, 10, task);
		task_io(t, n, 10, (unsigned long long[6]){0});
	}
	tree_files(t, 0, 2, "proc/sys/kernel/task_delayacct", "1\n");
	tree_open(t, "\\Process(a)\\*", "\\Thread(a/0)\\*", NULL);
	for (unsigned n = 0; n < 3; n++) {
		const struct pmon_schema *schema = pmon_source_schema(tree_source(t));

		assert_true(tree_next(t));
		assert_true(tree_sample(t)->n >= 24); // 9 of Thread without switches
		for (size_t i = 0; i < tree_sample(t)->n; i++)
			check_start(t, pmon_schema_at(schema, tree_sample(t)->series[i]),
				    &tree_sample(t)->raw[i], TREE_TIME - TREE_PERF + perf, perf);
	}
	tree_free(t);
}

// ---- The list -------------------------------------------------------------------------------

// A process that ends between the list and the reading leaves a folder without files, or none.
static void
a_process_ends_while_it_is_read(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	task_process(t, 0, (struct task){.id = 10, .comm = "a", .utime = 5});
	task_process(t, 0, (struct task){.id = 12, .comm = "b", .utime = 7});
	tree_folder(t, 0, "proc/11");
	tree_folder(t, 0, "proc/self");
	task_process(t, 1, (struct task){.id = 10, .comm = "a", .utime = 6});
	tree_folder(t, 1, "proc/12");
	task_process(t, 2, (struct task){.id = 10, .comm = "a", .utime = 6});
	task_process(
		t, 2,
		(struct task){.id = 12, .comm = "b", .utime = 9}); // it had not ended after all
	tree_open(t, "\\Process(*)\\ID Process", "\\Process(*)\\% User Time", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_count(t, "\\Process(*)\\ID Process"), 2);
	assert_true(tree_next(t));
	assert_int_equal(tree_count(t, "\\Process(*)\\ID Process"), 1);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 13 * TICK);
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "b"), 12);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 15 * TICK);
	tree_free(t);
}

// Counts never shrink in the total; its other values are the sums of the existing processes.
static void
the_total_keeps_what_ended_processes_had(void **state)
{
	static const unsigned a_read[] = {1000, 900, 1100}; // went back by a little
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 3; n++) {
		task_process(
			t, n,
			(struct task){.id = 10, .comm = "a", .utime = 100 + 10 * n, .threads = 2});
		task_io(t, n, 10, (unsigned long long[6]){a_read[n]});
	}
	task_process(t, 0, (struct task){.id = 11, .comm = "b", .utime = 50, .threads = 4});
	task_io(t, 0, 11, (unsigned long long[6]){300});
	task_process(t, 2, (struct task){.id = 12, .comm = "c", .utime = 7});
	task_io(t, 2, 12, (unsigned long long[6]){20});
	tree_open(t, "\\Process(_Total)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 150 * TICK);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\IO Read Bytes/sec").first, 1300);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\Thread Count"), 6);
	assert_true(tree_next(t));
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 160 * TICK);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\IO Read Bytes/sec").first, 1300);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\Thread Count"), 2);
	assert_true(tree_next(t));
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 177 * TICK);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\IO Read Bytes/sec").first, 1420);
	// Sums of these are meaningless.
	assert_int_equal(tree_status(t, "\\Process(_Total)\\ID Process"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(_Total)\\Elapsed Time"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(_Total)\\Priority Base"), TREE_ABSENT);
	tree_free(t);
}

// The io of a process of another user cannot be opened. The sum of the others is not the total; when
// all can be read again it starts over, since nothing shows what was done in between.
static void
a_part_is_not_the_total(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		task_process(t, n, (struct task){.id = 10, .comm = "a", .utime = n});
		task_process(t, n, (struct task){.id = 11, .comm = "b", .utime = n});
		task_io(t, n, 10, (unsigned long long[6]){100 * n});
		if (n != 1)
			task_io(t, n, 11, (unsigned long long[6]){1000 * n});
		tree_file(t, n, "proc/10/statm", "9 7 3 1 0 4 0\n");
		tree_file(t, n, "proc/11/statm", n != 1 ? "9 7 3 1 0 4 0\n" : "9 7"); // torn
	}
	tree_files(t, 0, 3, "proc/meminfo", "SwapTotal: 0 kB\n"); // then no status is needed
	tree_open(t, "\\Process(*)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\IO Read Bytes/sec").first, 0);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Process(a)\\IO Read Bytes/sec"), 100);
	assert_int_equal(tree_status(t, "\\Process(_Total)\\IO Read Bytes/sec"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(_Total)\\IO Data Operations/sec"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(_Total)\\Private Bytes"), TREE_ABSENT);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\% User Time"), 2);
	assert_true(tree_next(t));
	assert_int_equal(tree_status(t, "\\Process(_Total)\\IO Read Bytes/sec"), PMON_V_FIRST);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\Private Bytes"),
		 8 * (double)sysconf(_SC_PAGESIZE));
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\IO Read Bytes/sec"), 1100);
	tree_free(t);
}

// An empty stat belongs to a process about which nothing is known. If other files are
// missing together with stat, the process has ended.
static void
unreadable_processes_are_missing_in_the_total(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 3; n++)
		task_process(t, n, (struct task){.id = 10, .comm = "a", .utime = n});
	tree_file(t, 1, "proc/11/stat", "");
	tree_folder(t, 2, "proc/11");
	tree_open(t, "\\Process(*)\\*", "\\Thread(*)\\*", NULL);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\Thread Count"), 1);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Process(a)\\% User Time"), 1);
	assert_int_equal(tree_count(t, "\\Process(_Total)\\*"), 0);
	assert_int_equal(tree_count(t, "\\Thread(_Total/_Total)\\*"), 0);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\Thread Count"), 1);
	tree_free(t);
}

// proc(5), hidepid: with 2 and 4, processes of other users are listed only for those who may trace
// them, and with 2 also for members of a group. With 0 and 1, all are listed.
static void
hidden_processes_are_missing_in_the_total(void **state)
{
	static const char all[] = "000001ffffffffff";
	static const char none[] = "0000000000000000";
	static const char ptrace[] = "0000000000080000"; // bit 19 of capabilities(7)
	static const struct {
		const char *options;
		int first; // the user of process 1; -1: it is not listed
		unsigned user;
		const char *capabilities;
		bool is_whole;
	} cases[] = {
		{"rw", -1, 1000, none, true},
		{"rw,hidepid=0", -1, 1000, none, true},
		{"rw,hidepid=1", 0, 1000, none, true},
		{"rw,hidepid=noaccess", 0, 1000, none, true},
		{"rw,hidepid=2", -1, 1000, none, false},
		{"rw,gid=4,hidepid=invisible", -1, 1000, none, false},
		{"rw,hidepid=4", -1, 1000, none, false},
		{"rw,hidepid=ptraceable", -1, 1000, none, false},
		{"rw,hidepid=invisible", 0, 0, all, true},
		{"rw,hidepid=invisible", 0, 0, ptrace, true},
		{"rw,hidepid=invisible", -1, 0, all, false}, // in a user namespace of its own
		{"rw,hidepid=invisible", 0, 0, none, false},
		{"rw,gid=4,hidepid=invisible", 0, 1000, none, true}, // of that group
		{"rw,hidepid=invisible", 1000, 1000, none, false},   // in a container
	};

	(void)state;
	for (unsigned i = 0; i < T_LEN(cases); i++) {
		struct tree *t = tree_new();
		char text[256];

		task_process(t, 0, (struct task){.id = 10, .comm = "a"});
		(void)snprintf(text, sizeof(text),
			       "20 1 0:20 / / rw - ext4 /dev/sda1 rw\n"
			       "22 20 0:21 / /proc rw shared:12 - proc proc %s\n",
			       cases[i].options);
		tree_file(t, 0, "proc/self/mountinfo", text);
		(void)snprintf(text, sizeof(text),
			       "Name:\tpmon\nUid:\t%u\t%u\t%u\t%u\nCapEff:\t%s\n", 77,
			       cases[i].user, 77, 77, cases[i].capabilities);
		tree_file(t, 0, "proc/self/status", text);
		(void)snprintf(text, sizeof(text), "Uid:\t%d\t%d\t0\t0\n", cases[i].first,
			       cases[i].first);
		if (cases[i].first >= 0) {
			tree_file(t, 0, "proc/1/status", text);
			task_process(t, 0, (struct task){.id = 1, .comm = "init"});
		}
		tree_open(t, "\\Process(*)\\*", "\\System\\Processes", NULL);
		tree_play(t);
		assert_int_equal(task_id_of(t, "a"), 10);
		T_EQ_BOOL_AT(tree_count(t, "\\Process(_Total)\\*") > 0, cases[i].is_whole,
			     cases[i].options);
		T_EQ_BOOL_AT(tree_count(t, "\\System\\Processes") > 0, cases[i].is_whole,
			     cases[i].options);
		tree_free(t);
	}
}

// Before Linux 5.14, no file says whether disk waits are counted, and 0 may mean that they are not.
static void
disk_waits_are_believed_when_one_is_seen(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		task_process(t, n, (struct task){.id = 10, .comm = "a", .blkio = n >= 1 ? 5 : 0});
		task_process(t, n, (struct task){.id = 11, .comm = "b", .blkio = n == 3 ? 30 : 0});
	}
	tree_open(t, "\\Process(*)\\% Disk Wait Time", NULL);
	assert_true(tree_next(t) && tree_next(t));
	assert_int_equal(tree_sample(t)->n, 0);
	assert_true(tree_next(t));
	assert_int_equal(tree_raw(t, "\\Process(b)\\% Disk Wait Time").first, 0);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Process(b)\\% Disk Wait Time"), 30);
	tree_free(t);
}

// The clock since the start went back: everything is new. One sample has no processes, so that the
// first of a name is the first again, and no series continues from before the restart.
static void
a_restart_begins_anew(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		tree_clock(t, n, TREE_TIME + n * PMON_TIME_PER_SEC,
			   n < 2 ? TREE_PERF + n * PMON_TIME_PER_SEC : n * PMON_TIME_PER_SEC);
		task_process(t, n,
			     (struct task){.id = 1,
					   .comm = "systemd",
					   .started = 3,
					   .utime = n < 2 ? 100 : 500});
	}
	tree_open(t, "\\Process(*)\\*", NULL);
	assert_true(tree_next(t));
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "systemd"), 1);
	assert_true(tree_next(t));
	assert_int_equal(tree_sample(t)->n, 0);
	assert_true(tree_next(t));
	assert_int_equal(task_id_of(t, "systemd"), 1);
	assert_int_equal(tree_status(t, "\\Process(systemd)\\% User Time"), PMON_V_FIRST);
	assert_int_equal(tree_raw(t, "\\Process(_Total)\\% User Time").first, 500 * TICK);
	tree_free(t);
}

static void
only_requested_counters_are_present(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		task_process(t, n, (struct task){.id = 10, .comm = "a", .utime = n});
		task_process(t, n, (struct task){.id = 11, .comm = "b", .utime = 2 * n});
		task_io(t, n, 10, (unsigned long long[6]){5});
		task_io(t, n, 11, (unsigned long long[6]){100 + 7 * n});
	}
	tree_open(t, "\\Process(b)\\IO Read Bytes/sec", "\\Process(_Total)\\% User Time", NULL);
	tree_play(t);
	assert_int_equal(tree_sample(t)->n, 2);
	T_EQ_DBL(tree_number(t, "\\Process(b)\\IO Read Bytes/sec"), 7);
	T_EQ_DBL(tree_number(t, "\\Process(_Total)\\% User Time"), 3);
	tree_free(t);
}

// ---- Hostile text ---------------------------------------------------------------------------

// A stat without comm, state and start is invalid. Other fields that are missing,
// not numbers, or too large are absent.
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
	assert_int_equal(task_id_of(t, "short"), 50);
	assert_int_equal(tree_raw(t, "\\Process(short)\\% User Time").first, 3 * TICK);
	T_EQ_DBL(tree_number(t, "\\Process(short)\\Priority Base"), 19);
	assert_int_equal(task_id_of(t, "large"), 51);
	assert_int_equal(tree_status(t, "\\Process(large)\\% User Time"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(large)\\% Privileged Time"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(large)\\Page Faults/sec"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(large)\\Working Set"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(large)\\Thread Count"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Process(large)\\Priority Base"), TREE_ABSENT);
	T_EQ_DBL(tree_number(t, "\\Process(large)\\Virtual Bytes"), 5);
	assert_int_equal(task_id_of(t, "n?ul"), 52);
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_the_files),
		cmocka_unit_test(types_are_those_of_windows),
		cmocka_unit_test(many_processors_are_more_than_100_percent),
		cmocka_unit_test(priorities_rise),
		cmocka_unit_test(unreadable_values_are_absent),
		cmocka_unit_test(idle_processes_are_not_read_again),
		cmocka_unit_test(start_is_on_the_clock_of_each_counter),
		cmocka_unit_test(a_process_ends_while_it_is_read),
		cmocka_unit_test(the_total_keeps_what_ended_processes_had),
		cmocka_unit_test(a_part_is_not_the_total),
		cmocka_unit_test(unreadable_processes_are_missing_in_the_total),
		cmocka_unit_test(hidden_processes_are_missing_in_the_total),
		cmocka_unit_test(disk_waits_are_believed_when_one_is_seen),
		cmocka_unit_test(a_restart_begins_anew),
		cmocka_unit_test(only_requested_counters_are_present),
		cmocka_unit_test(torn_and_foreign_lines_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
