// test_draw_scale.c - ticks of numbers and times, units, thresholds, labels
// SPDX-License-Identifier: MIT
//
// Ticks of numbers come from tools/gen-axes, ticks of time from a calendar of 2016.

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/time.h"
#include "draw/label.h"
#include "draw/scale.h"
#include "draw/unit.h"
#include "memsource.h"
#include "t.h"

#define SEC PMON_TIME_PER_SEC

static enum draw_quantity
quantity_of(const char *name)
{
	int i = 0;

	while (strcmp(draw_quantity_name((enum draw_quantity)i), name) != 0)
		i++;
	return (enum draw_quantity)i;
}

static double
number_at(const struct t_csv *csv, const char *column)
{
	return strtod(t_csv_get(csv, column), NULL);
}

// The labels of an axis, with a space between two.
static void
write_labels(const struct draw_axis *axis, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);

	for (int i = 0; i < axis->n; i++) {
		char label[DRAW_NUMBER];

		draw_axis_label(axis, i, label, sizeof(label));
		pmon_text_str(&t, i > 0 ? " " : "");
		pmon_text_str(&t, label);
	}
}

// tools/gen-axes computed the table.
static void
axes_of_numbers(void **state)
{
	struct t_csv csv;

	(void)state;
	t_csv_open_source(&csv, "tests/support/axes.tsv");
	while (t_csv_next(&csv)) {
		enum draw_quantity quantity = quantity_of(t_csv_get(&csv, "quantity"));
		struct draw_range range =
			draw_range_fit(number_at(&csv, "low"), number_at(&csv, "high"),
				       quantity == DRAW_PERCENT, false);
		const struct draw_multiple *multiple = draw_multiple_for(quantity, range.magnitude);
		struct draw_axis axis =
			draw_axis_fit(&range, multiple->size, number_at(&csv, "steps"));
		double slack = 1e-9 * (range.high - range.low);
		char labels[256];
		char row[64];

		(void)snprintf(row, sizeof(row), "row %zu", csv.row);
		if (fabs(range.low - number_at(&csv, "axis_low")) > slack ||
		    fabs(range.high - number_at(&csv, "axis_high")) > slack)
			fail_msg("%s: %g to %g", row, range.low, range.high);
		T_EQ_STR_AT(multiple->name[0] != '\0' ? multiple->name : "-",
			    t_csv_get(&csv, "unit"), row);
		write_labels(&axis, labels, sizeof(labels));
		T_EQ_STR_AT(labels, t_csv_get(&csv, "ticks"), row);
	}
	t_csv_close(&csv);
}

// Filled areas show 0.
static void
axes_that_begin_at_zero(void **state)
{
	struct draw_range range = draw_range_fit(950, 980, false, true);

	(void)state;
	T_EQ_DBL(range.low, 0);
	T_EQ_DBL(range.high, 980 * 1.05);
	range = draw_range_fit(-4, -3.9, false, true);
	assert_true(fabs(range.low - -4.2) < 1e-12);
	T_EQ_DBL(range.high, 0);
}

static void
axes_of_odd_numbers_end(void **state)
{
	static const double rows[][2] = {
		{-1.7e308, 1.7e308}, {1e15, 1e15 + 0.125}, {5e-324, 1e-323}, {-1, 1}, {3, -3},
		{1e300, 1.7e308},    {1e9, 1e9 + 1},       {0, 1e-299}};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		for (int most = 1; most < 12; most++) {
			struct draw_range range =
				draw_range_fit(rows[i][0], rows[i][1], false, false);
			struct draw_axis axis = draw_axis_fit(&range, 1, most);

			assert_true(isfinite(axis.low) && isfinite(axis.high));
			assert_true(axis.high > axis.low && axis.step > 0);
			assert_true(axis.n >= 2 && axis.n <= (most < 4 ? 4 : most) + 2);
			assert_true(draw_axis_tick(&axis, 0) >= axis.low - axis.step * 1e-6);
			assert_true(draw_axis_tick(&axis, axis.n - 1) <=
				    axis.high + axis.step * 1e-6);
		}
	}
}

// ---- Times ----------------------------------------------------------------------------------

static int32_t
fixed(const void *ctx, pmon_time t)
{
	(void)t;
	return *(const int32_t *)ctx;
}

static pmon_time
moment(const char *iso)
{
	pmon_time t;

	assert_true(pmon_time_parse(t_span(iso), 0, &t));
	return t;
}

static void
ticks_of_time(void **state)
{
	static const struct {
		const char *from, *to;
		int32_t offset_min;
		size_t most;
		const char *labels; // all, with a space between
	} rows[] = {
		{"2016-11-26T13:46:30Z", "2016-11-26T13:47:43Z", 0, 8,
		 "13:46:30 13:46:40 13:46:50 13:47:00 13:47:10 13:47:20 13:47:30 13:47:40"},
		{"2016-11-26T21:46:30Z", "2016-11-26T21:49:30Z", -480, 4, "13:47 13:48 13:49"},
		{"2016-11-26T22:30:00Z", "2016-11-27T02:30:00Z", 0, 5, "23:00 27 Nov 01:00 02:00"},
		{"2016-11-01T00:00:00Z", "2016-12-06T00:00:00Z", 0, 6,
		 "7 Nov 14 Nov 21 Nov 28 Nov 5 Dec"},
		{"2016-01-15T00:00:00Z", "2017-01-15T00:00:00Z", 0, 5,
		 "Apr 2016 Jul 2016 Oct 2016 Jan 2017"},
		{"1901-06-01T00:00:00Z", "2001-06-01T00:00:00Z", 0, 5, "1920 1940 1960 1980 2000"},
		{"2016-11-26T13:46:30Z", "2016-11-26T13:46:30.4Z", 0, 5,
		 "13:46:30.0 13:46:30.1 13:46:30.2 13:46:30.3 13:46:30.4"},
		{"2016-11-26T13:46:30Z", "2016-11-26T13:46:30Z", 0, 5, "13:46:30.000"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct draw_clock clock = {fixed, &rows[i].offset_min};
		struct draw_time_tick ticks[DRAW_TIME_TICKS];
		size_t n = draw_time_ticks(moment(rows[i].from), moment(rows[i].to), &clock,
					   rows[i].most, ticks);
		char all[256] = "";

		for (size_t j = 0; j < n; j++) {
			strcat(all, j > 0 ? " " : "");
			strcat(all, ticks[j].label);
			assert_true(ticks[j].time >= moment(rows[i].from) &&
				    ticks[j].time <= moment(rows[i].to));
		}
		T_EQ_STR_AT(all, rows[i].labels, rows[i].from);
	}
}

// Central Europe's clock went from 03:00 back to 02:00 at 2016-10-30 01:00 UTC.
static int32_t
berlin(const void *ctx, pmon_time t)
{
	(void)ctx;
	return t < moment("2016-10-30T01:00:00Z") ? 120 : 60;
}

static void
ticks_over_a_change_of_the_clock(void **state)
{
	struct draw_clock clock = {berlin, NULL};
	struct draw_time_tick ticks[DRAW_TIME_TICKS];
	size_t n = draw_time_ticks(moment("2016-10-29T20:00:00Z"), moment("2016-10-30T20:00:00Z"),
				   &clock, 5, ticks);

	(void)state;
	assert_int_equal(n, 4); // every 6 hours
	T_EQ_STR(ticks[0].label, "30 Oct");
	assert_true(ticks[0].is_date && ticks[0].time == moment("2016-10-29T22:00:00Z"));
	T_EQ_STR(ticks[1].label, "06:00");
	assert_true(!ticks[1].is_date && ticks[1].time == moment("2016-10-30T05:00:00Z"));
}

static void
ranges_of_time(void **state)
{
	const int32_t pacific = -480;
	struct draw_clock clock = {fixed, &pacific};
	char buf[128];

	(void)state;
	draw_time_range(moment("2016-11-26T21:46:30.874Z"), moment("2016-11-26T21:47:42.983Z"),
			&clock, buf, sizeof(buf));
	T_EQ_STR(buf, "2016-11-26 13:46:30 \xE2\x80\x93 13:47:42, UTC-08:00");
	draw_time_range(moment("2016-11-26T21:46:30.874Z"), moment("2016-11-27T21:47:42.983Z"),
			&clock, buf, sizeof(buf));
	T_EQ_STR(buf, "2016-11-26 13:46:30 \xE2\x80\x93 2016-11-27 13:47:42, UTC-08:00");
}

// ---- Units ----------------------------------------------------------------------------------

static void
units_of_counters(void **state)
{
	static const struct {
		const char *path;
		uint32_t type;
		enum draw_quantity quantity;
		double factor;
	} rows[] = {
		{"\\Processor(0)\\% Processor Time", PMON_PERF_100NSEC_TIMER_INV, DRAW_PERCENT, 1},
		{"\\PhysicalDisk(0)\\Avg. Disk sec/Read", PMON_PERF_AVERAGE_TIMER, DRAW_SECONDS, 1},
		{"\\PhysicalDisk(0)\\Avg. Disk Bytes/Read", PMON_PERF_AVERAGE_BULK, DRAW_BYTES, 1},
		{"\\PhysicalDisk(0)\\Disk Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, DRAW_BYTE_RATE,
		 1},
		{"\\Memory\\Pages/sec", PMON_PERF_COUNTER_COUNTER, DRAW_RATE, 1},
		{"\\Memory\\Available MBytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT, DRAW_BYTES,
		 1048576},
		{"\\Memory\\Available KBytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT, DRAW_BYTES, 1024},
		{"\\Memory\\Commit Limit", PMON_PERF_COUNTER_LARGE_RAWCOUNT, DRAW_BYTES, 1},
		{"\\Memory\\% Committed Bytes In Use", PMON_PERF_RAW_FRACTION, DRAW_PERCENT, 1},
		{"\\Process(x)\\Working Set - Private", PMON_PERF_COUNTER_LARGE_RAWCOUNT,
		 DRAW_BYTES, 1},
		{"\\LogicalDisk(C:)\\Free Megabytes", PMON_PERF_COUNTER_RAWCOUNT, DRAW_BYTES,
		 1048576},
		{"\\SQLServer:Memory Manager\\Total Server Memory (KB)",
		 PMON_PERF_COUNTER_LARGE_RAWCOUNT, DRAW_BYTES, 1024},
		{"\\System\\System Up Time", PMON_PERF_ELAPSED_TIME, DRAW_SECONDS, 1},
		{"\\System\\Processor Queue Length", PMON_PERF_COUNTER_RAWCOUNT, DRAW_COUNT, 1},
		// For displayed values, only the name gives the unit.
		{"\\Group Cpu\\% Used", PMON_PERF_DOUBLE_RAW, DRAW_PERCENT, 1},
		{"\\Disk(0)\\Avg. Disk sec/Write", PMON_PERF_DOUBLE_RAW, DRAW_SECONDS, 1},
		{"\\Network(0)\\MBytes Received/sec", PMON_PERF_DOUBLE_RAW, DRAW_BYTE_RATE,
		 1048576},
		{"\\Memory\\Kernel State", PMON_PERF_DOUBLE_RAW, DRAW_COUNT, 1},
	};
	struct mem_source *m = mem_source_new();
	struct pmon_source *source = mem_source_open(m);

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		uint32_t id = mem_source_series(m, rows[i].path, rows[i].type, 1);
		struct draw_unit unit =
			draw_unit_of(pmon_schema_at(pmon_source_schema(source), id));

		T_EQ_I64_AT(unit.quantity, rows[i].quantity, rows[i].path);
		T_EQ_DBL_AT(unit.factor, rows[i].factor, rows[i].path);
	}
	pmon_source_close(source);
}

static void
multiples_of_units(void **state)
{
	static const struct {
		enum draw_quantity quantity;
		double magnitude;
		const char *name;
	} rows[] = {
		{DRAW_SECONDS, 0.02, "ms"}, {DRAW_SECONDS, 0, "s"},
		{DRAW_SECONDS, -3, "s"},    {DRAW_SECONDS, 90, "min"},
		{DRAW_SECONDS, 5e-7, "ns"}, {DRAW_SECONDS, 5e-6, "\xC2\xB5s"},
		{DRAW_BYTES, 1023, "B"},    {DRAW_BYTES, 1536, "KB"},
		{DRAW_BYTES, 3.3e12, "TB"}, {DRAW_BYTE_RATE, 2e6, "MB/s"},
		{DRAW_COUNT, 12000, "k"},   {DRAW_RATE, 12, "/s"},
		{DRAW_PERCENT, 1e9, "%"},   {DRAW_BYTES, 0, "B"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++)
		T_EQ_STR(draw_multiple_for(rows[i].quantity, rows[i].magnitude)->name,
			 rows[i].name);
}

static void
thresholds(void **state)
{
	static const struct {
		const char *text;
		enum draw_quantity quantity;
		double value;
	} rows[] = {
		{"20ms", DRAW_SECONDS, 0.02},       {"80%", DRAW_PERCENT, 80},
		{"1.5 GB", DRAW_BYTES, 1610612736}, {"10mb/s", DRAW_BYTE_RATE, 10485760},
		{"100/s", DRAW_RATE, 100},          {"250us", DRAW_SECONDS, 0.00025},
		{"2h", DRAW_SECONDS, 7200},         {"-5k", DRAW_COUNT, -5000},
		{"1.5e3ms", DRAW_SECONDS, 1.5},     {"2e-1 %", DRAW_PERCENT, 0.2},
		{"1KB/sec", DRAW_BYTE_RATE, 1024},  {"5M", DRAW_COUNT, 5e6},
	};
	static const char *const bad[] = {
		"",   "ms",  "20foo", "20 ", "5m",   "20ms ",
		"1e", "1e+", "/sec",  "--1", "nan%", "11111111111111111111111111111111111ms"};
	struct draw_threshold t;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		assert_true(draw_threshold_parse(rows[i].text, &t));
		T_EQ_I64_AT(t.quantity, rows[i].quantity, rows[i].text);
		assert_true(fabs(t.value - rows[i].value) <= 1e-12 * fabs(rows[i].value));
		assert_false(t.any);
		T_EQ_STR(t.text, rows[i].text);
	}
	assert_true(draw_threshold_parse("5000", &t));
	assert_true(t.any && t.value == 5000);
	assert_true(draw_threshold_parse("1e3", &t));
	assert_true(t.any && t.value == 1000);
	for (size_t i = 0; i < T_LEN(bad); i++)
		if (draw_threshold_parse(bad[i], &t))
			fail_msg("\"%s\" is taken as a threshold", bad[i]);
}

// ---- Labels ---------------------------------------------------------------------------------

static void
names_are_made_harmless(void **state)
{
	char buf[32];

	(void)state;
	draw_clean(t_span("a\033[31mb\xFF\xE2\x80\xAE"), buf, sizeof(buf));
	T_EQ_STR(buf, "a\xEF\xBF\xBD[31mb\xEF\xBF\xBD\xEF\xBF\xBD");
	draw_clean(t_span("abc\xC3\xA4"), buf, 5); // no half of a character
	T_EQ_STR(buf, "abc");
}

static void
the_middle_goes(void **state)
{
	char buf[64];

	(void)state;
	draw_elide("\\Disk(0)\\Reads", 14, false, buf, sizeof(buf));
	T_EQ_STR(buf, "\\Disk(0)\\Reads");
	draw_elide("\\Disk(0)\\Reads", 9, false, buf, sizeof(buf));
	T_EQ_STR(buf, "\\Dis\xE2\x80\xA6"
		      "eads");
	draw_elide("\\Disk(0)\\Reads", 9, true, buf, sizeof(buf));
	T_EQ_STR(buf, "\\Di...ads");
	draw_tail("1.00000001 GB", 8, false, buf, sizeof(buf));
	T_EQ_STR(buf, "\xE2\x80\xA6"
		      "0001 GB");
	draw_tail("1.00000001 GB", 8, true, buf, sizeof(buf));
	T_EQ_STR(buf, "..001 GB");
	draw_tail("1 GB", 8, true, buf, sizeof(buf));
	T_EQ_STR(buf, "1 GB");
	draw_elide("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F", 3, false, buf, sizeof(buf));
	T_EQ_STR(buf, "\xC3\xA4\xE2\x80\xA6\xC3\x9F");
}

static void
numbers_of_four_digits(void **state)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {{0, "0"},
		    {0.0123456, "0.01235"},
		    {12.3456, "12.35"},
		    {999.9, "999.9"},
		    {123456.7, "123,457"},
		    {1e6, "1,000,000"},
		    {-3.21, "-3.21"},
		    {999.96, "1,000"},
		    {-1234.5, "-1,235"},
		    {2.5e15, "2.5e+15"},
		    {-0.0, "0"}};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		char buf[48];

		draw_number(rows[i].value, buf, sizeof(buf));
		T_EQ_STR(buf, rows[i].text);
	}
}

static void
amounts(void **state)
{
	static const struct {
		double value;
		struct draw_unit unit;
		const char *text;
	} rows[] = {
		{0.0612, {DRAW_SECONDS, 1, false, false}, "61.2 ms"},
		{0.0000041, {DRAW_SECONDS, 1, false, false}, "4.1 \xC2\xB5s"},
		{0, {DRAW_SECONDS, 1, false, false}, "0 s"},
		{810, {DRAW_BYTES, 1024 * 1024, false, false}, "810 MB"},
		{1536, {DRAW_BYTES, 1024 * 1024, false, false}, "1.5 GB"},
		{1234, {DRAW_RATE, 1, false, false}, "1.234 k/s"},
		{12, {DRAW_RATE, 1, false, false}, "12/s"},
		{2048, {DRAW_BYTE_RATE, 1, false, false}, "2 KB/s"},
		{37.04, {DRAW_PERCENT, 1, false, false}, "37.04 %"},
		{48210, {DRAW_COUNT, 1, false, false}, "48,210"},
		{12345678, {DRAW_COUNT, 1, false, false}, "12.35 M"},
		{255, {DRAW_COUNT, 1, true, false}, "0xFF"},
		{48210, {DRAW_COUNT, 1, false, true}, "48210"}, // a process
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		char buf[2 * DRAW_NUMBER];

		draw_amount(rows[i].value, &rows[i].unit, buf, sizeof(buf));
		T_EQ_STR(buf, rows[i].text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(axes_of_numbers),
		cmocka_unit_test(axes_that_begin_at_zero),
		cmocka_unit_test(axes_of_odd_numbers_end),
		cmocka_unit_test(ticks_of_time),
		cmocka_unit_test(ticks_over_a_change_of_the_clock),
		cmocka_unit_test(ranges_of_time),
		cmocka_unit_test(units_of_counters),
		cmocka_unit_test(multiples_of_units),
		cmocka_unit_test(thresholds),
		cmocka_unit_test(names_are_made_harmless),
		cmocka_unit_test(the_middle_goes),
		cmocka_unit_test(numbers_of_four_digits),
		cmocka_unit_test(amounts),
	};

	return cmocka_run_group_tests_name("draw_scale", tests, NULL, NULL);
}
