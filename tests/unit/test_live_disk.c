// test_live_disk.c - PhysicalDisk, from recorded /proc/diskstats
// SPDX-License-Identifier: MIT
//
// The fields after the name are those of the kernel's Documentation/admin-guide/iostats.rst: 1 reads,
// 2 reads merged, 3 sectors read, 4 ms reading, 5 writes, 6 writes merged, 7 sectors written, 8 ms
// writing, 9 under way, 10 ms busy, 11 ms times queue; since 4.18 12 discards, 13 merged, 14 sectors,
// 15 ms; since 5.5 16 flushes, 17 ms. A sector is 512 bytes. Trees are one second apart.

#include "t.h"

#include <stdlib.h>

#include "live_tree.h"

#define DISK(name, counter) "\\PhysicalDisk(" name ")\\" counter

// ---- One disk -------------------------------------------------------------------------------

static void
counters_of_a_second(void **state)
{
	struct tree *t = tree_new();
	// What changes: 10 reads of 160 sectors in 40 ms, 20 writes of 640 sectors in 160 ms, busy for
	// 250 ms, 2 discards of 64 sectors in 2 ms, 1 flush in 2 ms.
	static const struct {
		const char *path;
		double want;
	} rows[] = {
		{DISK("sda", "Disk Reads/sec"), 10},
		{DISK("sda", "Disk Writes/sec"), 20},
		{DISK("sda", "Disk Transfers/sec"), 30},
		{DISK("sda", "Disk Read Bytes/sec"), 160 * 512},
		{DISK("sda", "Disk Write Bytes/sec"), 640 * 512},
		{DISK("sda", "Disk Bytes/sec"), 800 * 512},
		{DISK("sda", "Avg. Disk sec/Read"), 0.04 / 10},
		{DISK("sda", "Avg. Disk sec/Write"), 0.16 / 20},
		{DISK("sda", "Avg. Disk sec/Transfer"), 0.2 / 30},
		{DISK("sda", "Avg. Disk Bytes/Read"), 8192},
		{DISK("sda", "Avg. Disk Bytes/Write"), 16384},
		{DISK("sda", "Avg. Disk Bytes/Transfer"), 409600 / 30.0},
		{DISK("sda", "% Disk Read Time"), 4},
		{DISK("sda", "% Disk Write Time"), 16},
		{DISK("sda", "% Disk Time"), 20},
		{DISK("sda", "% Idle Time"), 75},
		{DISK("sda", "Avg. Disk Read Queue Length"), 0.04},
		{DISK("sda", "Avg. Disk Write Queue Length"), 0.16},
		{DISK("sda", "Avg. Disk Queue Length"), 0.2},
		{DISK("sda", "Current Disk Queue Length"), 3},
		{DISK("sda", "Reads Merged/sec"), 2},
		{DISK("sda", "Writes Merged/sec"), 5},
		{DISK("sda", "Disk Discards/sec"), 2},
		{DISK("sda", "Discards Merged/sec"), 1},
		{DISK("sda", "Disk Discard Bytes/sec"), 64 * 512},
		{DISK("sda", "Avg. Disk sec/Discard"), 0.001},
		{DISK("sda", "Disk Flushes/sec"), 1},
		{DISK("sda", "Avg. Disk sec/Flush"), 0.002},
	};

	(void)state;
	tree_file(t, 0, "proc/diskstats",
		  "   8       0 sda 100 10 2000 500 200 20 8000 1000 0 900 1500 7 1 64 3 5 2\n");
	tree_file(t, 1, "proc/diskstats",
		  "   8       0 sda 110 12 2160 540 220 25 8640 1160 3 1150 1700 9 2 128 5 6 4\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	tree_play(t);
	for (size_t i = 0; i < T_LEN(rows); i++)
		T_EQ_DBL_AT(tree_number(t, rows[i].path), rows[i].want, rows[i].path);
	assert_int_equal(tree_count(t, DISK("sda", "*")), T_LEN(rows));
	assert_int_equal(tree_count(t, DISK("_Total", "*")), T_LEN(rows));
	tree_free(t);
}

// A precision timer's base is the clock of the same reading: if the clock is a quarter of a second
// late, the share is of 1.25 s.
static void
idle_is_of_the_time_of_the_reading(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_clock(t, 0, TREE_TIME, TREE_PERF);
	tree_clock(t, 1, TREE_TIME + 12500000, TREE_PERF + 12500000);
	tree_file(t, 0, "proc/diskstats", "8 0 sda 1 0 8 5 0 0 0 0 0 1000 5\n");
	tree_file(t, 1, "proc/diskstats", "8 0 sda 2 0 16 6 0 0 0 0 0 1250 6\n");
	tree_open(t, "\\PhysicalDisk(sda)\\% Idle Time", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, DISK("sda", "% Idle Time")), 80); // 1000 of 1250 ms
	T_EQ_I64(tree_raw(t, DISK("sda", "% Idle Time")).second, TREE_TIME + 12500000);
	assert_int_equal(tree_type(t, DISK("sda", "% Idle Time")), PMON_PERF_PRECISION_100NS_TIMER);
	tree_free(t);
}

// 1004 ms busy in a second of 1000, then 996, then 0: the excess is deducted later, and idle time
// never goes back.
static void
busy_for_more_than_there_was(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats", "8 0 sda 1 0 8 5 0 0 0 0 0 100 5\n");
	tree_file(t, 1, "proc/diskstats", "8 0 sda 2 0 8 5 0 0 0 0 0 1104 5\n");
	tree_file(t, 2, "proc/diskstats", "8 0 sda 3 0 8 5 0 0 0 0 0 2096 5\n");
	tree_file(t, 3, "proc/diskstats", "8 0 sda 3 0 8 5 0 0 0 0 0 2096 5\n");
	tree_open(t, "\\PhysicalDisk(sda)\\% Idle Time", NULL);
	assert_true(tree_next(t) && tree_next(t));
	T_EQ_DBL(tree_number(t, DISK("sda", "% Idle Time")), 0);
	assert_true(tree_next(t));
	// 1000 - 992 ms, less the 4 ms of before
	T_EQ_DBL(tree_number(t, DISK("sda", "% Idle Time")), 100 * (4 / 1000.0));
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, DISK("sda", "% Idle Time")), 100);
	tree_free(t);
}

// Milliseconds are unsigned int in the kernel: 2^32 ms are 49.7 days. 2^32 = 4294967296.
static void
milliseconds_wrap(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats",
		  "8 0 sda 10 0 80 4294967290 0 0 0 0 0 4294967200 4294967290\n");
	tree_file(t, 1, "proc/diskstats", "8 0 sda 20 0 160 34 0 0 0 0 0 154 34\n");
	tree_file(t, 2, "proc/diskstats", "8 0 sda 30 0 240 134 0 0 0 0 0 254 134\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	assert_true(tree_next(t) && tree_next(t));
	T_EQ_DBL(tree_number(t, DISK("sda", "Avg. Disk sec/Read")), 0.04 / 10); // 6 + 34 ms
	T_EQ_DBL(tree_number(t, DISK("sda", "% Idle Time")), 75);               // 96 + 154 ms
	T_EQ_DBL(tree_number(t, DISK("_Total", "% Disk Read Time")), 4);
	T_EQ_I64(tree_raw(t, DISK("sda", "Avg. Disk sec/Read")).first,
		 (INT64_C(4294967296) + 34) * 10000);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, DISK("sda", "Avg. Disk sec/Read")), 0.01);
	T_EQ_DBL(tree_number(t, DISK("sda", "% Idle Time")), 90);
	tree_free(t);
}

// Where a long has 32 bits sectors wrap too: 4294967000 + 1296 = 2^32 + 1000.
static void
sectors_wrap(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats", "8 0 sda 10 0 4294967000 5 0 0 0 0 0 5 5\n");
	tree_file(t, 1, "proc/diskstats", "8 0 sda 20 0 1000 6 0 0 0 0 0 6 6\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, DISK("sda", "Disk Read Bytes/sec")), 1296 * 512);
	tree_free(t);
}

// Another disk under the same name between two samples: reads went back.
static void
replaced(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats",
		  "8 0 sda 9000 0 4000000000 4000000000 0 0 0 0 0 4000000000 5\n"
		  "8 16 sdb 10 0 80 5 0 0 0 0 0 5 5\n");
	tree_file(t, 1, "proc/diskstats",
		  "8 0 sda 5 0 40 7 0 0 0 0 0 100 7\n"
		  "8 16 sdb 13 0 104 5 0 0 0 0 0 5 5\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	tree_play(t);
	assert_int_equal(tree_status(t, DISK("sda", "Disk Reads/sec")), PMON_V_COUNTER_BACK);
	assert_int_equal(tree_status(t, DISK("sda", "Disk Read Bytes/sec")), PMON_V_COUNTER_BACK);
	assert_int_equal(tree_status(t, DISK("sda", "Avg. Disk sec/Read")), PMON_V_COUNTER_BACK);
	T_EQ_DBL(tree_number(t, DISK("sda", "% Idle Time")), 90); // 100 ms of this second
	T_EQ_DBL(tree_number(t, DISK("_Total", "Disk Reads/sec")), 3);
	T_EQ_DBL(tree_number(t, DISK("_Total", "% Idle Time")), 100); // sdb alone
	tree_free(t);
}

// Some kernels counted what is under way below zero, which shows as nearly 2^32.
static void
queue_below_zero(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats", "8 0 sda 1 0 8 5 0 0 0 0 4294967295 5 5\n");
	tree_file(t, 1, "proc/diskstats", "8 0 sda 1 0 8 5 0 0 0 0 2 5 5\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_status(t, DISK("sda", "Current Disk Queue Length")), TREE_ABSENT);
	assert_int_equal(tree_status(t, DISK("sda", "Disk Reads/sec")), PMON_V_FIRST);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, DISK("sda", "Current Disk Queue Length")), 2);
	tree_free(t);
}

// ---- Which devices --------------------------------------------------------------------------

static bool
has_disk(struct tree *t, const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "\\PhysicalDisk(%s)\\Disk Reads/sec", name);
	return tree_status(t, path) != TREE_ABSENT;
}

// Kernels before 4.18 have 11 fields, before 5.5 15; later ones may add more. A partition of Linux
// 2.6.24 and before has 4, a torn line any number.
static void
fields_of_old_kernels(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats",
		  "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n"
		  "8 16 sdb 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
		  "8 32 sdc 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"
		  "8 48 sdd 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n"
		  "8 64 sde 1 2 3 4\n"
		  "8 80 sdf 1 2 3 4 5 6 7 8 9 10\n"
		  "8 96 sdg 1 2 3 4 5 6 7 8 9 10 11 12 13\n"
		  "8 112 sdh\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	tree_play(t);
	assert_int_equal(tree_count(t, DISK("sda", "*")), 22);
	assert_int_equal(tree_count(t, DISK("sdb", "*")), 26); // 4 of discards
	assert_int_equal(tree_count(t, DISK("sdc", "*")), 28); // 2 of flushes
	assert_int_equal(tree_count(t, DISK("sdd", "*")), 28);
	assert_false(has_disk(t, "sde"));
	assert_false(has_disk(t, "sdf"));
	assert_int_equal(tree_count(t, DISK("sdg", "*")), 22);
	// The total lacks the counters that some disks lack.
	assert_int_equal(tree_count(t, DISK("_Total", "*")), 22);
	tree_free(t);
}

// The kernel names a partition by its disk and a number, with a 'p' between when the disk's name ends
// in a digit.
static void
partitions_are_not_disks(void **state)
{
	static const char *const disks[] = {"sda",          "nvme0n1", "nvme0c0n1", "mmcblk0",
					    "mmcblk0boot0", "loop1",   "loop10",    "xvda1",
					    "md1",          "md10",    "dm-1",      "zram0"};
	static const char *const parts[] = {"sda1", "sda15", "nvme0n1p2", "mmcblk0p1", "loop10p1"};
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats",
		  "8 0 sda 1 0 8 5 0 0 0 0 0 5 5\n"
		  "8 1 sda1 1 0 8 5 0 0 0 0 0 5 5\n"
		  "8 15 sda15 1 0 8 5 0 0 0 0 0 5 5\n"
		  "259 0 nvme0n1 2 0 8 5 0 0 0 0 0 5 5\n"
		  "259 1 nvme0n1p2 2 0 8 5 0 0 0 0 0 5 5\n"
		  "259 9 nvme0c0n1 2 0 8 5 0 0 0 0 0 5 5\n"
		  "179 0 mmcblk0 4 0 8 5 0 0 0 0 0 5 5\n"
		  "179 1 mmcblk0p1 4 0 8 5 0 0 0 0 0 5 5\n"
		  "179 8 mmcblk0boot0 8 0 8 5 0 0 0 0 0 5 5\n"
		  "7 1 loop1 100 0 8 5 0 0 0 0 0 5 5\n"
		  "7 10 loop10 100 0 8 5 0 0 0 0 0 5 5\n"
		  "259 2 loop10p1 100 0 8 5 0 0 0 0 0 5 5\n"
		  "202 1 xvda1 16 0 8 5 0 0 0 0 0 5 5\n"
		  "9 1 md1 100 0 8 5 0 0 0 0 0 5 5\n"
		  "9 10 md10 100 0 8 5 0 0 0 0 0 5 5\n"
		  "253 1 dm-1 100 0 8 5 0 0 0 0 0 5 5\n"
		  "252 0 zram0 100 0 8 5 0 0 0 0 0 5 5\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	tree_play(t);
	for (size_t i = 0; i < T_LEN(disks); i++)
		T_EQ_BOOL_AT(has_disk(t, disks[i]), true, disks[i]);
	for (size_t i = 0; i < T_LEN(parts); i++)
		T_EQ_BOOL_AT(has_disk(t, parts[i]), false, parts[i]);
	// Without devices made of others, in files, or in memory: 1 + 2 + 4 + 8 + 16.
	T_EQ_I64(tree_raw(t, DISK("_Total", "Disk Reads/sec")).first, 31);
	tree_free(t);
}

static void
unused_devices_are_left_out(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats",
		  "7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n"
		  "8 0 sda 1 0 8 5 0 0 0 0 0 5 5\n");
	tree_file(t, 1, "proc/diskstats",
		  "7 0 loop0 3 0 24 1 0 0 0 0 0 1 1\n"
		  "8 0 sda 1 0 8 5 0 0 0 0 0 5 5\n");
	tree_open(t, "\\PhysicalDisk(*)\\Disk Reads/sec", NULL);
	assert_true(tree_next(t));
	assert_false(has_disk(t, "loop0"));
	assert_true(tree_next(t));
	assert_true(has_disk(t, "loop0"));
	tree_free(t);
}

static void
names_read_back(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats",
		  "104 0 cciss/c0d0 1 0 8 5 0 0 0 0 0 5 5\n"
		  "8 0 a(b 1 0 8 5 0 0 0 0 0 5 5\n"
		  "8 1 c\\d#1 1 0 8 5 0 0 0 0 0 5 5\n");
	tree_open(t, "\\PhysicalDisk(*)\\Disk Reads/sec", NULL);
	tree_play(t);
	assert_true(has_disk(t, "cciss_c0d0"));
	assert_true(has_disk(t, "a[b"));
	assert_true(has_disk(t, "c_d_1"));
	tree_free(t);
}

// ---- Totals ---------------------------------------------------------------------------------

// As in Windows logs: the mean of the shares of time, the sum of the rest.
static void
total_of_two(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats",
		  "8 0 sda 10 0 80 100 0 0 0 0 1 100 0\n"
		  "8 16 sdb 10 0 80 100 0 0 0 0 0 100 0\n");
	tree_file(t, 1, "proc/diskstats",
		  "8 0 sda 14 0 96 140 0 0 0 0 2 350 0\n"
		  "8 16 sdb 16 0 112 160 0 0 0 0 5 850 0\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, DISK("_Total", "Disk Reads/sec")), 4 + 6);
	T_EQ_DBL(tree_number(t, DISK("_Total", "Disk Read Bytes/sec")), (16 + 32) * 512);
	T_EQ_DBL(tree_number(t, DISK("_Total", "Avg. Disk sec/Read")), 0.1 / 10); // 40 + 60 ms
	T_EQ_DBL(tree_number(t, DISK("_Total", "Avg. Disk Queue Length")), 0.1);
	T_EQ_DBL(tree_number(t, DISK("_Total", "% Disk Time")), 5);  // of 4 and 6
	T_EQ_DBL(tree_number(t, DISK("_Total", "% Idle Time")), 50); // of 75 and 25
	T_EQ_DBL(tree_number(t, DISK("_Total", "Current Disk Queue Length")), 7);
	tree_free(t);
}

// sda always makes 10 reads per second. sdb is in samples 1 to 3, with 1000 reads at first; then a
// different sdb appears.
static void
disks_come_and_go(void **state)
{
	static const double want[] = {0, 10, 10 + 5, 10 + 6, 10, 10, 10 + 7};
	struct tree *t = tree_new();
	static const unsigned b_reads[] = {0, 1000, 1005, 1011, 0, 50, 57};

	(void)state;
	for (unsigned i = 0; i < T_LEN(want); i++) {
		char text[256];
		int len = snprintf(text, sizeof(text), "8 0 sda %u 0 80 5 0 0 0 0 0 5 5\n",
				   100 + 10 * i);

		if (b_reads[i] != 0)
			(void)snprintf(text + len, sizeof(text) - (size_t)len,
				       "8 16 sdb %u 0 80 5 0 0 0 0 0 5 5\n", b_reads[i]);
		tree_file(t, i, "proc/diskstats", text);
	}
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	assert_true(tree_next(t));
	for (unsigned i = 1; i < T_LEN(want); i++) {
		assert_true(tree_next(t));
		T_EQ_DBL(tree_number(t, DISK("_Total", "Disk Reads/sec")), want[i]);
		T_EQ_DBL(tree_number(t, DISK("_Total", "% Idle Time")), 100);
		assert_int_equal(has_disk(t, "sdb"), b_reads[i] != 0);
	}
	T_EQ_I64(tree_raw(t, DISK("_Total", "Disk Reads/sec")).first, 100 + 10 * 6 + 5 + 6 + 7);
	tree_free(t);
}

// A file that was read while it changed: the line of sdb has no end, and its number may be cut.
static void
torn_last_line(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_files(t, 0, 2, "proc/diskstats",
		   "8 0 sda 10 0 80 5 0 0 0 0 0 5 5\n8 16 sdb 1000 0 80 5 0 0 0 0 0 5 555\n");
	tree_file(t, 1, "proc/diskstats",
		  "8 0 sda 12 0 80 5 0 0 0 0 0 5 5\n8 16 sdb 1000 0 80 5 0 0 0 0 0 5 5");
	tree_file(t, 2, "proc/diskstats",
		  "8 0 sda 15 0 80 5 0 0 0 0 0 5 5\n8 16 sdb 1000 0 80 5 0 0 0 0 0 5 555\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	assert_true(tree_next(t) && tree_next(t));
	assert_false(has_disk(t, "sdb"));
	T_EQ_DBL(tree_number(t, DISK("_Total", "Disk Reads/sec")), 2);
	assert_true(tree_next(t));
	assert_true(has_disk(t, "sdb"));
	T_EQ_DBL(tree_number(t, DISK("_Total", "Disk Reads/sec")), 3);
	tree_free(t);
}

// All disks are new at once: nothing is known about this second, and the total does not jump.
static void
all_disks_are_new(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/diskstats", "8 0 sda 10 0 80 5 0 0 0 0 0 5 5\n");
	tree_file(t, 1, "proc/diskstats", "");
	tree_file(t, 2, "proc/diskstats", "8 16 sdb 5000 0 80 5 0 0 0 0 0 5 5\n");
	tree_file(t, 3, "proc/diskstats", "8 16 sdb 5004 0 80 5 0 0 0 0 0 5 5\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	assert_true(tree_next(t) && tree_next(t));
	assert_int_equal(tree_sample(t)->n, 0);
	assert_true(tree_next(t));
	assert_false(has_disk(t, "_Total"));
	assert_true(tree_next(t));
	T_EQ_I64(tree_raw(t, DISK("_Total", "Disk Reads/sec")).first, 10 + 4);
	tree_free(t);
}

// ---- Hostile text ---------------------------------------------------------------------------

static void
no_diskstats(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/stat", "ctxt 1\n");
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	tree_play(t);
	assert_int_equal(tree_sample(t)->n, 0);
	tree_free(t);
}

static void
foreign_text(void **state)
{
	static const char text[] =
		"8 0 s\0a 1 0 8 5 0 0 0 0 0 5 5\n"
		"\n   \n8\n8 0\n-1 0 sdn 1 0 8 5 0 0 0 0 0 5 5\n"
		"8 0 sdm 1 0 8 x 0 0 0 0 0 5 5\n"
		"8 64 sdi 18446744073709551616 0 8 5 0 0 0 0 0 5 5\n"
		"8 32 sdh 18446744073709551615 18446744073709551615 "
		"18446744073709551615 18446744073709551615 9223372036854775808 0 "
		"18446744073709551615 18446744073709551615 0 "
		"18446744073709551615 5\n";
	struct tree *t = tree_new();

	(void)state;
	tree_bytes(t, 0, "proc/diskstats", text, sizeof(text) - 1);
	tree_file(t, 1, "proc/diskstats", "8 32 sdh 1 0 8 5 0 0 0 0 0 5 5\n");
	tree_bytes(t, 2, "proc/diskstats", text, sizeof(text) - 1);
	tree_open(t, "\\PhysicalDisk(*)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_count(t, "\\PhysicalDisk(*)\\Disk Reads/sec"), 2); // sdh, _Total
	assert_true(tree_next(t) && tree_next(t));
	assert_false(tree_next(t));
	tree_free(t);
}

// 20000 disks, as many of which are read as the collector has room for; a name of 64 bytes.
static void
very_many_lines(void **state)
{
	enum {
		LINES = 20000,
		LINE = 80
	};
	struct tree *t = tree_new();
	char *text = malloc(LINES * LINE);
	size_t len = 0;

	(void)state;
	assert_non_null(text);
	len += (size_t)sprintf(text, "8 0 %064d 1 0 8 5 0 0 0 0 0 5 5\n", 0);
	for (unsigned i = 0; i < LINES; i++)
		len += (size_t)sprintf(text + len, "%u %u x%uy 1 0 8 5 0 0 0 0 0 5 5\n", i >> 8,
				       i & 255, i);
	for (unsigned n = 0; n < 2; n++)
		tree_bytes(t, n, "proc/diskstats", text, len);
	free(text);
	tree_open(t, "\\PhysicalDisk(*)\\Disk Reads/sec", NULL);
	tree_play(t);
	assert_int_equal(tree_sample(t)->n, 16384 + 1);
	T_EQ_DBL(tree_number(t, DISK("_Total", "Disk Reads/sec")), 0);
	tree_free(t);
}

// ---- The tables -----------------------------------------------------------------------------

static bool
find_counter(const char *object, const char *counter, struct pmon_live_counter *out)
{
	for (size_t i = 0; pmon_live_counter_at(i, out); i++)
		if (strcmp(out->object, object) == 0 && strcmp(out->counter, counter) == 0)
			return true;
	return false;
}

// KB269481, "Windows 2000 and Windows XP Disk Counters": the types of both disk objects.
static void
types_of_windows_2000(void **state)
{
	static const struct {
		const char *counter;
		uint32_t type;
	} rows[] = {
		{"% Disk Time", 0x20570500},
		{"% Disk Read Time", 0x20570500},
		{"% Disk Write Time", 0x20570500},
		{"% Idle Time", 0x20570500},
		{"Avg. Disk Queue Length", 0x00550500},
		{"Avg. Disk Read Queue Length", 0x00550500},
		{"Avg. Disk Write Queue Length", 0x00550500},
	};
	static const char *const objects[] = {"PhysicalDisk", "LogicalDisk"};
	struct pmon_live_counter found;

	(void)state;
	for (size_t i = 0; i < 2 * T_LEN(rows); i++) {
		const char *name = rows[i / 2].counter;

		T_EQ_BOOL_AT(find_counter(objects[i % 2], name, &found), true, name);
		T_EQ_U64_AT(found.type, rows[i / 2].type, name);
		// The percentages are followed by a PERF_PRECISION_TIMESTAMP.
		if (name[0] == '%')
			T_EQ_STR(pmon_type_by_word(found.type)->base_name,
				 "PERF_PRECISION_TIMESTAMP");
	}
}

// Types that are wider here than in a log of Windows. Everything else that such a log has is here with
// its type and scale, but for what is said below.
static bool
is_widened(uint32_t windows, uint32_t ours)
{
	return (windows == PMON_PERF_COUNTER_COUNTER && ours == PMON_PERF_COUNTER_BULK_COUNT) ||
	       (windows == PMON_PERF_COUNTER_RAWCOUNT &&
		ours == PMON_PERF_COUNTER_LARGE_RAWCOUNT) ||
	       (windows == PMON_PERF_RAW_FRACTION && ours == PMON_PERF_LARGE_RAW_FRACTION);
}

static bool
linux_has_none(const char *counter)
{
	static const char *const names[] = {
		"Split IO/Sec",
		"Output Queue Length",
		"Packets Received Unicast/sec",
		"Packets Received Non-Unicast/sec",
		"Packets Sent Unicast/sec",
		"Packets Sent Non-Unicast/sec",
		"Packets Received Unknown",
	};

	for (size_t i = 0; i < T_LEN(names); i++)
		if (strcmp(names[i], counter) == 0)
			return true;
	return false;
}

static bool
is_ours(const char *object)
{
	return strcmp(object, "PhysicalDisk") == 0 || strcmp(object, "LogicalDisk") == 0 ||
	       strcmp(object, "Network Interface") == 0 || strcmp(object, "TCPv4") == 0;
}

static void
counters_of_a_windows_log(void **state)
{
	struct pmon_live_counter found;
	struct t_csv csv;
	size_t n = 0;

	(void)state;
	t_csv_open_data(&csv, "vectors/known_counters.csv");
	while (t_csv_next(&csv)) {
		const char *name = t_csv_get(&csv, "counter");
		uint32_t type = (uint32_t)strtoul(t_csv_get(&csv, "type word"), NULL, 16);

		if (!is_ours(t_csv_get(&csv, "object")))
			continue;
		n++;
		T_EQ_BOOL_AT(find_counter(t_csv_get(&csv, "object"), name, &found),
			     !linux_has_none(name), name);
		if (linux_has_none(name))
			continue;
		if (!is_widened(type, found.type))
			T_EQ_U64_AT(found.type, type, name);
		else
			assert_string_not_equal(found.windows, "=");
		T_EQ_I64_AT(found.default_scale, atoi(t_csv_get(&csv, "default scale")), name);
	}
	t_csv_close(&csv);
	assert_true(n > 60);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_of_a_second),
		cmocka_unit_test(idle_is_of_the_time_of_the_reading),
		cmocka_unit_test(busy_for_more_than_there_was),
		cmocka_unit_test(milliseconds_wrap),
		cmocka_unit_test(sectors_wrap),
		cmocka_unit_test(replaced),
		cmocka_unit_test(queue_below_zero),
		cmocka_unit_test(fields_of_old_kernels),
		cmocka_unit_test(partitions_are_not_disks),
		cmocka_unit_test(unused_devices_are_left_out),
		cmocka_unit_test(names_read_back),
		cmocka_unit_test(total_of_two),
		cmocka_unit_test(disks_come_and_go),
		cmocka_unit_test(torn_last_line),
		cmocka_unit_test(all_disks_are_new),
		cmocka_unit_test(no_diskstats),
		cmocka_unit_test(foreign_text),
		cmocka_unit_test(very_many_lines),
		cmocka_unit_test(types_of_windows_2000),
		cmocka_unit_test(counters_of_a_windows_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
