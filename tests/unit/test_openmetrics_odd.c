// test_openmetrics_odd.c - OpenMetrics text of names, values and times that are odd
// SPDX-License-Identifier: MIT

#include "t.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "buf.h"
#include "folder.h"
#include "format/openmetrics/openmetrics.h"
#include "memsource.h"
#include "moments.h"
#include "write_fault.h"

// ---- Values ---------------------------------------------------------------------------------

static uint32_t
add_displayed(struct mem_source *m, const char *path, const uint32_t *known_type)
{
	uint32_t id = mem_source_series(m, path, PMON_PERF_DOUBLE_RAW, 0);

	pmon_schema_set_formatted(&m->base.schema, id, known_type);
	return id;
}

static void
put_double(struct mem_source *m, uint32_t series, double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	mem_source_raw(m, series, bits, 0);
}

// Descriptions are in a test of their own.
static void
expect_metrics(struct pmon_source *source, const char *format, const char *want)
{
	expect_written_without(source, format, "# TYPE " OM_DESCRIPTION, "# EOF\n", want);
}

// A unit that is known is in the name. Two of one counter, of which one has none, are two families.
static void
displayed_values_have_units(void **state)
{
	static const uint32_t elapsed = PMON_PERF_ELAPSED_TIME;
	static const uint32_t timer = PMON_PERF_100NSEC_TIMER;
	struct mem_source *m = mem_source_new();
	uint32_t none = add_displayed(m, "\\\\A\\O\\Up seconds", NULL);
	uint32_t seconds = add_displayed(m, "\\\\B\\O\\Up seconds", &elapsed);
	uint32_t percent = add_displayed(m, "\\\\A\\O\\% Time", &timer);

	(void)state;
	mem_source_sample(m, T0);
	put_double(m, none, 1.5);
	put_double(m, seconds, 2.5);
	put_double(m, percent, 50);
	mem_source_sample(m, T0 + SECOND);
	put_double(m, percent, NAN);
	expect_metrics(
		mem_source_open(m), "prometheus",
		"# TYPE pmon_o_up_seconds gauge\n"
		"# HELP pmon_o_up_seconds O, Up seconds: the displayed value (PERF_DOUBLE_RAW)\n"
		"pmon_o_up_seconds{machine=\"A\",object=\"O\"} 1.5 1577836800000\n"
		"# TYPE pmon_o_up_2_seconds gauge\n"
		"# HELP pmon_o_up_2_seconds O, Up seconds: the displayed value (PERF_DOUBLE_RAW)\n"
		"pmon_o_up_2_seconds{machine=\"B\",object=\"O\"} 2.5 1577836800000\n"
		"# TYPE pmon_o_time_ratio gauge\n"
		"# HELP pmon_o_time_ratio O, % Time: the displayed value (PERF_DOUBLE_RAW)\n"
		"pmon_o_time_ratio{machine=\"A\",object=\"O\"} 0.5 1577836800000\n");
}

// Bytes and seconds, whatever unit the name has: 3 MB are 3145728 bytes, 2 KB 2048, 1,500 ms 1.5 s.
static void
units_are_base_units(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t mb = mem_source_series(m, "\\O\\Available MBytes", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t ms = mem_source_series(m, "\\O\\Wait (ms)", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t kb = mem_source_series(m, "\\O\\Sent KB", PMON_PERF_COUNTER_DELTA, 0);
	uint32_t rate = add_displayed(m, "\\O\\Pages/sec", NULL);
	uint32_t life = add_displayed(m, "\\O\\Lifetime (s)", NULL);

	(void)state;
	mem_source_sample(m, T0);
	mem_source_raw(m, mb, 3, 0);
	mem_source_raw(m, ms, 1500, 0);
	mem_source_raw(m, kb, 2, 0);
	put_double(m, rate, 7);
	put_double(m, life, 8);
	expect_metrics(
		mem_source_open(m), "prometheus",
		"# TYPE pmon_o_available_mbytes_bytes gauge\n"
		"# HELP pmon_o_available_mbytes_bytes O, Available MBytes: the value "
		"(PERF_COUNTER_RAWCOUNT)\n"
		"pmon_o_available_mbytes_bytes{object=\"O\"} 3145728 1577836800000\n"
		"# TYPE pmon_o_wait_ms_seconds gauge\n"
		"# HELP pmon_o_wait_ms_seconds O, Wait (ms): the value (PERF_COUNTER_RAWCOUNT)\n"
		"pmon_o_wait_ms_seconds{object=\"O\"} 1.5 1577836800000\n"
		"# TYPE pmon_o_sent_kb_bytes_total counter\n"
		"# HELP pmon_o_sent_kb_bytes_total O, Sent KB: the count (PERF_COUNTER_DELTA)\n"
		"pmon_o_sent_kb_bytes_total{object=\"O\"} 2048 1577836800000\n"
		"# TYPE pmon_o_sent_kb_bytes_base_total counter\n"
		"# HELP pmon_o_sent_kb_bytes_base_total O, Sent KB: the number of intervals "
		"(PERF_COUNTER_DELTA)\n"
		"pmon_o_sent_kb_bytes_base_total{object=\"O\"} 0 1577836800000\n"
		"# TYPE pmon_o_pages_per_second gauge\n"
		"# HELP pmon_o_pages_per_second O, Pages/sec: the displayed value "
		"(PERF_DOUBLE_RAW)\n"
		"pmon_o_pages_per_second{object=\"O\"} 7 1577836800000\n"
		"# TYPE pmon_o_lifetime_seconds gauge\n"
		"# HELP pmon_o_lifetime_seconds O, Lifetime (s): the displayed value "
		"(PERF_DOUBLE_RAW)\n"
		"pmon_o_lifetime_seconds{object=\"O\"} 8 1577836800000\n");
}

// A whole of 0 or below divides nothing: there is no ratio, and nothing to add up.
static void
fractions_of_nothing(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t part = mem_source_series(m, "\\O\\P", PMON_PERF_RAW_FRACTION, 0);

	(void)state;
	mem_source_sample(m, T0);
	mem_source_raw(m, part, 3, 4);
	mem_source_sample(m, T0 + SECOND);
	mem_source_raw(m, part, 3, -4);
	expect_metrics(mem_source_open(m), "prometheus",
		       "# TYPE pmon_o_p gauge\n"
		       "# HELP pmon_o_p O, P: the part (PERF_RAW_FRACTION)\n"
		       "pmon_o_p{object=\"O\"} 3 1577836800000\n"
		       "pmon_o_p{object=\"O\"} 0 1577836801000\n"
		       "# TYPE pmon_o_p_base gauge\n"
		       "# HELP pmon_o_p_base O, P: the whole to divide by (PERF_RAW_FRACTION)\n"
		       "pmon_o_p_base{object=\"O\"} 4 1577836800000\n"
		       "pmon_o_p_base{object=\"O\"} 0 1577836801000\n"
		       "# TYPE pmon_o_p_ratio gauge\n"
		       "# HELP pmon_o_p_ratio O, P: the displayed value (PERF_RAW_FRACTION)\n"
		       "pmon_o_p_ratio{object=\"O\"} 0.75 1577836800000\n");
}

// ---- Names ----------------------------------------------------------------------------------

// U+1F600 is 128512. HELP has escapes of quotes in OpenMetrics only.
static void
names_of_other_characters(void **state)
{
	static const char *const formats[] = {"prometheus", "openmetrics"};
	static const char *const want[] = {
		"# TYPE pmon_o_q_u128512 gauge\n"
		"# HELP pmon_o_q_u128512 O, \"q\" \xF0\x9F\x98\x80: the value "
		"(PERF_COUNTER_RAWCOUNT)\n"
		"pmon_o_q_u128512{object=\"O\"} 1 1577836800000\n"
		"# TYPE pmon gauge\n"
		"# HELP pmon !, ?: the value (PERF_COUNTER_RAWCOUNT)\n"
		"pmon{object=\"!\"} 2 1577836800000\n"
		"# TYPE pmon_described_timestamp_seconds gauge\n"
		"# HELP pmon_described_timestamp_seconds description and latest time of a metric\n"
		"pmon_described_timestamp_seconds{counter=\"\\\"q\\\" "
		"\xF0\x9F\x98\x80\",family=\"pmon_o_q_u128512\",object=\"O\",type=\"PERF_COUNTER_"
		"RAWCOUNT\"} 1577836800 1577836800000\n"
		"pmon_described_timestamp_seconds{counter=\"?\",family=\"pmon\",object=\"!\",type="
		"\"PERF_COUNTER_RAWCOUNT\"} 1577836800 1577836800000\n",
		"# TYPE pmon_o_q_u128512 gauge\n"
		"# HELP pmon_o_q_u128512 O, \\\"q\\\" \xF0\x9F\x98\x80: the value "
		"(PERF_COUNTER_RAWCOUNT)\n"
		"pmon_o_q_u128512{object=\"O\"} 1 1577836800\n"
		"# TYPE pmon gauge\n"
		"# HELP pmon !, ?: the value (PERF_COUNTER_RAWCOUNT)\n"
		"pmon{object=\"!\"} 2 1577836800\n"
		"# TYPE pmon_described_timestamp_seconds gauge\n"
		"# UNIT pmon_described_timestamp_seconds seconds\n"
		"# HELP pmon_described_timestamp_seconds description and latest time of a metric\n"
		"pmon_described_timestamp_seconds{counter=\"\\\"q\\\" "
		"\xF0\x9F\x98\x80\",family=\"pmon_o_q_u128512\",object=\"O\",type=\"PERF_COUNTER_"
		"RAWCOUNT\"} 1577836800 1577836800\n"
		"pmon_described_timestamp_seconds{counter=\"?\",family=\"pmon\",object=\"!\",type="
		"\"PERF_COUNTER_RAWCOUNT\"} 1577836800 1577836800\n"
		"# EOF\n",
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(formats); i++) {
		struct mem_source *m = mem_source_new();

		(void)mem_source_series(m, "\\O\\\"q\" \xF0\x9F\x98\x80",
					PMON_PERF_COUNTER_RAWCOUNT, 0);
		(void)mem_source_series(m, "\\!\\?", PMON_PERF_COUNTER_RAWCOUNT, 0);
		mem_source_sample(m, T0);
		mem_source_raw(m, 0, 1, 0);
		mem_source_raw(m, 1, 2, 0);
		expect_written(mem_source_open(m), formats[i], want[i]);
	}
}

// Families whose long names need many blocks of memory.
static struct pmon_source *
many_families(void)
{
	struct mem_source *m = mem_source_new();
	char path[300];

	mem_source_sample(m, T0);
	for (int i = 0; i < 60; i++) {
		(void)snprintf(path, sizeof(path), "\\O\\%0150d", i);
		mem_source_raw(m, mem_source_series(m, path, PMON_PERF_AVERAGE_TIMER, 10), i, i);
	}
	return mem_source_open(m);
}

static void
each_allocation_for_names_fails(void **state)
{
	(void)state;
	each_allocation_of_writing_fails(many_families, "openmetrics");
}

// ---- Points on the disk ---------------------------------------------------------------------

#define N_POINTS (3 * OM_BLOCK_POINTS + 2)

static void
sum_point(void *ctx, const struct om_point *point)
{
	*(int64_t *)ctx += point->time;
}

static void
fill_spool(struct om_spool *spool, struct om_points *points, int64_t n)
{
	struct om_point point = {.time = 0};
	struct pmon_err err;

	*points = (struct om_points){.n = 0};
	assert_int_equal(pmon_om_spool_open(spool, NULL, &err), PMON_OK);
	for (int64_t i = 1; i <= n; i++) {
		point.time = i;
		assert_int_equal(pmon_om_spool_add(spool, points, &point, &err), PMON_OK);
	}
}

static void
a_spool_that_has_become_shorter(void **state)
{
	const struct pmon_allocator *libc = pmon_mem_allocator(NULL);
	struct t_memory memory = {.fail_at = 1};
	struct pmon_allocator none = t_memory_allocator(&memory);
	struct om_points points;
	struct om_spool spool;
	struct pmon_err err;
	int64_t sum = 0;
	off_t size;

	(void)state;
	fill_spool(&spool, &points, N_POINTS);
	assert_int_equal(pmon_om_spool_each(&spool, &points, libc, sum_point, &sum, &err), PMON_OK);
	T_EQ_I64(sum, N_POINTS * (N_POINTS + 1) / 2);
	sum = 0;
	assert_int_equal(pmon_om_spool_each(&spool, &points, &none, sum_point, &sum, &err),
			 PMON_E_NOMEM);
	T_EQ_I64(sum, 0);
	assert_int_equal(fflush(spool.file), 0);
	size = lseek(fileno(spool.file), 0, SEEK_END);
	for (; size > 0; size -= 100) {
		assert_int_equal(ftruncate(fileno(spool.file), size - 1), 0);
		assert_int_equal(pmon_om_spool_each(&spool, &points, libc, sum_point, &sum, &err),
				 PMON_E_IO);
		assert_int_equal(err.sys, EIO);
	}
	pmon_om_spool_close(&spool);
}

// The only block is read once, for its points.
static void
a_spool_of_one_block_that_is_gone(void **state)
{
	const struct pmon_allocator *libc = pmon_mem_allocator(NULL);
	struct om_points points;
	struct om_spool spool;
	struct pmon_err err;
	int64_t sum = 0;

	(void)state;
	fill_spool(&spool, &points, OM_BLOCK_POINTS + 1);
	assert_int_equal(fflush(spool.file), 0);
	assert_int_equal(ftruncate(fileno(spool.file), 0), 0);
	assert_int_equal(pmon_om_spool_each(&spool, &points, libc, sum_point, &sum, &err),
			 PMON_E_IO);
	T_EQ_I64(sum, 0);
	assert_int_equal(close(fileno(spool.file)), 0);
	assert_int_equal(pmon_om_spool_each(&spool, &points, libc, sum_point, &sum, &err),
			 PMON_E_IO);
	assert_int_equal(err.sys, EBADF);
	pmon_om_spool_close(&spool);
}

// Each series has points on the disk and in memory.
static struct pmon_source *
long_log(void)
{
	struct mem_source *m = mem_source_new();

	(void)mem_source_series(m, "\\\\S\\O(a)\\C", PMON_PERF_AVERAGE_TIMER, 1000);
	(void)mem_source_series(m, "\\\\S\\O(b)\\C", PMON_PERF_AVERAGE_TIMER, 1000);
	(void)mem_source_series(m, "\\\\S\\O\\D", PMON_PERF_COUNTER_RAWCOUNT, 0);
	for (int64_t k = 0; k < N_POINTS; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		for (uint32_t i = 0; i < 3; i++)
			mem_source_raw(m, i, k * (i + 1), k);
	}
	return mem_source_open(m);
}

static void
each_allocation_for_points_fails(void **state)
{
	(void)state;
	each_allocation_of_writing_fails(long_log, "openmetrics");
	each_allocation_of_writing_fails(long_log, "prometheus");
}

// ---- Times ----------------------------------------------------------------------------------

// Milliseconds since 1970 of times in 100 ns since 1601, rounded down. 1970 is 11,644,473,600 s after 1601.
static void
times_of_before_1970(void **state)
{
	static const struct {
		pmon_time time;
		int64_t ms;
	} times[] = {
		{T0, INT64_C(1577836800000)},          {INT64_C(116444736000000000), 0},
		{INT64_C(116444736000000000) - 1, -1}, {INT64_C(116444736000000000) - 10000, -1},
		{0, INT64_C(-11644473600000)},         {INT64_MIN, INT64_MIN},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(times); i++)
		T_EQ_I64(pmon_om_unix_ms(times[i].time), times[i].ms);
}

// ---- Rules ----------------------------------------------------------------------------------

static void
put_rules(void *ctx, const char *text, size_t len)
{
	buf_add(ctx, "%.*s", (int)len, text);
}

static struct buf
rules_of(struct mem_source *m)
{
	struct buf buf = {NULL, 0, 0};
	struct om_out out = {.put = put_rules, .ctx = &buf, .is_openmetrics = true};
	struct om_registry registry;

	pmon_om_registry_open(&registry, &m->base.schema, pmon_mem_allocator(NULL));
	assert_true(pmon_om_registry_grow(&registry));
	pmon_om_put_rules(&out, &registry, "5m", true);
	pmon_om_registry_close(&registry);
	pmon_source_close(mem_source_open(m));
	return buf;
}

// YAML must see nothing but text: no control characters, line ends of Unicode, byte order marks, and bytes that are
// no character. Quotes and backslashes are escaped.
static void
rules_of_odd_names(void **state)
{
	static const char counter[] = "a\"b\\c\x07"
				      "d\xC2\x85"          // U+0085
				      "e\xE2\x82\xAC"      // U+20AC
				      "f\xE2\x80\xA8"      // U+2028
				      "g\xE2\x80\xA9"      // U+2029
				      "h\xFFi\xEE\x80\x80" // U+E000
				      "j\xEF\xBB\xBF"      // U+FEFF
				      "k\xF0\x9F\x98\x80l";
	struct mem_source *m = mem_source_new();
	struct pmon_path path = {.object = {"O", 1}, .counter = {counter, sizeof(counter) - 1}};
	struct pmon_counter gauge = {.type = PMON_PERF_COUNTER_RAWCOUNT};
	struct buf rules;

	(void)state;
	(void)mem_source_add(m, &path, &gauge);
	rules = rules_of(m);
	assert_non_null(strstr(rules.text, "      # a\\\"b\\\\c?d?e\xE2\x82\xAC"
					   "f?g?h?i\xEE\x80\x80j?k?l: "));
	buf_free(&rules);
}

// A counter without a value has no rule; the group of its object has the others.
static void
counters_without_rules(void **state)
{
	struct mem_source *m = mem_source_new();
	struct buf rules;
	const char *group;

	(void)state;
	(void)mem_source_series(m, "\\O\\No ticks", PMON_PERF_AVERAGE_TIMER, 0);
	(void)mem_source_series(m, "\\O\\A", PMON_PERF_COUNTER_RAWCOUNT, 0);
	(void)mem_source_series(m, "\\P\\B", PMON_PERF_COUNTER_RAWCOUNT, 0);
	(void)mem_source_series(m, "\\O\\C", PMON_PERF_COUNTER_RAWCOUNT, 0);
	rules = rules_of(m);
	group = strstr(rules.text, "  - name: \"pmon O\"\n");
	assert_non_null(group);
	assert_null(strstr(group + 1, "  - name: \"pmon O\"\n"));
	assert_null(strstr(rules.text, "no_ticks"));
	assert_non_null(strstr(rules.text, "record: instance:pmon_o_a:value\n"));
	assert_non_null(strstr(rules.text, "record: instance:pmon_p_b:value\n"));
	assert_non_null(strstr(rules.text, "record: instance:pmon_o_c:value\n"));
	buf_free(&rules);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(displayed_values_have_units),
		cmocka_unit_test(units_are_base_units),
		cmocka_unit_test(fractions_of_nothing),
		cmocka_unit_test(names_of_other_characters),
		cmocka_unit_test(each_allocation_for_names_fails),
		cmocka_unit_test(a_spool_that_has_become_shorter),
		cmocka_unit_test(a_spool_of_one_block_that_is_gone),
		cmocka_unit_test(each_allocation_for_points_fails),
		cmocka_unit_test(times_of_before_1970),
		cmocka_unit_test(rules_of_odd_names),
		cmocka_unit_test(counters_without_rules),
	};

	return cmocka_run_group_tests_name("openmetrics", tests, folder_make, folder_remove);
}
