// test_odd_names.c - counters with names and values that Windows does not have
// SPDX-License-Identifier: MIT

#include "t.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "dump.h"
#include "folder.h"
#include "memsource.h"
#include "moments.h"
#include "write_fault.h"

// ---- OpenMetrics ----------------------------------------------------------------------------

static char *
text_of(struct pmon_source *source, const char *format)
{
	const char *path = in_folder("text");
	size_t len;
	char *text;

	write_over(source, path, format);
	text = t_read_file(path, &len);
	assert_non_null(text);
	assert_int_equal(unlink(path), 0);
	return text;
}

static void
has(const char *text, const char *want)
{
	if (strstr(text, want) == NULL)
		fail_msg("no %s in\n%s", want, text);
}

// A gauge must not end as OpenMetrics lets samples of other types end (its section "Suffixes").
static void
reserved_endings_are_kept_free(void **state)
{
	static const struct {
		const char *path;
		const char *name;
	} rows[] = {
		{"\\\\S\\O\\Grand Total", "pmon_o_grand_total_value"},
		{"\\\\S\\O\\Item Count", "pmon_o_item_count_value"},
		{"\\\\S\\O\\Check Sum", "pmon_o_check_sum_value"},
		{"\\\\S\\O\\Hash Bucket", "pmon_o_hash_bucket_value"},
		{"\\\\S\\O\\Time Created", "pmon_o_time_created_value"},
		{"\\\\S\\O\\Some Info", "pmon_o_some_info_value"},
		{"\\\\S\\O\\Bytesized", "pmon_o_bytesized"},
		{"\\\\S\\O\\Bytes", "pmon_o_bytes"},
		{"\\\\S\\O\\In(f)o", "pmon_o_in_f_o"},
	};
	struct mem_source *m = mem_source_new();
	char line[200];
	char *text;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++)
		(void)mem_source_series(m, rows[i].path, PMON_PERF_COUNTER_RAWCOUNT, 0);
	mem_source_sample(m, T0);
	for (uint32_t i = 0; i < T_LEN(rows); i++)
		mem_source_raw(m, i, i, 0);
	text = text_of(mem_source_open(m), "openmetrics");
	for (size_t i = 0; i < T_LEN(rows); i++) {
		(void)snprintf(line, sizeof(line),
			       "\n%s{machine=\"S\",object=\"O\"} %zu 1577836800\n", rows[i].name,
			       i);
		has(text, line);
	}
	free(text);
}

// Label values are UTF-8 (its section "Overall Structure"): invalid bytes become U+FFFD.
static void
labels_are_text(void **state)
{
	static const struct pmon_path paths[] = {
		{.counter = {"Alone", 5}},
		{.object = {"O", 1}, .instance = {"", 0}, .counter = {"Empty", 5}},
		{.object = {"O", 1}, .instance = {"\xFF\0z", 3}, .counter = {"Bytes", 5}},
		{.object = {"O \"q\" \\", 7}, .counter = {"Quoted", 6}},
	};
	struct pmon_counter gauge = {.type = PMON_PERF_COUNTER_RAWCOUNT};
	struct mem_source *m = mem_source_new();
	char *text;

	(void)state;
	for (size_t i = 0; i < T_LEN(paths); i++)
		(void)mem_source_add(m, &paths[i], &gauge);
	mem_source_sample(m, T0);
	for (uint32_t i = 0; i < T_LEN(paths); i++)
		mem_source_raw(m, i, 10 + i, 0);
	text = text_of(mem_source_open(m), "openmetrics");
	has(text, "_alone 10 1577836800\n");
	has(text, "pmon_o_empty{object=\"O\"} 11 1577836800\n");
	has(text, "{instance=\"\xEF\xBF\xBD\xEF\xBF\xBDz\",object=\"O\"} 12 1577836800\n");
	has(text, "{object=\"O \\\"q\\\" \\\\\"} 13 1577836800\n");
	has(text, "# HELP pmon_o_q_quoted O \\\"q\\\" \\\\, Quoted: ");
	free(text);
}

// Values without a time have that of their sample; those that are not numbers are absent, as are
// those before 1970.
static void
values_without_meaning(void **state)
{
	struct pmon_raw raw = {.multi = 1, .time = PMON_TIME_NONE, .first = 5};
	struct pmon_raw nan = {.multi = 1, .time = T0};
	double number = NAN;
	struct mem_source *m = mem_source_new();
	char *text;

	(void)state;
	memcpy(&nan.first, &number, sizeof(nan.first));
	(void)mem_source_series(m, "\\\\S\\O\\A", PMON_PERF_COUNTER_RAWCOUNT, 0);
	(void)mem_source_series(m, "\\\\S\\O\\B", PMON_PERF_DOUBLE_RAW, 0);
	mem_source_sample(m, PMON_TIME_PER_SEC); // in 1601
	mem_source_raw(m, 0, 77, 0);
	mem_source_sample(m, T0);
	mem_source_put(m, 0, &raw);
	mem_source_put(m, 1, &nan);
	mem_source_sample(m, T0 + SECOND);
	m->samples[2].preceding = true;
	mem_source_raw(m, 0, 88, 0);
	text = text_of(mem_source_open(m), "openmetrics");
	has(text, "pmon_o_a{machine=\"S\",object=\"O\"} 5 1577836800\n");
	assert_null(strstr(text, "} 77"));
	assert_null(strstr(text, "} 88"));
	assert_null(strstr(text, "pmon_o_b{"));
	free(text);
}

// If the frequency of a clock is unknown, times are in its ticks.
static void
ticks_of_an_unknown_clock(void **state)
{
	struct mem_source *m = mem_source_new();
	char *text;

	(void)state;
	(void)mem_source_series(m, "\\\\S\\O\\Busy", PMON_PERF_COUNTER_TIMER, 0);
	for (int k = 0; k < 2; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		mem_source_raw(m, 0, 100 + 7 * k, 1000 + 20 * k);
	}
	text = text_of(mem_source_open(m), "openmetrics");
	has(text, "pmon_o_busy_ticks_total{machine=\"S\",object=\"O\"} 107 1577836801\n");
	has(text,
	    "pmon_o_busy_ticks_base_ticks_total{machine=\"S\",object=\"O\"} 1020 1577836801\n");
	free(text);
}

// Counters whose names are the same after folding are distinguished where their objects or units differ.
static void
families_that_would_be_one(void **state)
{
	static const struct {
		const char *path;
		uint32_t type;
	} rows[] = {
		{"\\\\S\\Disk X\\Same", PMON_PERF_COUNTER_RAWCOUNT},
		{"\\\\S\\Disk-X\\Same", PMON_PERF_COUNTER_RAWCOUNT},
		{"\\\\S\\Disk X\\same", PMON_PERF_COUNTER_RAWCOUNT},
		{"\\\\S\\Disk X(i)\\Same", PMON_PERF_COUNTER_LARGE_RAWCOUNT},
		{"\\\\S\\Disk X(j)\\Same", PMON_PERF_RAW_FRACTION},
	};
	struct mem_source *m = mem_source_new();
	char *text;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++)
		(void)mem_source_series(m, rows[i].path, rows[i].type, 0);
	mem_source_sample(m, T0);
	for (uint32_t i = 0; i < T_LEN(rows); i++)
		mem_source_raw(m, i, 20 + i, 40);
	text = text_of(mem_source_open(m), "openmetrics");
	for (const char *at = text; (at = strstr(at, "# TYPE ")) != NULL; at++) {
		const char *end = strchr(at, '\n');
		char name[200];

		(void)snprintf(name, sizeof(name), "%.*s", (int)(end - at), at);
		// No family occurs twice.
		assert_null(strstr(end, name));
		n++;
	}
	assert_in_range(n, 3, 10);
	for (int i = 20; i <= 24; i++) {
		char value[40];

		(void)snprintf(value, sizeof(value), "} %d 1577836800\n", i);
		has(text, value);
	}
	free(text);
}

// ---- Formats that hold all ------------------------------------------------------------------

static struct pmon_source *
odd_source(void)
{
	static const struct pmon_path paths[] = {
		{.machine = {"S", 1}, .object = {"O", 1}, .counter = {"C", 1}},
		{.machine = {"S", 1}, .object = {"O", 1}, .counter = {"C\\D", 3}},
		{.machine = {"a\\b", 3}, .object = {"O", 1}, .counter = {"C", 1}},
		{.object = {"O", 1}, .instance = {"", 0}, .counter = {"C", 1}},
		{.object = {"O(", 2}, .instance = {"i)", 2}, .counter = {"C", 1}},
		{.object = {"O", 1}, .instance = {"i#2", 3}, .index = 1, .counter = {"C", 1}},
		{.object = {"O", 1}, .instance = {"p/i", 3}, .counter = {"C", 1}},
		{.object = {"O", 1},
		 .parent = {"q", 1},
		 .instance = {"i", 1},
		 .index = 3,
		 .counter = {"C", 1}},
	};
	static const uint32_t statuses[] = {0, 1, 0xC0000BBA, 0xC0000BC6, 0x12345678};
	struct pmon_counter counter = {.type = PMON_PERF_COUNTER_LARGE_RAWCOUNT, .time_base = 1000};
	struct mem_source *m = mem_source_new();

	for (size_t i = 0; i < T_LEN(paths); i++)
		(void)mem_source_add(m, &paths[i], &counter);
	for (int k = 0; k < 3; k++) {
		mem_source_sample_of(m, T0 + k * SECOND, 60, k == 2);
		m->samples[k].preceding = k == 0;
		for (uint32_t i = 0; i < T_LEN(paths); i++) {
			struct pmon_raw raw = {
				.multi = i,
				.status = statuses[(i + (uint32_t)k) % T_LEN(statuses)],
				.time = T0 + k * SECOND + i * 10000,
				.first = (int64_t)i - 4,
				.second = INT64_MAX - k};

			mem_source_put(m, i, &raw);
		}
	}
	return mem_source_open(m);
}

static void
read_back(const char *format)
{
	const char *path = in_folder("log");
	struct pmon_source *source = odd_source();
	struct dump want = {0}, got = {0};
	struct pmon_err err;

	assert_int_equal(dump_read(&want, source, &err), PMON_END);
	pmon_source_close(source);
	write_over(odd_source(), path, format);
	if (pmon_log_open(path, NULL, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(dump_read(&got, source, &err), PMON_END);
	pmon_source_close(source);
	T_EQ_STR_AT(got.text, want.text, format);
	assert_int_equal(unlink(path), 0);
	dump_free(&want);
	dump_free(&got);
}

static void
round_trip_of_odd_paths(void **state)
{
	(void)state;
	for (size_t i = 0; pmon_log_writable(i) != NULL; i++)
		if (strcmp(pmon_log_writable(i), "jsonl") == 0 ||
		    strcmp(pmon_log_writable(i), "sqlite") == 0)
			read_back(pmon_log_writable(i));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reserved_endings_are_kept_free),
		cmocka_unit_test(labels_are_text),
		cmocka_unit_test(values_without_meaning),
		cmocka_unit_test(ticks_of_an_unknown_clock),
		cmocka_unit_test(families_that_would_be_one),
		cmocka_unit_test(round_trip_of_odd_paths),
	};

	return cmocka_run_group_tests_name("odd names", tests, folder_make, folder_remove);
}
