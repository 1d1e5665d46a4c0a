// test_live_cgroup.c - the object Cgroup of recorded machines
// SPDX-License-Identifier: MIT
//
// Files and units: Documentation/admin-guide/cgroup-v2.rst; times are in microseconds.

#include "t.h"

#include "live_tree.h"

#include <stdlib.h>

#define CG "sys/fs/cgroup/unified/"

// As on a machine with both hierarchies: fields after the sixth are optional, and any number.
static const char mounts[] =
	"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
	"31 22 0:26 / /sys/fs/cgroup rw shared:9 - tmpfs tmpfs rw\n"
	"40 31 0:30 / /sys/fs/cgroup/memory rw shared:10 master:2 - cgroup cgroup rw,memory\n"
	"41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:4 master:1 - cgroup2 cgroup2 rw\n";

static void
one_group(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_files(t, 0, 1, "proc/self/mountinfo", mounts);
	tree_file(t, 0, CG "a.slice/cpu.stat",
		  "usage_usec 1000\nuser_usec 600\nsystem_usec 400\nnr_periods 10\nnr_throttled 2\n"
		  "throttled_usec 50\n");
	tree_file(t, 1, CG "a.slice/cpu.stat",
		  "usage_usec 1501000\nuser_usec 1000600\nsystem_usec 500400\nnr_periods 20\n"
		  "nr_throttled 5\nthrottled_usec 250050\n");
	tree_files(t, 0, 1, CG "a.slice/memory.current", "1048576\n");
	tree_files(t, 0, 1, CG "a.slice/memory.max", "4194304\n");
	tree_files(t, 0, 1, CG "a.slice/memory.stat", "anon 4096\nfile 8192\nslab 100\n");
	tree_file(t, 0, CG "a.slice/io.stat",
		  "8:0 rbytes=1024 wbytes=0 rios=1 wios=0 dbytes=0 dios=0\n");
	tree_file(t, 1, CG "a.slice/io.stat",
		  "8:0 rbytes=3072 wbytes=512 rios=2 wios=1 dbytes=0 dios=0\n"
		  "8:16 rbytes=1000 wbytes=0 rios=4 wios=0 dbytes=0 dios=0\n");
	tree_files(t, 0, 1, CG "a.slice/pids.current", "12\n");
	tree_file(t, 0, CG "a.slice/memory.pressure", "some avg10=0.00 total=0\nfull total=0\n");
	tree_file(t, 1, CG "a.slice/memory.pressure",
		  "some avg10=9.00 total=500000\nfull avg10=0.00 total=125000\n");
	tree_open(t, "\\Cgroup(*)\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\% Processor Time"), 150);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\% User Time"), 100);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\% Privileged Time"), 50);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\Periods/sec"), 10);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\Throttled Periods/sec"), 3);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\% Throttled Time"), 25);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\Memory Bytes"), 1048576);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\% Memory Limit In Use"), 25);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\File Cache Bytes"), 8192);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\I/O Read Bytes/sec"), 3048); // 2048 + 1000
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\I/O Write Bytes/sec"), 512);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\I/O Read Operations/sec"), 5);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\Threads"), 12);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\% Memory Stalled Time"), 50);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/a.slice)\\% Memory Fully Stalled Time"), 12.5);
	assert_int_equal(tree_status(t, "\\Cgroup(/a.slice)\\Swap Bytes"), TREE_ABSENT);
	// the root has none of these files here
	T_EQ_U64(tree_count(t, "\\Cgroup(/)\\*"), 0);
	tree_free(t);
}

// "No limit" is not a number; a group without I/O so far has an empty file.
static void
no_limit(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/self/mountinfo", mounts);
	tree_file(t, 0, CG "g/memory.current", "5\n");
	tree_file(t, 0, CG "g/memory.max", "max\n");
	tree_file(t, 0, CG "g/io.stat", "");
	tree_open(t, "\\Cgroup(*)\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/g)\\Memory Bytes"), 5);
	assert_int_equal(tree_status(t, "\\Cgroup(/g)\\Memory Limit Bytes"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Cgroup(/g)\\% Memory Limit In Use"), TREE_ABSENT);
	T_EQ_I64(tree_raw(t, "\\Cgroup(/g)\\I/O Read Bytes/sec").first, 0);
	tree_free(t);
}

// Every name is read back unchanged, and no two groups have the same name.
static void
names(void **state)
{
	static const char *const folders[] = {"a/b/c", "dev-x\\x2dy", "f(x)", "f[x]",
					      "n#1",   "n",           "\xFF"};
	static const char *const want[] = {"/",     "/a",      "/a/b", "/a/b/c", "/dev-x\\x2dy",
					   "/f[x]", "/f[x]#1", "/n_1", "/n",     "/?"};
	struct tree *t = tree_new();
	const struct pmon_schema *schema;
	char path[200];

	(void)state;
	tree_file(t, 0, "proc/self/mountinfo", mounts);
	tree_file(t, 0, CG "pids.current", "1\n");
	tree_file(t, 0, CG "a/pids.current", "1\n");
	tree_file(t, 0, CG "a/b/pids.current", "1\n");
	for (size_t i = 0; i < T_LEN(folders); i++) {
		(void)snprintf(path, sizeof(path), CG "%s/pids.current", folders[i]);
		tree_file(t, 0, path, "1\n");
	}
	tree_open(t, "\\Cgroup(*)\\*", NULL);
	tree_play(t);
	T_EQ_U64(tree_sample(t)->n, T_LEN(want));
	for (size_t i = 0; i < T_LEN(want); i++) {
		(void)snprintf(path, sizeof(path), "\\Cgroup(%s)\\Threads", want[i]);
		T_EQ_DBL(tree_number(t, path), 1);
	}
	schema = pmon_source_schema(tree_source(t));
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);
		struct pmon_path parsed;

		assert_true(pmon_path_parse(series->name, &parsed, NULL));
		assert_true(pmon_path_same(&parsed, &series->path));
	}
	T_EQ_U64(tree_count(t, "\\Cgroup(/a/*)\\*"), 2); // b and b/c
	tree_free(t);
}

// Groups appear and disappear; the collector does not look deeper than 32 levels.
static void
depth(void **state)
{
	struct tree *t = tree_new();
	char path[1000] = CG;

	(void)state;
	tree_files(t, 0, 1, "proc/self/mountinfo", mounts);
	for (int i = 0; i < 40; i++) {
		(void)strcat(path, "d/");
		(void)strcat(path, "pids.current");
		tree_file(t, 0, path, "1\n");
		path[strlen(path) - strlen("pids.current")] = '\0';
	}
	tree_file(t, 1, CG "other/pids.current", "2\n");
	tree_open(t, "\\Cgroup(*)\\*", NULL);
	assert_true(tree_next(t));
	T_EQ_U64(tree_sample(t)->n, 32);
	assert_true(tree_next(t));
	T_EQ_U64(tree_sample(t)->n, 1);
	T_EQ_DBL(tree_number(t, "\\Cgroup(/other)\\Threads"), 2);
	tree_free(t);
}

// A mount point with a blank; below it files that no kernel writes.
static void
hostile(void **state)
{
	struct tree *t = tree_new();
	size_t len = 100000;
	char *text = malloc(len + 1);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < len; i++)
		text[i] = "8:0 rbytes=1 \n"[i % 14];
	text[len] = '\0';
	tree_file(t, 0, "proc/self/mountinfo",
		  "1\n1 2 3\n1 2 3 4 5 6 - cgroup2\n41 31 0:38 / / rw - cgroup2 x rw\n"
		  "41 31 0:38 / /a\\040b/c rw - cgroup2 cgroup2 rw\n");
	tree_file(t, 0, "a b/c/io.stat", text);
	tree_file(t, 0, "a b/c/pids.current", "18446744073709551616\n");
	tree_bytes(t, 0, "a b/c/memory.current", "\0\0", 2);
	tree_file(t, 0, "a b/c/cpu.stat", "usage_usec\nuser_usec -1\nsystem_usec 1");
	tree_open(t, "\\Cgroup(*)\\*", NULL);
	tree_play(t);
	T_EQ_U64(tree_sample(t)->n, 5); // four of io.stat, system_usec
	// 100000 / 14 lines, and one whose number is whole
	T_EQ_I64(tree_raw(t, "\\Cgroup(/)\\I/O Read Bytes/sec").first, 7142 + 1);
	free(text);
	tree_free(t);
}

// A machine of many disks: the sum over all of them, or none when there are too many lines to read.
static void
many_devices(void **state)
{
	static const unsigned counts[] = {300, 100000};

	(void)state;
	for (size_t i = 0; i < T_LEN(counts); i++) {
		struct tree *t = tree_new();
		char *text = malloc((size_t)counts[i] * 64);
		size_t len = 0;

		assert_non_null(text);
		for (unsigned n = 0; n < counts[i]; n++)
			len += (size_t)sprintf(text + len, "8:%u rbytes=2 wbytes=0 rios=1 wios=0\n",
					       n);
		tree_file(t, 0, "proc/self/mountinfo", mounts);
		tree_file(t, 0, CG "a/cpu.stat", "usage_usec 5\n");
		tree_bytes(t, 0, CG "a/io.stat", text, len);
		free(text);
		tree_open(t, "\\Cgroup(/a)\\*", NULL);
		tree_play(t);
		if (i == 0)
			T_EQ_I64(tree_raw(t, "\\Cgroup(/a)\\I/O Read Bytes/sec").first, 600);
		else
			assert_int_equal(tree_status(t, "\\Cgroup(/a)\\I/O Read Bytes/sec"),
					 TREE_ABSENT);
		T_EQ_I64(tree_raw(t, "\\Cgroup(/a)\\% Processor Time").first, 50);
		tree_free(t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_group), cmocka_unit_test(no_limit),
		cmocka_unit_test(names),     cmocka_unit_test(depth),
		cmocka_unit_test(hostile),   cmocka_unit_test(many_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
