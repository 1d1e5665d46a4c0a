// test_sadf.c - tables of sadf -d: sections that are joined by time, damaged, cut off, and with too little memory
// SPDX-License-Identifier: MIT

#include "t.h"

#include "dump.h"
#include "format/format.h"
#include "os/file.h"

#define HEAD "# hostname;interval;timestamp;"

static const char table[] =
	"w;-1;2026-02-25 10:00:00 UTC;LINUX-RESTART (2 CPU)\n" HEAD
	"CPU;%user;%nice;%system;%iowait;%steal;%idle\n"
	"w;600;2026-02-25 10:10:01 UTC;-1;5.01;0.00;1.02;0.20;0.00;93.77\n"
	"w;600;2026-02-25 10:20:01 UTC;-1;6;0,5;1;0.20;0.00;92.3\n" HEAD "INTR;CPU*\n"
	"w;600;1772014201;sum;7;8\n" HEAD "DEV;tps;rkB/s;wkB/s;await\n"
	"w;600;2026-02-25 10:10:01 UTC;a/b#1;2;3;4;5\n"
	"w;600;2026-02-25 10:20:01 UTC;a/b#1;2;;4;x\n";

static const char damaged[] = HEAD "A;b\n"
				   "w;1;1772014201;i;1\n"
				   "w;1;never;i;2\n"
				   "w;1;1772014202;i\n"
				   "w;1;1772014202;i;3;4\n"
				   "noise\n" HEAD "CPU;%user[...];proc/s\n"
				   "w;1;1772014203;0;1;2\n" HEAD "A;b\n"
				   "w;1;1772014201;i;5\n"
				   "w;1;1772014200;i;6\n";

// 1772014201 is 2026-02-25 10:10:01 UTC. 100 - 93.77 - 0.20 = 6.03, 100 - 92.3 - 0.2 = 7.5; kB are 1,024 bytes, await is in ms.
static void
sections_are_joined_by_time(void **state)
{
	struct dump d;

	(void)state;
	dump_bytes(&d, table, sizeof(table) - 1);
	DUMP_HAS(&d, "2026-02-25T10:10:01Z stream 0 sample 0 offset 0\n",
		 "2026-02-25T10:20:01Z stream 0 sample 1 offset 0\n",
		 "the machine restarted 1 time; the first is line 1",
		 "1 cell is no number; the first is in line 9");
	dump_has_number(&d, "\\\\w\\Processor(_Total)\\% Processor Time", 6.03);
	dump_has_number(&d, "\\\\w\\Processor(_Total)\\% Processor Time", 7.5);
	dump_has_number(&d, "\\\\w\\PhysicalDisk(a_b_1)\\Disk Read Bytes/sec", 3 * 1024);
	dump_has_number(&d, "\\\\w\\PhysicalDisk(a_b_1)\\Avg. Disk sec/Transfer", 0.005);
	dump_has_number(&d, "\\\\w\\sysstat CPU(_Total)\\%idle", 92.3);
	dump_has_number(&d, "\\\\w\\sysstat INTR(_Total)\\CPU* 0", 7);
	dump_has_number(&d, "\\\\w\\sysstat INTR(_Total)\\CPU* 1", 8);
	T_EQ_U64(d.n_samples, 2);
	// 9 of the processor (7 of rules, %user, %idle) twice, 2 of INTR; of the disk 5 (transfers, 3 of bytes, await), then 2.
	T_EQ_U64(d.n_values, 9 * 2 + 2 + 5 + 2);
	dump_free(&d);
}

static void
each_bad_line_costs_itself(void **state)
{
	struct dump d;

	(void)state;
	dump_bytes(&d, damaged, sizeof(damaged) - 1);
	DUMP_HAS(&d, "LOSS 6 lines have no readable time", "the first is line 3",
		 "1 value is there more than once");
	T_EQ_U64(d.n_samples, 2);
	T_EQ_U64(d.n_values, 2);
	dump_free(&d);
	dump_early_ends(damaged, sizeof(damaged) - 1);
}

// A short line makes many paths that repeat its names. "w", "sysstat A", "i" and "b" with a zero each are 16 bytes.
static void
long_names_are_limited(void **state)
{
	static const char log[] = HEAD "A;b\nw;1;1772014201;i;1\n";

	(void)state;
	for (uint64_t n = 15; n <= 16; n++) {
		struct pmon_log_options options = {.limits.path_bytes = n};
		struct pmon_source *source = NULL;
		struct pmon_file *file;
		struct pmon_err err;

		assert_int_equal(pmon_file_memory(log, sizeof(log) - 1, NULL, &file, &err),
				 PMON_OK);
		T_EQ_I64(pmon_log_open_file(file, &options, &source, &err),
			 n < 16 ? PMON_E_LIMIT : PMON_OK);
		pmon_source_close(source);
	}
}

static void
damage_is_survived(void **state)
{
	(void)state;
	dump_mutations(table, sizeof(table) - 1);
	dump_mutations(damaged, sizeof(damaged) - 1);
}

static void
each_failing_allocation_is_a_status(void **state)
{
	(void)state;
	dump_short_of_memory(table, sizeof(table) - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_are_joined_by_time),
		cmocka_unit_test(each_bad_line_costs_itself),
		cmocka_unit_test(long_names_are_limited),
		cmocka_unit_test(damage_is_survived),
		cmocka_unit_test(each_failing_allocation_is_a_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
