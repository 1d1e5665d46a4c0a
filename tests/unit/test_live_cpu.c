// test_live_cpu.c - Processor, Processor Information and Softirq of recorded machines, and of this one
// SPDX-License-Identifier: MIT
//
// Fields of /proc/stat: Documentation/filesystems/proc.rst, "Miscellaneous kernel statistics": user,
// nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice, in ticks of 1/100 s; guest is in
// user, guest_nice in nice as well. Percentages are 100 * (dN / dD), in that order (docs/reference/counters.md).

#include "t.h"

#include "live_tree.h"

#include <stdlib.h>
#include <time.h>

static void
every_state(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	// 10 + 5 + 20 + 40 + 10 + 3 + 7 + 5 = 100 ticks
	tree_file(t, 0, "proc/stat", "cpu0 1000 2000 3000 4000 5000 6000 7000 8000 900 100\n");
	tree_file(t, 1, "proc/stat", "cpu0 1010 2005 3020 4040 5010 6003 7007 8005 904 102\n");
	// The clocks that are read with the ticks play no part: half a second.
	tree_clock(t, 1, TREE_TIME + PMON_TIME_PER_SEC / 2, TREE_PERF + PMON_TIME_PER_SEC / 2);
	tree_open(t, "\\Processor(*)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_status(t, "\\Processor(0)\\% User Time"), PMON_V_FIRST);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% Processor Time"), 50);  // 100 - 40 - 10
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% Idle Time"), 50);       // idle and iowait
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% User Time"), 15);       // user and nice
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% Privileged Time"), 30); // system, irq, softirq
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% Interrupt Time"), 3);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% DPC Time"), 100 * 0.07);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% I/O Wait Time"), 10);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% Steal Time"), 5);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% Nice Time"), 5);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% Guest Time"), 6); // 4 and 2
	T_EQ_DBL(tree_number(t, "\\Processor(_Total)\\% Processor Time"), 50);
	assert_int_equal(tree_type(t, "\\Processor(0)\\% Processor Time"),
			 PMON_PERF_100NSEC_TIMER_INV);
	assert_int_equal(tree_type(t, "\\Processor(0)\\% Idle Time"), PMON_PERF_100NSEC_TIMER);
	// raw: 9050 ticks idle of 36100 in all, of 100000 times 100 ns
	T_EQ_I64(tree_raw(t, "\\Processor(0)\\% Idle Time").first, INT64_C(905000000));
	T_EQ_I64(tree_raw(t, "\\Processor(0)\\% Idle Time").second, INT64_C(3610000000));
	// no file has these here
	assert_int_equal(tree_status(t, "\\Processor(0)\\Interrupts/sec"), TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Processor(0)\\DPCs Queued/sec"), TREE_ABSENT);
	tree_free(t);
}

// Linux 2.4 had four columns, 2.6.11 eight without guest. A line with fewer is torn.
static void
old_kernels(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/stat", "cpu0 100 0 100 100\ncpu1 1 1 1 1 1 1 1 1\ncpu2 5 5\n");
	tree_file(t, 1, "proc/stat", "cpu0 130 0 120 150\ncpu1 2 2 2 2 2 2 2 2\ncpu2 5 5");
	tree_open(t, "\\Processor(*)\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% Idle Time"), 50);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% User Time"), 30);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% Privileged Time"), 20);
	T_EQ_U64(tree_count(t, "\\Processor(0)\\*"), 5); // % Processor Time and % Nice Time too
	T_EQ_U64(tree_count(t, "\\Processor(1)\\*"), 9); // all but % Guest Time and the counts
	T_EQ_U64(tree_count(t, "\\Processor(2)\\*"), 0);
	tree_free(t);
}

// Idle time less by a tick, as tickless kernels show it now and then; I/O wait less by more.
static void
idle_goes_back(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/stat", "cpu0 100 0 0 1000 50\n");
	tree_file(t, 1, "proc/stat", "cpu0 150 0 0 1060 40\n");
	tree_file(t, 2, "proc/stat", "cpu0 152 0 0 1059 40\n");
	tree_open(t, "\\Processor(0)\\*", NULL);
	assert_true(tree_next(t));
	assert_true(tree_next(t));
	assert_int_equal(tree_status(t, "\\Processor(0)\\% I/O Wait Time"), PMON_V_COUNTER_BACK);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% Processor Time"), 50); // 50 of 100 are idle
	assert_true(tree_next(t));
	assert_int_equal(tree_status(t, "\\Processor(0)\\% Processor Time"), PMON_V_COUNTER_BACK);
	assert_int_equal(tree_status(t, "\\Processor(0)\\% Idle Time"), PMON_V_COUNTER_BACK);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\% User Time"), 100); // 2 ticks of 2
	tree_free(t);
}

// A machine that was restarted between two samples.
static void
reboot(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/stat", "cpu0 5000 0 5000 50000 0 0 0 0\nintr 70000 1\n");
	tree_file(t, 1, "proc/stat", "cpu0 50 0 50 500 0 0 0 0\nintr 7000 1\n");
	tree_clock(t, 1, TREE_TIME + 60 * PMON_TIME_PER_SEC, 6 * PMON_TIME_PER_SEC);
	tree_open(t, "\\Processor(*)\\*", "\\System\\*", NULL);
	tree_play(t);
	assert_int_equal(tree_status(t, "\\Processor(0)\\% User Time"), PMON_V_COUNTER_BACK);
	assert_int_equal(tree_status(t, "\\Processor(_Total)\\% Processor Time"),
			 PMON_V_COUNTER_BACK);
	// a 32-bit counter that went back by little did not wrap
	assert_int_equal(tree_status(t, "\\System\\Interrupts/sec"), PMON_V_COUNTER_BACK);
	tree_free(t);
}

static const char interrupts_1[] = "           CPU0       CPU2       \n"
				   "  0:        100         10   IO-APIC   2-edge      timer\n"
				   "LOC:       1000       2000   Local timer interrupts\n"
				   "ERR:         77\n"
				   "MIS:          0\n";
static const char interrupts_2[] = "           CPU0       CPU2       \n"
				   "  0:        150         10   IO-APIC   2-edge      timer\n"
				   "LOC:       1100       2030   Local timer interrupts\n"
				   "ERR:         99\n"
				   "MIS:          0\n";

// Columns are of those processors that the heading names: here 0 and 2.
static void
interrupts(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_files(t, 0, 1, "proc/stat", "cpu0 1 1 1 1\ncpu2 1 1 1 1\n");
	tree_file(t, 0, "proc/interrupts", interrupts_1);
	tree_file(t, 1, "proc/interrupts", interrupts_2);
	tree_open(t, "\\Processor(*)\\Interrupts/sec", "\\Processor Information(*)\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\Interrupts/sec"), 150);
	T_EQ_DBL(tree_number(t, "\\Processor(2)\\Interrupts/sec"), 30);
	T_EQ_DBL(tree_number(t, "\\Processor(_Total)\\Interrupts/sec"), 180);
	T_EQ_DBL(tree_number(t, "\\Processor Information(0,2)\\Interrupts/sec"), 30);
	T_EQ_DBL(tree_number(t, "\\Processor Information(0,_Total)\\Interrupts/sec"), 180);
	tree_free(t);
}

// With one processor ERR has as many columns as the others.
static void
interrupts_of_one(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_files(t, 0, 1, "proc/stat", "cpu0 1 1 1 1\n");
	tree_file(t, 0, "proc/interrupts", " CPU0\n 1: 5 x\nERR: 7\n");
	tree_file(t, 1, "proc/interrupts", " CPU0\n 1: 8 x\nERR: 9\n");
	tree_open(t, "\\Processor(*)\\Interrupts/sec", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\Interrupts/sec"), 3);
	tree_free(t);
}

// The kernel counts softirqs of a kind on a processor in an unsigned int: 2^32 - 10 and 15 more is 5.
// The file has columns for processors that could be added.
static void
softirqs_wrap(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_files(t, 0, 1, "proc/stat", "cpu0 1 1 1 1\ncpu1 1 1 1 1\n");
	tree_file(t, 0, "proc/softirqs",
		  "                    CPU0       CPU1       CPU2\n"
		  "          HI: 4294967286 7 0\n       TIMER: 4294967295 3 0\n");
	tree_file(t, 1, "proc/softirqs",
		  "                    CPU0       CPU1       CPU2\n"
		  "          HI: 5 8 0\n       TIMER: 4294967295 5 0\n");
	tree_open(t, "\\Processor(*)\\DPCs Queued/sec", "\\Softirq(*)\\*", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Softirq(HI)\\Softirqs/sec"), 16);
	T_EQ_DBL(tree_number(t, "\\Softirq(TIMER)\\Softirqs/sec"), 2);
	T_EQ_DBL(tree_number(t, "\\Softirq(_Total)\\Softirqs/sec"), 18);
	T_EQ_DBL(tree_number(t, "\\Processor(0)\\DPCs Queued/sec"), 15);
	T_EQ_DBL(tree_number(t, "\\Processor(1)\\DPCs Queued/sec"), 3);
	T_EQ_DBL(tree_number(t, "\\Processor(_Total)\\DPCs Queued/sec"), 18);
	assert_int_equal(tree_status(t, "\\Processor(2)\\DPCs Queued/sec"), TREE_ABSENT);
	tree_free(t);
}

// Processor 1 goes offline after the second sample and returns in the fourth; 2 appears in the
// third, with large counts from before. Each interval of a processor is 100 ticks, a quarter busy
// for 0, half for 1, all for 2.
static void
hot_plug(void **state)
{
	struct tree *t = tree_new();
	static const double want[] = {0, 37.5, 25, 62.5, 175.0 / 3};

	(void)state;
	tree_file(t, 0, "proc/stat", "cpu0 100 0 0 100\ncpu1 9000 0 0 9000\n");
	tree_file(t, 1, "proc/stat", "cpu0 125 0 0 175\ncpu1 9050 0 0 9050\n");
	tree_file(t, 2, "proc/stat", "cpu0 150 0 0 250\ncpu2 1000000 0 0 5\n");
	tree_file(t, 3, "proc/stat", "cpu0 175 0 0 325\ncpu2 1000100 0 0 5\n");
	tree_file(t, 4, "proc/stat", "cpu0 200 0 0 400\ncpu1 9100 0 0 9100\ncpu2 1000200 0 0 5\n");
	tree_open(t, "\\Processor(*)\\*", "\\Processor Information(*)\\*", NULL);
	for (unsigned n = 0; tree_next(t); n++) {
		if (n > 0) {
			T_EQ_DBL(tree_number(t, "\\Processor(_Total)\\% User Time"), want[n]);
			T_EQ_DBL(tree_number(t, "\\Processor Information(0,_Total)\\% User Time"),
				 want[n]);
		}
		if (n == 2) {
			assert_int_equal(tree_status(t, "\\Processor(1)\\% User Time"),
					 TREE_ABSENT);
			assert_int_equal(tree_status(t, "\\Processor(2)\\% User Time"),
					 PMON_V_FIRST);
		}
	}
	// 1 was gone for two samples: its next value starts a new run
	assert_int_equal(tree_status(t, "\\Processor(1)\\% User Time"), PMON_V_FIRST);
	T_EQ_DBL(tree_number(t, "\\Processor(2)\\% User Time"), 100);
	tree_free(t);
}

// Nor does the total jump because of counts of a processor that goes or comes.
static void
hot_plug_counts(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/stat", "cpu0 1 1 1 1\ncpu1 1 1 1 1\n");
	tree_file(t, 1, "proc/stat", "cpu0 1 1 1 1\n");
	tree_file(t, 2, "proc/stat", "cpu0 1 1 1 1\ncpu1 1 1 1 1\ncpu2 1 1 1 1\n");
	tree_file(t, 3, "proc/stat", "cpu0 1 1 1 1\ncpu1 1 1 1 1\ncpu2 1 1 1 1\n");
	tree_file(t, 0, "proc/interrupts", "CPU0 CPU1\nLOC: 100 5000\n");
	tree_file(t, 1, "proc/interrupts", "CPU0\nLOC: 110\n");
	tree_file(t, 2, "proc/interrupts", "CPU0 CPU1 CPU2\nLOC: 120 5003 8000\n");
	tree_file(t, 3, "proc/interrupts", "CPU0 CPU1 CPU2\nLOC: 130 5004 8100\n");
	tree_open(t, "\\Processor(_Total)\\Interrupts/sec", NULL);
	assert_true(tree_next(t));
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Processor(_Total)\\Interrupts/sec"), 10);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Processor(_Total)\\Interrupts/sec"), 13);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Processor(_Total)\\Interrupts/sec"), 111);
	tree_free(t);
}

#define NODE "sys/devices/system/node/"
#define CPU  "sys/devices/system/cpu/"

// Two nodes, 0 and 2, with the processors 0, 2 and 1, 3.
static void
nodes(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_files(t, 0, 1, NODE "online", "0,2\n");
	tree_files(t, 0, 1, NODE "node0/cpulist", "0,2\n");
	tree_files(t, 0, 1, NODE "node2/cpulist", "1,3\n");
	tree_file(t, 0, "proc/stat",
		  "cpu0 0 0 0 10\ncpu1 0 0 0 10\ncpu2 0 0 0 10\ncpu3 0 0 0 10\n");
	tree_file(t, 1, "proc/stat",
		  "cpu0 100 0 0 10\ncpu1 0 0 0 110\ncpu2 50 0 0 60\ncpu3 20 0 0 90\n");
	tree_open(t, "\\Processor Information(*)\\% Processor Time", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Processor Information(0,0)\\% Processor Time"), 100);
	T_EQ_DBL(tree_number(t, "\\Processor Information(0,2)\\% Processor Time"), 50);
	T_EQ_DBL(tree_number(t, "\\Processor Information(2,3)\\% Processor Time"), 100 * (1 - 0.8));
	T_EQ_DBL(tree_number(t, "\\Processor Information(0,_Total)\\% Processor Time"), 75);
	T_EQ_DBL(tree_number(t, "\\Processor Information(2,_Total)\\% Processor Time"),
		 100 * (1 - 0.9));
	T_EQ_DBL(tree_number(t, "\\Processor Information(_Total)\\% Processor Time"),
		 100 * (1 - 0.575));
	T_EQ_U64(tree_count(t, "\\Processor Information(*)\\*"), 7);
	tree_free(t);
}

static void
frequencies(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/stat", "cpu0 1 1 1 1\ncpu1 1 1 1 1\n");
	tree_file(t, 0, CPU "cpu0/cpufreq/scaling_cur_freq", "1200000\n");
	tree_file(t, 0, CPU "cpu0/cpufreq/cpuinfo_max_freq", "2400000\n");
	tree_file(t, 0, CPU "cpu1/cpufreq/scaling_cur_freq", "2400000\n");
	tree_file(t, 0, CPU "cpu1/cpufreq/cpuinfo_max_freq", "2400000\n");
	tree_open(t, "\\Processor Information(*)\\*Frequency", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Processor Information(0,0)\\Processor Frequency"), 1200);
	T_EQ_DBL(tree_number(t, "\\Processor Information(0,0)\\% of Maximum Frequency"), 50);
	T_EQ_DBL(tree_number(t, "\\Processor Information(_Total)\\Processor Frequency"), 1800);
	T_EQ_DBL(tree_number(t, "\\Processor Information(_Total)\\% of Maximum Frequency"), 75);
	tree_free(t);
}

// For one processor, interrupts and the highest frequency are unknown, and in the second sample
// the frequency too. The rest is known for both.
static void
a_part_is_not_the_total(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/stat", "cpu0 1 1 1 1 1 1 1 1\ncpu1 1 1 1 1\n");
	tree_file(t, 1, "proc/stat", "cpu0 2 1 1 1 1 1 1 1\ncpu1 1 1 1 2\n");
	tree_files(t, 0, 1, "proc/interrupts", "      CPU0\n 0:   100 timer\n");
	tree_files(t, 0, 1, CPU "cpu0/cpufreq/scaling_cur_freq", "1200000\n");
	tree_files(t, 0, 1, CPU "cpu0/cpufreq/cpuinfo_max_freq", "2400000\n");
	tree_file(t, 0, CPU "cpu1/cpufreq/scaling_cur_freq", "2400000\n");
	tree_open(t, "\\Processor(*)\\*", "\\Processor Information(*)\\*", NULL);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Processor Information(_Total)\\Processor Frequency"), 1800);
	assert_int_equal(tree_status(t, "\\Processor Information(_Total)\\% of Maximum Frequency"),
			 TREE_ABSENT);
	assert_true(tree_next(t));
	T_EQ_DBL(tree_number(t, "\\Processor Information(0,0)\\Processor Frequency"), 1200);
	assert_int_equal(tree_status(t, "\\Processor Information(_Total)\\Processor Frequency"),
			 TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Processor Information(0,1)\\Processor Frequency"),
			 TREE_ABSENT);
	assert_int_equal(tree_status(t, "\\Processor(0)\\Interrupts/sec"), PMON_V_OK);
	assert_int_equal(tree_status(t, "\\Processor(_Total)\\Interrupts/sec"), TREE_ABSENT);
	T_EQ_DBL(tree_number(t, "\\Processor(_Total)\\% User Time"), 50); // 1 tick of 2
	assert_int_equal(tree_status(t, "\\Processor(_Total)\\% I/O Wait Time"), TREE_ABSENT);
	tree_free(t);
}

static void
frequencies_of_cpuinfo(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_file(t, 0, "proc/stat", "cpu1 1 1 1 1\ncpu2 1 1 1 1\n");
	tree_file(t, 0, "proc/cpuinfo",
		  "processor\t: 1\nmodel name\t: x\ncpu MHz\t\t: 2596.742\n\n"
		  "processor\t: 2\nmodel name\t: x\n\nprocessor\t: 7\ncpu MHz\t: 1.000\n");
	tree_open(t, "\\Processor Information(*)\\*Frequency", NULL);
	tree_play(t);
	T_EQ_DBL(tree_number(t, "\\Processor Information(0,1)\\Processor Frequency"), 2597);
	T_EQ_U64(tree_count(t, "\\Processor Information(*)\\*"), 1); // of 2 it is not known
	tree_free(t);
}

// Numbers that no kernel writes: none may crash, none may be taken for another.
static void
hostile(void **state)
{
	static const char zeros[] = "cpu0\0 1 2 3 4\n\0\0\0cpu1 1 2 3 4\ncpu5 1 1 1 1";
	struct tree *t = tree_new();
	size_t len = 300000;
	char *line = malloc(len + 1);

	(void)state;
	assert_non_null(line);
	memset(line, '9', len);
	line[len] = '\0';
	tree_file(t, 0, "proc/stat",
		  "cpu4294967297 1 1 1 1\ncpu18446744073709551616 1 1 1 1\ncpux 1 1 1 1\ncpu\n"
		  "cpu0 18446744073709551615 18446744073709551615 1 1 1 1 1 1 1 1 1 1 1 1\n"
		  "cpu3 99999999999999999999999999 0 0 0\ncpu8191 1 2 3 4\ncpu8192 1 2 3 4\n");
	tree_bytes(t, 1, "proc/stat", zeros, sizeof(zeros) - 1);
	tree_file(t, 2, "proc/stat", line);
	tree_files(t, 0, 2, "proc/interrupts", "CPU0 CPU99999 CPU\nx: 1 2\n");
	tree_files(t, 0, 2, "proc/softirqs", line);
	tree_files(t, 0, 2, "proc/cpuinfo", "processor : 99999999\ncpu MHz : 1\ncpu MHz : x\n");
	tree_files(t, 0, 2, NODE "online", "0-4000000000000\n");
	tree_files(t, 0, 2, NODE "node0/cpulist", "5-1,-,0-18446744073709551615\n");
	tree_open(t, "\\Processor(*)\\*", "\\Processor Information(*)\\*", "\\Softirq(*)\\*", NULL);
	assert_true(tree_next(t));
	assert_int_equal(tree_status(t, "\\Processor(8191)\\% User Time"), PMON_V_FIRST);
	T_EQ_U64(tree_count(t, "\\Processor(*)\\% User Time"), 3); // 0, 8191, _Total
	assert_true(tree_next(t));
	assert_int_equal(tree_status(t, "\\Processor(5)\\% User Time"), PMON_V_FIRST);
	T_EQ_U64(tree_count(t, "\\Processor(*)\\% User Time"), 2); // 5, _Total
	tree_play(t);
	T_EQ_U64(tree_count(t, "\\Processor(*)\\% User Time"), 1); // the last known sum
	free(line);
	tree_free(t);
}

// Each allocation fails once, in two samples of everything: nothing is lost, and the failure is reported.
static void
short_of_memory(void **state)
{
	struct tree *t = tree_new();
	struct pmon_source *source;
	const struct pmon_sample *sample;
	struct pmon_err err;
	enum pmon_status status;
	size_t failed = 0;
	bool reached = true;

	(void)state;
	tree_files(t, 0, 1, "proc/stat", "cpu0 1 1 1 1\ncpu40 1 1 1 1\nctxt 5\n");
	tree_files(t, 0, 1, "proc/interrupts", interrupts_1);
	tree_files(t, 0, 1, "proc/softirqs", "CPU0 CPU40\nHI: 1 2\n");
	tree_files(t, 0, 1, "proc/self/mountinfo", "1 1 0:1 / /cg rw - cgroup2 x rw\n");
	tree_files(t, 0, 1, "cg/a/pids.current", "1\n");
	tree_open(t, NULL);
	for (size_t fail_at = 1; reached; fail_at++) {
		struct t_memory memory = {.fail_at = fail_at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_live_options options = *tree_options(t);

		options.allocator = &allocator;
		status = pmon_live_open(&options, &source, &err);
		for (int n = 0; status == PMON_OK && n < 2; n++)
			status = pmon_source_next(source, &sample, &err);
		pmon_source_close(source);
		T_EQ_U64(memory.live_blocks, 0);
		// what cannot be read for lack of memory may be absent instead
		assert_true(status == PMON_OK || status == PMON_E_NOMEM);
		reached = memory.calls >= fail_at;
		assert_true(reached || status == PMON_OK);
		failed += status == PMON_E_NOMEM;
	}
	assert_true(failed > 10);
	tree_free(t);
}

// ---- This machine ---------------------------------------------------------------------------

static void
stay_busy(long ms)
{
	struct timespec start;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < ms);
}

static bool
is_counter(const struct pmon_series *series, const char *name)
{
	return strcmp(series->name.ptr + series->name.len - strlen(name), name) == 0;
}

// Shares of time are within 0 and 100, of each processor idle and not idle are 100, and the kernel
// saw this test being busy.
static void
check_values(const struct pmon_schema *schema, const struct pmon_sample *sample,
	     const struct pmon_value *values)
{
	double sum = 0;
	unsigned n = 0;

	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, sample->series[i]);

		if (!pmon_vstat_has_value(values[i].status))
			continue;
		if (values[i].value < 0 || values[i].value > 100)
			fail_msg("%s: %f", series->name.ptr, values[i].value);
		if (is_counter(series, "% Processor Time") || is_counter(series, "% Idle Time")) {
			sum += values[i].value;
			n++;
		}
		if (is_counter(series, "(_Total)\\% Processor Time"))
			assert_true(values[i].value > 0);
	}
	assert_true(n >= 4);
	assert_true(sum > 49.999 * n && sum < 50.001 * n);
}

static void
this_machine(void **state)
{
	struct pmon_live_options options = {.size = sizeof(options), .root = NULL};
	struct pmon_statistics *statistics;
	struct pmon_source *source;
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_select_new(NULL, &options.select, &err), PMON_OK);
	assert_int_equal(pmon_select_add(options.select, t_span("\\Processor*(*)\\% *Time"), &err),
			 PMON_OK);
	if (pmon_live_open(&options, &source, &err) != PMON_OK) {
		pmon_select_free(options.select);
		skip();
	}
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, &err),
		PMON_OK);
	for (int n = 0; n < 2; n++) {
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		assert_int_equal(pmon_statistics_add(statistics, sample, &values, &err), PMON_OK);
		if (n == 0)
			stay_busy(200);
	}
	check_values(pmon_source_schema(source), sample, values);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
	pmon_select_free(options.select);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_state),
		cmocka_unit_test(old_kernels),
		cmocka_unit_test(idle_goes_back),
		cmocka_unit_test(reboot),
		cmocka_unit_test(interrupts),
		cmocka_unit_test(interrupts_of_one),
		cmocka_unit_test(softirqs_wrap),
		cmocka_unit_test(hot_plug),
		cmocka_unit_test(hot_plug_counts),
		cmocka_unit_test(nodes),
		cmocka_unit_test(a_part_is_not_the_total),
		cmocka_unit_test(frequencies),
		cmocka_unit_test(frequencies_of_cpuinfo),
		cmocka_unit_test(hostile),
		cmocka_unit_test(short_of_memory),
		cmocka_unit_test(this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
