// test_nmon.c - recordings of nmon: read, damaged, cut off, and with too little memory
// SPDX-License-Identifier: MIT

#include "t.h"

#include "dump.h"

static const char healthy[] = "AAA,progname,nmon\nAAA,host,w\nBBBP,000,/proc,\"x\"\n"
			      "CPU001,CPU 1 w,User%,Sys%,Wait%,Idle%,Steal%\n"
			      "NET,Network w,lo-read-KB/s,lo-write-KB/s,\n"
			      "DISKBUSY,Disk %Busy w,sda\n"
			      "ZZZZ,T0001,11:19:07,29-NOV-2026\n"
			      "CPU001,T0001,19.6,12.1,0.5,67.7,0.1\n"
			      "TOP,0000001,T0001,1,2\n"
			      "NET,T0001,1.5,-0.0,\n"
			      "ZZZZ,T0002,11:19:08,29-NOV-2026\n"
			      "DISKBUSY,T0002,1.8\n"
			      "DISKBUSY,T0002,1.9\n";

static const char damaged[] = "AAA,progname,nmon\nDISKBUSY,Disk %Busy w,sda\nX,a,b\n"
			      "DISKBUSY,T0001,1\n" // before its time
			      "ZZZZ,T0001,11:19:07,29-NOV-2026\n"
			      "DISKBUSY,T0001,1,2\n" // too many values
			      "DISKBUSY,T0002,1\n"   // of another sample
			      "Y,T0001,1\n"          // without names
			      "noise\n"
			      "X,T0001,5\n"
			      "X,a,c\n"     // other names
			      "X,T0001,6\n" // ... and a value of these
			      "ZZZZ,T0002,never\n"
			      "X,T0002,7\n";

// 100 - 67.7 - 0.5 = 31.8, 100 - 1.8 = 98.2; kB are 1,024 bytes; a negative number is none.
static void
lines_are_read(void **state)
{
	struct dump d;

	(void)state;
	dump_bytes(&d, healthy, sizeof(healthy) - 1);
	DUMP_HAS(&d, "2026-11-29T11:19:07Z stream 0 sample 0 offset 0\n",
		 "2026-11-29T11:19:08Z stream 0 sample 1 offset 0\n",
		 "1 value is there more than once for the same time; the first is kept");
	dump_has_number(&d, "\\\\w\\Processor(0)\\% Processor Time", 31.8);
	dump_has_number(&d, "\\\\w\\nmon(CPU001)\\Idle%", 67.7);
	dump_has_number(&d, "\\\\w\\Network Interface(lo)\\Bytes Received/sec", 1.5 * 1024);
	dump_has_number(&d, "\\\\w\\PhysicalDisk(sda)\\% Idle Time", 98.2);
	T_EQ_U64(d.n_samples, 2);
	// Processor, idle, and one for each of 5 columns; received; the disk.
	T_EQ_U64(d.n_values, 7 + 1 + 1);
	dump_free(&d);
}

static void
each_bad_line_costs_itself(void **state)
{
	struct dump d;

	(void)state;
	dump_bytes(&d, damaged, sizeof(damaged) - 1);
	DUMP_HAS(&d, "LOSS 9 lines have no time", "the first is line 4");
	T_EQ_U64(d.n_samples, 1);
	T_EQ_U64(d.n_values, 1);
	dump_free(&d);
	dump_early_ends(damaged, sizeof(damaged) - 1);
}

static void
a_cut_line_is_reported(void **state)
{
	struct dump d;

	(void)state;
	dump_bytes(&d, healthy, sizeof(healthy) - 2);
	DUMP_HAS(&d, "the last line has no line terminator");
	dump_free(&d);
}

static void
damage_is_survived(void **state)
{
	(void)state;
	dump_mutations(healthy, sizeof(healthy) - 1);
	dump_mutations(damaged, sizeof(damaged) - 1);
}

static void
each_failing_allocation_is_a_status(void **state)
{
	(void)state;
	dump_short_of_memory(healthy, sizeof(healthy) - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_read),
		cmocka_unit_test(each_bad_line_costs_itself),
		cmocka_unit_test(a_cut_line_is_reported),
		cmocka_unit_test(damage_is_survived),
		cmocka_unit_test(each_failing_allocation_is_a_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
