// test_openmetrics.c - logs as OpenMetrics text
// SPDX-License-Identifier: MIT

#include "t.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "memsource.h"
#include "moments.h"

static char out[] = "/tmp/pmon-test-om-XXXXXX";

static int
make_file(void **state)
{
	int fd = mkstemp(out);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int
remove_file(void **state)
{
	(void)state;
	return unlink(out);
}

static enum pmon_status
write_out(struct pmon_source *source, const char *format, const struct pmon_allocator *allocator)
{
	struct pmon_create_options options = {.overwrite = true, .allocator = allocator};
	struct pmon_sink *sink = NULL;
	struct pmon_err err;
	enum pmon_status status = pmon_log_create(out, format, &options, &sink, &err);

	if (status == PMON_OK)
		status = pmon_copy(source, sink, NULL, &err);
	pmon_sink_close(sink);
	pmon_source_close(source);
	return status;
}

static void
expect(struct pmon_source *source, const char *format, const char *want)
{
	size_t len;
	char *text;

	assert_int_equal(write_out(source, format, NULL), PMON_OK);
	text = t_read_file(out, &len);
	assert_non_null(text);
	T_EQ_STR(text, want);
	free(text);
}

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

// The clock of the idle timer begins at 0 here: what it counts is a second raw value like any other.
static void
types_are_kept(void **state)
{
	(void)state;
	expect(kinds(), "openmetrics",
	       "# TYPE pmon_processor_processor_time_idle_seconds counter\n"
	       "# UNIT pmon_processor_processor_time_idle_seconds seconds\n"
	       "# HELP pmon_processor_processor_time_idle_seconds Processor, % Processor Time: "
	       "time not in use (PERF_100NSEC_TIMER_INV)\n"
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
	expect(counting(), "prometheus",
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
	expect(mem_source_open(m), "prometheus",
	       "# TYPE pmon_o_a_b gauge\n"
	       "# HELP pmon_o_a_b O, A B: the value (PERF_COUNTER_RAWCOUNT)\n"
	       "pmon_o_a_b{object=\"O\"} 0 1577836800000\n"
	       "pmon_o_a_b{object=\"O\",twin=\"1\"} 2 1577836800000\n"
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
	       "# TYPE pmon_u214l gauge\n"
	       "# HELP pmon_u214l \xC3\x96l, %: the value (PERF_COUNTER_RAWCOUNT)\n"
	       "pmon_u214l{object=\"\xC3\x96l\"} 6 1577836800000\n");
}

// More points than the blocks in memory hold, of several series by turns.
static void
points_come_back_from_the_disk(void **state)
{
	struct mem_source *m = mem_source_new();
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
	assert_int_equal(write_out(mem_source_open(m), "prometheus", NULL), PMON_OK);
	file = fopen(out, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		unsigned series;

		if (line[0] == '#')
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
}

static void
each_allocation_fails(void **state)
{
	enum pmon_status status = PMON_E_NOMEM;

	(void)state;
	for (size_t at = 1; status != PMON_OK; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);

		status = write_out(kinds(), "openmetrics", &allocator);
		assert_true(status == PMON_OK || status == PMON_E_NOMEM);
		assert_int_equal(memory.live_blocks, 0);
	}
}

// ---- Half a file ------------------------------------------------------------------------------

// In a process of its own: the disk holds 100 bytes.
static int
write_to_full_disk(const char *format, const char *path)
{
	struct rlimit limit = {100, 100};
	struct pmon_source *source = kinds();
	struct pmon_sink *sink = NULL;
	struct pmon_err err;
	enum pmon_status status;

	(void)signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		return 2;
	status = pmon_log_create(path, format, NULL, &sink, &err);
	if (status == PMON_OK)
		status = pmon_copy(source, sink, NULL, &err);
	pmon_sink_close(sink);
	pmon_source_close(source);
	return status == PMON_E_IO && err.sys == EFBIG ? 0 : 1;
}

static int
write_and_die(const char *format, const char *path)
{
	struct pmon_source *source = kinds();
	const struct pmon_sample *sample;
	struct pmon_sink *sink;
	struct pmon_err err;

	if (pmon_log_create(path, format, NULL, &sink, &err) != PMON_OK ||
	    pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err) !=
		    PMON_OK)
		return 1;
	while (pmon_source_next(source, &sample, &err) == PMON_OK) {
		struct pmon_value values[16] = {{0}};

		if (pmon_sink_add(sink, sample, values, &err) != PMON_OK)
			return 2;
	}
	return 0;
}

// It ends by being killed when all was well: a checker of memory has nothing to say then.
static int
in_child(int (*act)(const char *format, const char *path), const char *format, const char *path)
{
	int how = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		if (act(format, path) == 0)
			(void)raise(SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &how, 0), child);
	return how;
}

static void
half_a_file_is_never_seen(void **state)
{
	static const char *const formats[] = {"openmetrics", "prometheus"};
	char path[100];
	char command[200];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s.half", out);
	(void)snprintf(command, sizeof(command), "rm %s.*.tmp", path);
	for (size_t i = 0; i < T_LEN(formats); i++) {
		assert_int_equal(in_child(write_to_full_disk, formats[i], path), SIGKILL);
		assert_int_equal(access(path, F_OK), -1);
		assert_int_equal(in_child(write_and_die, formats[i], path), SIGKILL);
		assert_int_equal(access(path, F_OK), -1);
		// what the killed one left has another name
		assert_int_equal(system(command), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_are_kept),
		cmocka_unit_test(good_pairs_alone_are_counted),
		cmocka_unit_test(names_are_told_apart),
		cmocka_unit_test(points_come_back_from_the_disk),
		cmocka_unit_test(each_allocation_fails),
		cmocka_unit_test(half_a_file_is_never_seen),
	};

	return cmocka_run_group_tests_name("openmetrics", tests, make_file, remove_file);
}
