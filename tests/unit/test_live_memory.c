// test_live_memory.c - Memory, Paging File, NUMA Node Memory and Pressure Stall of recorded machines
// SPDX-License-Identifier: MIT
//
// Units: /proc/meminfo is in kB of 1024 bytes, pgpgin and pgpgout of /proc/vmstat too, the rest of it
// in pages or events (Documentation/filesystems/proc.rst); /proc/swaps in kB; totals of /proc/pressure
// in microseconds, averages in per cent (Documentation/accounting/psi.rst).

#include "t.h"

#include "live_tree.h"

static void
meminfo(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/meminfo",
		  "MemTotal:        4194304 kB\nMemFree:         1048576 kB\n"
		  "MemAvailable:    3145727 kB\nBuffers:             100 kB\n"
		  "Cached:              900 kB\nActive(anon):          5 kB\n"
		  "Active:                7 kB\nSReclaimable:         30 kB\n"
		  "SUnreclaim:           20 kB\nCommitLimit:         400 kB\n"
		  "Committed_AS:        500 kB\nHugePages_Total:       3\n"
		  "HugePages_Free:        1\nHugepagesize:       2048 kB\n");
	tree_open(t, "\\Memory\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Memory\\Available Bytes"), 3145727.0 * 1024);
	T_EQ_DBL(tree_number(t, "\\Memory\\Available KBytes"), 3145727);
	T_EQ_DBL(tree_number(t, "\\Memory\\Available MBytes"), 3071); // a kB less than 3072
	T_EQ_DBL(tree_number(t, "\\Memory\\Free & Zero Page List Bytes"), 1073741824);
	T_EQ_DBL(tree_number(t, "\\Memory\\Total Bytes"), 4294967296);
	T_EQ_DBL(tree_number(t, "\\Memory\\Cache Bytes"), 1000 * 1024);
	T_EQ_DBL(tree_number(t, "\\Memory\\Active Bytes"), 7 * 1024);
	T_EQ_DBL(tree_number(t, "\\Memory\\Pool Paged Bytes"), 30 * 1024);
	T_EQ_DBL(tree_number(t, "\\Memory\\Pool Nonpaged Bytes"), 20 * 1024);
	T_EQ_DBL(tree_number(t, "\\Memory\\% Committed Bytes In Use"), 125); // overcommitted
	T_EQ_DBL(tree_number(t, "\\Memory\\Huge Pages Total"), 3);
	T_EQ_DBL(tree_number(t, "\\Memory\\Huge Page Size Bytes"), 2097152);
	assert_int_equal(tree_type(t, "\\Memory\\Available Bytes"),
			 PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	// lines that are not there, and a file that is not there
	assert_int_equal(tree_status(t, "\\Memory\\Dirty Bytes"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Memory\\Page Faults/sec"), TREE_ABSENT);
	tree_free(t);
}

// Each line that is a counter of its own, with numbers of their own. In kB but for the numbers of huge pages.
static void
lines_of_meminfo(void **state)
{
	static const struct {
		const char *line;
		const char *path;
		uint64_t unit;
	} rows[] = {
		{"MemTotal", "\\Memory\\Total Bytes", 1024},
		{"MemFree", "\\Memory\\Free & Zero Page List Bytes", 1024},
		{"Buffers", "\\Memory\\Buffers Bytes", 1024},
		{"SwapCached", "\\Memory\\Swap Cached Bytes", 1024},
		{"Active", "\\Memory\\Active Bytes", 1024},
		{"Inactive", "\\Memory\\Inactive Bytes", 1024},
		{"Unevictable", "\\Memory\\Unevictable Bytes", 1024},
		{"Mlocked", "\\Memory\\Locked Bytes", 1024},
		{"Zswap", "\\Memory\\Zswap Bytes", 1024},
		{"Zswapped", "\\Memory\\Zswapped Bytes", 1024},
		{"Dirty", "\\Memory\\Dirty Bytes", 1024},
		{"Writeback", "\\Memory\\Writeback Bytes", 1024},
		{"AnonPages", "\\Memory\\Anonymous Bytes", 1024},
		{"Mapped", "\\Memory\\Mapped Bytes", 1024},
		{"Shmem", "\\Memory\\Shared Bytes", 1024},
		{"SReclaimable", "\\Memory\\Pool Paged Bytes", 1024},
		{"SUnreclaim", "\\Memory\\Pool Nonpaged Bytes", 1024},
		{"KernelStack", "\\Memory\\Kernel Stack Bytes", 1024},
		{"PageTables", "\\Memory\\Page Tables Bytes", 1024},
		{"CommitLimit", "\\Memory\\Commit Limit", 1024},
		{"Committed_AS", "\\Memory\\Committed Bytes", 1024},
		{"VmallocUsed", "\\Memory\\Vmalloc Used Bytes", 1024},
		{"Percpu", "\\Memory\\Per-Processor Bytes", 1024},
		{"HardwareCorrupted", "\\Memory\\Hardware Corrupted Bytes", 1024},
		{"AnonHugePages", "\\Memory\\Anonymous Huge Pages Bytes", 1024},
		{"HugePages_Total", "\\Memory\\Huge Pages Total", 1},
		{"HugePages_Free", "\\Memory\\Huge Pages Free", 1},
		{"HugePages_Rsvd", "\\Memory\\Huge Pages Reserved", 1},
		{"HugePages_Surp", "\\Memory\\Huge Pages Surplus", 1},
		{"Hugepagesize", "\\Memory\\Huge Page Size Bytes", 1024},
	};
	char text[4096] = "";
	size_t len = 0;
	struct tree *t = tree_new();

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s: %8zu%s\n",
					rows[i].line, 1000 + i, rows[i].unit == 1 ? "" : " kB");
	tree_file(t, 0, "proc/meminfo", text);
	tree_open(t, "\\Memory\\*", NULL);
	tree_play(t);
	for (size_t i = 0; i < T_LEN(rows); i++) {
		T_EQ_DBL(tree_number(t, rows[i].path), (double)((1000 + i) * rows[i].unit));
		assert_int_equal(tree_type(t, rows[i].path), PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	}
	tree_free(t);
}

// Two seconds; then the machine is restarted.
static void
vmstat(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/vmstat",
		  "pgpgin 100\npgpgout 200\npswpin 10\npswpout 20\npgalloc_dma32 5\n"
		  "pgalloc_normal 7\npgfault 1000\npgmajfault 3\npgscan_kswapd 0\n"
		  "pgscan_direct 0\npgscan_direct_throttle 0\nallocstall_normal 1\n"
		  "workingset_refault_anon 1\nworkingset_refault_file 1\n");
	tree_file(t, 1, "proc/vmstat",
		  "pgpgin 104\npgpgout 208\npswpin 14\npswpout 30\npgalloc_dma32 15\n"
		  "pgalloc_normal 17\npgfault 1500\npgmajfault 9\npgscan_kswapd 6\n"
		  "pgscan_direct 2\npgscan_direct_throttle 99\nallocstall_normal 5\n"
		  "workingset_refault_anon 3\nworkingset_refault_file 5\n");
	tree_file(t, 2, "proc/vmstat", "pgpgin 1\npgfault 2000\npgmajfau");
	tree_clock(t, 1, TREE_TIME + 2 * PMON_TIME_PER_SEC, TREE_PERF + 2 * PMON_TIME_PER_SEC);
	tree_clock(t, 2, TREE_TIME + 90 * PMON_TIME_PER_SEC, 5 * PMON_TIME_PER_SEC);
	tree_open(t, "\\Memory\\*", NULL);
	assert_true(tree_next(t));
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Memory\\Block Read Bytes/sec"), 2048);  // 4 kB in 2 s
	T_EQ_DBL(tree_number(t, "\\Memory\\Block Write Bytes/sec"), 4096); // 8 kB in 2 s
	T_EQ_DBL(tree_number(t, "\\Memory\\Pages Input/sec"), 2);
	T_EQ_DBL(tree_number(t, "\\Memory\\Pages Output/sec"), 5);
	T_EQ_DBL(tree_number(t, "\\Memory\\Pages/sec"), 7);
	T_EQ_DBL(tree_number(t, "\\Memory\\Page Faults/sec"), 250);
	T_EQ_DBL(tree_number(t, "\\Memory\\Page Reads/sec"), 3);
	T_EQ_DBL(tree_number(t, "\\Memory\\Pages Allocated/sec"), 10);
	T_EQ_DBL(tree_number(t, "\\Memory\\Pages Scanned/sec"), 4);
	T_EQ_DBL(tree_number(t, "\\Memory\\Allocation Stalls/sec"), 2);
	T_EQ_DBL(tree_number(t, "\\Memory\\Refaults/sec"), 3);
	assert_int_equal(tree_type(t, "\\Memory\\Page Faults/sec"), PMON_PERF_COUNTER_BULK_COUNT);
	assert_true(tree_next(t));
	assert_int_equal(tree_status(t, "\\Memory\\Block Read Bytes/sec"), PMON_V_COUNTER_BACK);
	// its count continued, but the clock that it is divided by was reset
	assert_int_equal(tree_status(t, "\\Memory\\Page Faults/sec"), PMON_V_CLOCK_BACK);
	assert_int_equal(tree_status(t, "\\Memory\\Page Reads/sec"), TREE_ABSENT); // torn
	assert_int_equal(tree_status(t, "\\Memory\\Pages/sec"), TREE_ABSENT);
	tree_free(t);
}

// A number that exceeds 63 bits in bytes, text instead of numbers, no end of line, zero bytes.
static void
hostile(void **state)
{
	static const char text[] =
		"MemTotal: 9223372036854775807 kB\nMemFree: 18446744073709551617 kB\n"
		"\0\0\0\nDirty: -5 kB\nMapped: x\nShmem:\n:\n \t \nCached: 5\0 kB\nBuffers: 7";
	struct tree *t = tree_new();

	(void)state;
	tree_bytes(t, 0, "proc/meminfo", text, sizeof(text) - 1);
	tree_file(t, 0, "proc/vmstat", "pgfault 18446744073709551615\npgfree 1e5\n");
	tree_open(t, "\\Memory\\*", NULL);
	tree_play(t);
	T_EQ_U64(tree_count(t, "\\Memory\\*"), 1);
	T_EQ_DBL(tree_number(t, "\\Memory\\Buffers Bytes"), 7 * 1024);
	tree_free(t);
}

// Cache Bytes is a sum of two lines, Pages/sec of two others.
static void
a_part_is_not_the_sum(void **state)
{
	static const char *const texts[] = {"Cached: 9 kB\n", "Buffers: 9 kB\n"};

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++) {
		struct tree *t = tree_new();

		tree_file(t, 0, "proc/meminfo", texts[i]);
		tree_file(t, 0, "proc/vmstat", "pswpin 5\n");
		tree_open(t, "\\Memory\\*", NULL);
		tree_play(t);
		assert_int_equal(tree_status(t, "\\Memory\\Cache Bytes"), TREE_ABSENT);
		assert_int_equal(tree_status(t, "\\Memory\\Pages/sec"), TREE_ABSENT);
		tree_free(t);
	}
}

static void
swap(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/swaps",
		  "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
		  "/dev/sda2                               partition\t4000\t1000\t-2\n"
		  "/my\\040swap\\040(1)                  file\t12000\t5000\t-3\n"
		  "");
	tree_file(t, 1, "proc/swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n");
	tree_file(t, 2, "proc/swaps",
		  "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
		  "/dev/sda2                               partition\t4000\t1000\t-2\n"
		  "/torn file 12");
	tree_open(t, "\\Paging File(*)\\*", NULL);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Paging File(/dev/sda2)\\% Usage"), 25);
	T_EQ_DBL(tree_number(t, "\\Paging File(/dev/sda2)\\Free Bytes"), 3000 * 1024);
	T_EQ_DBL(tree_number(t, "\\Paging File(/my swap [1])\\Size Bytes"), 12000 * 1024);
	T_EQ_DBL(tree_number(t, "\\Paging File(_Total)\\% Usage"), 37.5); // 6000 of 16000
	T_EQ_U64(tree_count(t, "\\Paging File(*)\\*"), 12);
	assert_true(tree_next(t));
	T_EQ_U64(tree_count(t, "\\Paging File(*)\\*"), 0);
	// If one area is unknown, the total is unknown.
	assert_true(tree_next(t));
	T_EQ_U64(tree_count(t, "\\Paging File(/dev/sda2)\\*"), 4);
	T_EQ_U64(tree_count(t, "\\Paging File(*)\\*"), 4);
	tree_free(t);
}

static void
pressure(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/pressure/io",
		  "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n"
		  "full avg10=0.00 avg60=0.00 avg300=0.00 total=500\n");
	tree_file(t, 1, "proc/pressure/io",
		  "some avg10=1.53 avg60=99.99 avg300=100.00 total=1250000\n"
		  "full avg10=0.07 avg60=x avg300= total=500\n"
		  "none avg10=1.00 total=1\n");
	tree_files(t, 0, 1, "proc/pressure/irq", "full total=1\n");
	tree_open(t, "\\Pressure Stall(*)\\*", NULL);
	tree_play(t);
	// 0.25 s of the second between the samples
	T_EQ_DBL(tree_number(t, "\\Pressure Stall(io some)\\% Stalled Time"), 25);
	T_EQ_DBL(tree_number(t, "\\Pressure Stall(io some)\\% Stalled Time 10 s"),
		 100 * (153 / 10000.0));
	T_EQ_DBL(tree_number(t, "\\Pressure Stall(io some)\\% Stalled Time 60 s"),
		 100 * (9999 / 10000.0));
	T_EQ_DBL(tree_number(t, "\\Pressure Stall(io some)\\% Stalled Time 300 s"), 100);
	T_EQ_DBL(tree_number(t, "\\Pressure Stall(io full)\\% Stalled Time"), 0);
	T_EQ_DBL(tree_number(t, "\\Pressure Stall(irq full)\\% Stalled Time"), 0);
	T_EQ_U64(tree_count(t, "\\Pressure Stall(*)\\*"), 7); // 4, 2 and 1
	tree_free(t);
}

#define NODE "sys/devices/system/node/"

static void
numa(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_files(t, 0, 1, NODE "online", "0-1\n");
	tree_files(t, 0, 1, NODE "node0/meminfo",
		   "Node 0 MemTotal:       2097152 kB\nNode 0 MemFree:        1048575 kB\n"
		   "Node 0 Dirty:                4 kB\n");
	tree_files(t, 0, 1, NODE "node1/meminfo",
		   "Node 1 MemTotal:       1048576 kB\nNode 1 MemFree:        1 kB\n");
	tree_file(t, 0, NODE "node0/numastat", "numa_hit 100\nnuma_miss 5\n");
	tree_file(t, 1, NODE "node0/numastat", "numa_hit 150\nnuma_miss 5\n");
	tree_file(t, 0, NODE "node1/numastat", "numa_hit 10\n");
	tree_file(t, 1, NODE "node1/numastat", "numa_hit 17\n");
	tree_open(t, "\\NUMA Node Memory(*)\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\NUMA Node Memory(0)\\Total MBytes"), 2048);
	T_EQ_DBL(tree_number(t, "\\NUMA Node Memory(0)\\Free & Zero Page List MBytes"), 1023);
	T_EQ_DBL(tree_number(t, "\\NUMA Node Memory(_Total)\\Total MBytes"), 3072);
	T_EQ_DBL(tree_number(t, "\\NUMA Node Memory(_Total)\\Free & Zero Page List MBytes"), 1024);
	T_EQ_DBL(tree_number(t, "\\NUMA Node Memory(0)\\Dirty Bytes"), 4096);
	T_EQ_DBL(tree_number(t, "\\NUMA Node Memory(0)\\Hits/sec"), 50);
	T_EQ_DBL(tree_number(t, "\\NUMA Node Memory(_Total)\\Hits/sec"), 57);
	assert_int_equal(tree_status(t, "\\NUMA Node Memory(1)\\Misses/sec"), TREE_ABSENT);
	// What is known about only one node is not in the total.
	assert_int_equal(tree_status(t, "\\NUMA Node Memory(_Total)\\Misses/sec"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\NUMA Node Memory(_Total)\\Dirty Bytes"), TREE_ABSENT);
	tree_free(t);
}

// If there is nothing but an empty /proc/stat, nothing is reported.
static void
no_files(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_folder(t, 0, "proc");
	tree_open(t, "\\Memory\\*", "\\Paging File(*)\\*", "\\NUMA Node Memory(*)\\*",
		  "\\Pressure Stall(*)\\*", "\\Processor*(*)\\*", "\\Softirq(*)\\*",
		  "\\Cgroup(*)\\*", NULL);
	tree_play(t);
	T_EQ_U64(tree_sample(t)->n, 0);
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meminfo),
		cmocka_unit_test(lines_of_meminfo),
		cmocka_unit_test(vmstat),
		cmocka_unit_test(hostile),
		cmocka_unit_test(a_part_is_not_the_sum),
		cmocka_unit_test(swap),
		cmocka_unit_test(pressure),
		cmocka_unit_test(numa),
		cmocka_unit_test(no_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
