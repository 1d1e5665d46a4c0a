// test_openmetrics.c - logs as OpenMetrics text
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "folder.h"
#include "format/openmetrics/openmetrics.h"
#include "memsource.h"
#include "moments.h"
#include "write_limit.h"

static struct pmon_source *
kinds(void)
{
	struct mem_source *m = mem_source_new();
	uint32_t idle = mem_source_series(m, "\\\\S\\Processor(0)\\% Processor Time",
					  PMON_PERF_100NSEC_TIMER_INV, 0);
	uint32_t read = mem_source_series(m, "\\\\S\\Disk(C:)\\Avg. Disk sec/Read",
					  PMON_PERF_AVERAGE_TIMER, 4);
	uint32_t bytes = mem_source_series(m, "\\\\S\\Memory\\Available Bytes",
					   PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
	uint32_t part =
		mem_source_series(m, "\\\\S\\Disk(a\"\\\n/b#2)\\% Free", PMON_PERF_RAW_FRACTION, 0);

	(void)mem_source_series(m, "\\\\S\\Disk(a\"\\\n/b#2)\\% Free Base", PMON_PERF_RAW_BASE, 0);
	mem_source_sample(m, T0 + 1234567);
	mem_source_raw(m, idle, 15000001, 0);
	mem_source_raw(m, read, 7, 5);
	mem_source_raw(m, bytes, -3, 0);
	mem_source_raw(m, part, 6, 8);
	mem_source_sample(m, T0 + SECOND);
	mem_source_raw(m, idle, 20000000, SECOND);
	return mem_source_open(m);
}

// Descriptions are in a test of their own.
static void
expect_metrics(struct pmon_source *source, const char *format, const char *want)
{
	expect_written_without(source, format, "# TYPE " OM_DESCRIPTION, "# EOF\n", want);
}

// The clock of the idle timer begins at 0 here: what it counts is a second raw value like any other.
static void
types_are_kept(void **state)
{
	(void)state;
	expect_metrics(
		kinds(), "openmetrics",
		"# TYPE pmon_processor_processor_time_idle_seconds counter\n"
		"# UNIT pmon_processor_processor_time_idle_seconds seconds\n"
		"# HELP pmon_processor_processor_time_idle_seconds Processor, % Processor Time: "
		"idle time (PERF_100NSEC_TIMER_INV)\n"
		"pmon_processor_processor_time_idle_seconds_total{instance=\"0\",machine=\"S\","
		"object=\"Processor\"} 1.5000001 1577836800.1234567\n"
		"pmon_processor_processor_time_idle_seconds_total{instance=\"0\",machine=\"S\","
		"object=\"Processor\"} 2 1577836801\n"
		"# TYPE pmon_processor_processor_time_idle_seconds_base_seconds counter\n"
		"# UNIT pmon_processor_processor_time_idle_seconds_base_seconds seconds\n"
		"# HELP pmon_processor_processor_time_idle_seconds_base_seconds Processor, "
		"% Processor Time: the time to divide by (PERF_100NSEC_TIMER_INV)\n"
		"pmon_processor_processor_time_idle_seconds_base_seconds_total{instance=\"0\","
		"machine=\"S\",object=\"Processor\"} 0 1577836800.1234567\n"
		"pmon_processor_processor_time_idle_seconds_base_seconds_total{instance=\"0\","
		"machine=\"S\",object=\"Processor\"} 1 1577836801\n"
		"# TYPE pmon_disk_disk_per_read_seconds counter\n"
		"# UNIT pmon_disk_disk_per_read_seconds seconds\n"
		"# HELP pmon_disk_disk_per_read_seconds Disk, Avg. Disk sec/Read: "
		"total time in ticks (PERF_AVERAGE_TIMER)\n"
		"pmon_disk_disk_per_read_seconds_total{instance=\"C:\",machine=\"S\","
		"object=\"Disk\"} 1.75 1577836800.1234567\n"
		"# TYPE pmon_disk_disk_per_read_seconds_base counter\n"
		"# HELP pmon_disk_disk_per_read_seconds_base Disk, Avg. Disk sec/Read: "
		"the base to divide by (PERF_AVERAGE_TIMER)\n"
		"pmon_disk_disk_per_read_seconds_base_total{instance=\"C:\",machine=\"S\","
		"object=\"Disk\"} 5 1577836800.1234567\n"
		"# TYPE pmon_disk_disk_per_read_seconds_intervals counter\n"
		"# HELP pmon_disk_disk_per_read_seconds_intervals Disk, Avg. Disk sec/Read: "
		"the number of intervals (PERF_AVERAGE_TIMER)\n"
		"pmon_disk_disk_per_read_seconds_intervals_total{instance=\"C:\",machine=\"S\","
		"object=\"Disk\"} 0 1577836800.1234567\n"
		"# TYPE pmon_memory_available_bytes gauge\n"
		"# UNIT pmon_memory_available_bytes bytes\n"
		"# HELP pmon_memory_available_bytes Memory, Available Bytes: the value "
		"(PERF_COUNTER_LARGE_RAWCOUNT)\n"
		"pmon_memory_available_bytes{machine=\"S\",object=\"Memory\"} -3 "
		"1577836800.1234567\n"
		"# TYPE pmon_disk_free gauge\n"
		"# HELP pmon_disk_free Disk, % Free: the part (PERF_RAW_FRACTION)\n"
		"pmon_disk_free{index=\"2\",instance=\"b\",machine=\"S\",object=\"Disk\","
		"parent=\"a\\\"\\\\\\n\"} 6 1577836800.1234567\n"
		"# TYPE pmon_disk_free_base gauge\n"
		"# HELP pmon_disk_free_base Disk, % Free: the whole to divide by "
		"(PERF_RAW_FRACTION)\n"
		"pmon_disk_free_base{index=\"2\",instance=\"b\",machine=\"S\",object=\"Disk\","
		"parent=\"a\\\"\\\\\\n\"} 8 1577836800.1234567\n"
		"# TYPE pmon_disk_free_ratio gauge\n"
		"# UNIT pmon_disk_free_ratio ratio\n"
		"# HELP pmon_disk_free_ratio Disk, % Free: the displayed value "
		"(PERF_RAW_FRACTION)\n"
		"pmon_disk_free_ratio{index=\"2\",instance=\"b\",machine=\"S\",object=\"Disk\","
		"parent=\"a\\\"\\\\\\n\"} 0.75 1577836800.1234567\n"
		"# EOF\n");
}

static struct pmon_source *
counting(void)
{
	struct mem_source *m = mem_source_new();
	uint32_t s = mem_source_series(m, "\\O\\Reads/sec", PMON_PERF_COUNTER_COUNTER, 10);

	mem_source_sample(m, T0);
	mem_source_raw(m, s, 4294967290, 10);
	mem_source_sample(m, T0 + SECOND); // wraps: 10 in 10 ticks
	mem_source_raw(m, s, 4, 20);
	mem_source_sample(m, T0 + 2 * SECOND);
	mem_source_bad(m, s, PMON_RAW_INVALID);
	mem_source_sample(m, T0 + 3 * SECOND); // the pair spans it
	mem_source_raw(m, s, 2000000004, 40);
	mem_source_sample(m, T0 + 3 * SECOND + 9999); // within the millisecond: one later
	mem_source_raw(m, s, 2000000005, 50);
	mem_source_sample(m, T0 + 4 * SECOND); // back by less than 2^31: a reset
	mem_source_raw(m, s, 1000, 60);
	mem_source_sample(m, T0 + 5 * SECOND);
	mem_source_raw(m, s, 1007, 70);
	mem_source_skip(m); // absent
	mem_source_sample(m, T0 + 6 * SECOND);
	mem_source_raw(m, s, 2000, 90);
	mem_source_sample(m, T0 + 7 * SECOND); // the clock goes back
	mem_source_raw(m, s, 2005, 80);
	mem_source_sample(m, T0 + 8 * SECOND);
	mem_source_raw(m, s, 2006, 90);
	return mem_source_open(m);
}

// The pairs that pmon's average has are counted, and no other: 10 + 2000000000 + 1 + 7 + 1 events in
// 1 + 2 + 1 + 1 + 1 seconds, from the raw values of the first sample on.
static void
good_pairs_alone_are_counted(void **state)
{
	(void)state;
	expect_metrics(counting(), "prometheus",
		       "# TYPE pmon_o_reads_total counter\n"
		       "# HELP pmon_o_reads_total O, Reads/sec: the count (PERF_COUNTER_COUNTER)\n"
		       "pmon_o_reads_total{object=\"O\"} 4294967290 1577836800000\n"
		       "pmon_o_reads_total{object=\"O\"} 4294967300 1577836801000\n"
		       "pmon_o_reads_total{object=\"O\"} 6294967300 1577836803000\n"
		       "pmon_o_reads_total{object=\"O\"} 6294967301 1577836803001\n"
		       "pmon_o_reads_total{object=\"O\"} 6294967301 1577836804000\n"
		       "pmon_o_reads_total{object=\"O\"} 6294967308 1577836805000\n"
		       "pmon_o_reads_total{object=\"O\"} 6294967308 1577836806000\n"
		       "pmon_o_reads_total{object=\"O\"} 6294967308 1577836807000\n"
		       "pmon_o_reads_total{object=\"O\"} 6294967309 1577836808000\n"
		       "# TYPE pmon_o_reads_base_seconds_total counter\n"
		       "# HELP pmon_o_reads_base_seconds_total O, Reads/sec: the time to divide by "
		       "(PERF_COUNTER_COUNTER)\n"
		       "pmon_o_reads_base_seconds_total{object=\"O\"} 1 1577836800000\n"
		       "pmon_o_reads_base_seconds_total{object=\"O\"} 2 1577836801000\n"
		       "pmon_o_reads_base_seconds_total{object=\"O\"} 4 1577836803000\n"
		       "pmon_o_reads_base_seconds_total{object=\"O\"} 5 1577836803001\n"
		       "pmon_o_reads_base_seconds_total{object=\"O\"} 5 1577836804000\n"
		       "pmon_o_reads_base_seconds_total{object=\"O\"} 6 1577836805000\n"
		       "pmon_o_reads_base_seconds_total{object=\"O\"} 6 1577836806000\n"
		       "pmon_o_reads_base_seconds_total{object=\"O\"} 6 1577836807000\n"
		       "pmon_o_reads_base_seconds_total{object=\"O\"} 7 1577836808000\n");
}

// The values that processes counted from at `time`, for the next sample.
static void
put_start(struct mem_source *m, uint32_t series, pmon_time time, int64_t second)
{
	struct pmon_raw raw = {
		.status = PMON_RAW_STARTED, .multi = 1, .time = time, .second = second};
	struct pmon_sample *sample = &m->samples[m->n - 1];

	sample->preceding = sample->starts = true;
	if (sample->n == 0) {
		sample->ordinal--;
		m->ordinals[0]--;
	}
	mem_source_put(m, series, &raw);
}

static struct pmon_source *
other_processes(void)
{
	struct mem_source *m = mem_source_new();
	uint32_t old = mem_source_series(m, "\\O(a)\\Reads/sec", PMON_PERF_COUNTER_BULK_COUNT, 10);
	uint32_t new = mem_source_series(m, "\\O(b)\\Reads/sec", PMON_PERF_COUNTER_BULK_COUNT, 10);

	mem_source_sample(m, T0);
	mem_source_raw(m, old, 100, 10);
	mem_source_sample(m, T0 + SECOND);
	mem_source_raw(m, old, 110, 20);
	mem_source_sample(m, T0 + 2 * SECOND); // another process, which has counted less
	mem_source_raw(m, old, 5, 30);
	m->raw[m->n_values - 1].status = PMON_RAW_CHANGED;
	mem_source_sample(m, T0 + 3 * SECOND);
	mem_source_raw(m, old, 8, 40);
	mem_source_sample(m, T0 + 4 * SECOND); // another one, which has counted more
	mem_source_raw(m, old, 4000, 50);
	m->raw[m->n_values - 1].status = PMON_RAW_CHANGED;
	mem_source_sample(m, T0 + 5 * SECOND); // both began half a second ago
	put_start(m, old, T0 + 5 * SECOND - SECOND / 2, 55);
	put_start(m, new, T0 + 5 * SECOND - SECOND / 2, 55);
	mem_source_sample(m, T0 + 5 * SECOND);
	mem_source_raw(m, old, 6, 60);
	mem_source_raw(m, new, 7, 60);
	return mem_source_open(m);
}

// Counted are 10 in a second, 3 in a second, and 6 in half a second; of the new series 7 in half a
// second, from 0 when its process began. No counter goes back.
static void
different_processes_are_not_joined(void **state)
{
	(void)state;
	expect_metrics(
		other_processes(), "prometheus",
		"# TYPE pmon_o_reads_total counter\n"
		"# HELP pmon_o_reads_total O, Reads/sec: the count (PERF_COUNTER_BULK_COUNT)\n"
		"pmon_o_reads_total{instance=\"a\",object=\"O\"} 100 1577836800000\n"
		"pmon_o_reads_total{instance=\"a\",object=\"O\"} 110 1577836801000\n"
		"pmon_o_reads_total{instance=\"a\",object=\"O\"} 110 1577836802000\n"
		"pmon_o_reads_total{instance=\"a\",object=\"O\"} 113 1577836803000\n"
		"pmon_o_reads_total{instance=\"a\",object=\"O\"} 113 1577836804000\n"
		"pmon_o_reads_total{instance=\"a\",object=\"O\"} 119 1577836805000\n"
		"pmon_o_reads_total{instance=\"b\",object=\"O\"} 0 1577836804500\n"
		"pmon_o_reads_total{instance=\"b\",object=\"O\"} 7 1577836805000\n"
		"# TYPE pmon_o_reads_base_seconds_total counter\n"
		"# HELP pmon_o_reads_base_seconds_total O, Reads/sec: the time to divide by "
		"(PERF_COUNTER_BULK_COUNT)\n"
		"pmon_o_reads_base_seconds_total{instance=\"a\",object=\"O\"} 1 1577836800000\n"
		"pmon_o_reads_base_seconds_total{instance=\"a\",object=\"O\"} 2 1577836801000\n"
		"pmon_o_reads_base_seconds_total{instance=\"a\",object=\"O\"} 2 1577836802000\n"
		"pmon_o_reads_base_seconds_total{instance=\"a\",object=\"O\"} 3 1577836803000\n"
		"pmon_o_reads_base_seconds_total{instance=\"a\",object=\"O\"} 3 1577836804000\n"
		"pmon_o_reads_base_seconds_total{instance=\"a\",object=\"O\"} 3.5 1577836805000\n"
		"pmon_o_reads_base_seconds_total{instance=\"b\",object=\"O\"} 5.5 1577836804500\n"
		"pmon_o_reads_base_seconds_total{instance=\"b\",object=\"O\"} 6 1577836805000\n");
}

// Names contain only letters, digits and "_", even if they are truncated.
static void
long_names_are_names(void **state)
{
	char path[400], name[192], want[1200];

	(void)state;
	for (int n = 175; n <= 330; n++) { // "pmon_o_" and 184 letters fit
		struct mem_source *m = mem_source_new();

		(void)snprintf(path, sizeof(path), "\\O\\%0*d", n, 0);
		(void)snprintf(name, sizeof(name), "pmon_o_%0*d", n < 184 ? n : 184, 0);
		(void)snprintf(want, sizeof(want),
			       "# TYPE %s gauge\n"
			       "# HELP %s O, %0*d: the value (PERF_COUNTER_RAWCOUNT)\n"
			       "%s{object=\"O\"} 1 1577836800000\n",
			       name, name, n, 0, name);
		(void)mem_source_series(m, path, PMON_PERF_COUNTER_RAWCOUNT, 0);
		mem_source_sample(m, T0);
		mem_source_raw(m, 0, 1, 0);
		expect_metrics(mem_source_open(m), "prometheus", want);
	}
}

static void
names_are_told_apart(void **state)
{
	struct mem_source *m = mem_source_new();
	static const char *const paths[] = {"\\O\\A B",
					    "\\O\\A-B",
					    "\\O\\A B",
					    "\\O(x)\\a b",
					    "\\O\\Bytes Total/sec",
					    "\\O\\Thread Count",
					    "\\\xC3\x96l\\%"};

	(void)state;
	for (size_t i = 0; i < T_LEN(paths); i++)
		(void)mem_source_series(
			m, paths[i],
			i == 4 ? PMON_PERF_COUNTER_BULK_COUNT : PMON_PERF_COUNTER_RAWCOUNT, 10);
	mem_source_sample(m, T0);
	for (uint32_t i = 0; i < T_LEN(paths); i++)
		mem_source_raw(m, i, i, 0);
	expect_metrics(
		mem_source_open(m), "prometheus",
		"# TYPE pmon_o_a_b gauge\n"
		"# HELP pmon_o_a_b O, A B: the value (PERF_COUNTER_RAWCOUNT)\n"
		"pmon_o_a_b{object=\"O\"} 0 1577836800000\n"
		"pmon_o_a_b{duplicate=\"1\",object=\"O\"} 2 1577836800000\n"
		"pmon_o_a_b{instance=\"x\",object=\"O\"} 3 1577836800000\n"
		"# TYPE pmon_o_a_b_2 gauge\n"
		"# HELP pmon_o_a_b_2 O, A-B: the value (PERF_COUNTER_RAWCOUNT)\n"
		"pmon_o_a_b_2{object=\"O\"} 1 1577836800000\n"
		"# TYPE pmon_o_bytes_total counter\n"
		"# HELP pmon_o_bytes_total O, Bytes Total/sec: the count "
		"(PERF_COUNTER_BULK_COUNT)\n"
		"pmon_o_bytes_total{object=\"O\"} 4 1577836800000\n"
		"# TYPE pmon_o_bytes_base_seconds_total counter\n"
		"# HELP pmon_o_bytes_base_seconds_total O, Bytes Total/sec: the time to divide by "
		"(PERF_COUNTER_BULK_COUNT)\n"
		"pmon_o_bytes_base_seconds_total{object=\"O\"} 0 1577836800000\n"
		"# TYPE pmon_o_thread_count_value gauge\n"
		"# HELP pmon_o_thread_count_value O, Thread Count: the value "
		"(PERF_COUNTER_RAWCOUNT)\n"
		"pmon_o_thread_count_value{object=\"O\"} 5 1577836800000\n"
		"# TYPE pmon_u246l gauge\n"
		"# HELP pmon_u246l \xC3\x96l, %: the value (PERF_COUNTER_RAWCOUNT)\n"
		"pmon_u246l{object=\"\xC3\x96l\"} 6 1577836800000\n");
}

// More points than the blocks in memory hold, of several series by turns.
static void
points_are_read_from_the_disk(void **state)
{
	struct mem_source *m = mem_source_new();
	const char *path = in_folder("points");
	unsigned long long value, ms, last[2] = {0};
	char line[200];
	size_t n = 0;
	FILE *file;

	(void)state;
	(void)mem_source_series(m, "\\O(0)\\A", PMON_PERF_COUNTER_RAWCOUNT, 0);
	(void)mem_source_series(m, "\\O(1)\\A", PMON_PERF_COUNTER_RAWCOUNT, 0);
	for (int k = 0; k < 200; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		mem_source_raw(m, 0, k + 1, 0);
		mem_source_raw(m, 1, k + 1, 0);
	}
	write_over(mem_source_open(m), path, "prometheus");
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		unsigned series;

		if (line[0] == '#' || strstr(line, OM_DESCRIPTION) == line)
			continue;
		assert_int_equal(sscanf(line, "pmon_o_a{instance=\"%u\",object=\"O\"} %llu %llu",
					&series, &value, &ms),
				 3);
		assert_int_equal(series, n / 200);
		T_EQ_U64(value, last[series] + 1);
		T_EQ_U64(ms, 1577836799000 + value * 1000);
		last[series] = value;
		n++;
	}
	assert_int_equal(n, 400);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(unlink(path), 0);
}

static void
each_allocation_fails(void **state)
{
	(void)state;
	each_allocation_of_writing_fails(kinds, "openmetrics");
}

static void
half_a_file_is_never_seen(void **state)
{
	(void)state;
	half_a_file_is_not_seen(kinds, "openmetrics", 100);
	half_a_file_is_not_seen(kinds, "prometheus", 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_are_kept),
		cmocka_unit_test(good_pairs_alone_are_counted),
		cmocka_unit_test(different_processes_are_not_joined),
		cmocka_unit_test(long_names_are_names),
		cmocka_unit_test(names_are_told_apart),
		cmocka_unit_test(points_are_read_from_the_disk),
		cmocka_unit_test(each_allocation_fails),
		cmocka_unit_test(half_a_file_is_never_seen),
	};

	return cmocka_run_group_tests_name("openmetrics", tests, folder_make, folder_remove);
}
