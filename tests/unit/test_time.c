// test_time.c - moments to text and back
// SPDX-License-Identifier: MIT

#include "t.h"

#include "base/time.h"

#define SEC PMON_TIME_PER_SEC
#define MIN PMON_TIME_PER_MIN

// ---- Calendar -------------------------------------------------------------------------------

// Computed with Python's datetime, which knows the years 1 to 9999; for the moments outside of them
// shifted by whole cycles of 146097 days, after which dates and weekdays repeat. 116444736000000000
// is also the one that Microsoft gives for 1970-01-01.
static const struct {
	pmon_time t;
	struct pmon_civil civil;
	const char *iso;
} moments[] = {
	{0, {1601, 1, 1, 0, 0, 0, 0, 1}, "1601-01-01T00:00:00Z"},
	{-1, {1600, 12, 31, 23, 59, 59, 9999999, 0}, "1600-12-31T23:59:59.9999999Z"},
	{94405824000000000, {1900, 3, 1, 0, 0, 0, 0, 4}, "1900-03-01T00:00:00Z"},
	{116444736000000000, {1970, 1, 1, 0, 0, 0, 0, 4}, "1970-01-01T00:00:00Z"},
	{125911583990000000, {1999, 12, 31, 23, 59, 59, 0, 5}, "1999-12-31T23:59:59Z"},
	{125962560000000000, {2000, 2, 29, 0, 0, 0, 0, 2}, "2000-02-29T00:00:00Z"},
	{125963423999999990, {2000, 2, 29, 23, 59, 59, 9999990, 2}, "2000-02-29T23:59:59.999999Z"},
	{131246703908740000, {2016, 11, 26, 21, 46, 30, 8740000, 6}, "2016-11-26T21:46:30.874Z"},
	{133436376000001000, {2023, 11, 5, 6, 0, 0, 1000, 0}, "2023-11-05T06:00:00.0001Z"},
	{133536816000000000, {2024, 2, 29, 12, 0, 0, 0, 4}, "2024-02-29T12:00:00Z"},
	{137919572480000000, {2038, 1, 19, 3, 14, 8, 0, 2}, "2038-01-19T03:14:08Z"},
	{157519296000000000, {2100, 2, 28, 0, 0, 0, 0, 0}, "2100-02-28T00:00:00Z"},
	{157520160000000000, {2100, 3, 1, 0, 0, 0, 0, 1}, "2100-03-01T00:00:00Z"},
	{2650467743999999990,
	 {9999, 12, 31, 23, 59, 59, 9999990, 5},
	 "9999-12-31T23:59:59.999999Z"},
	{INT64_MAX, {30828, 9, 14, 2, 48, 5, 4775807, 4}, "+030828-09-14T02:48:05.4775807Z"},
	{INT64_MIN + 1, {-27627, 4, 19, 21, 11, 54, 5224193, 4}, "-027627-04-19T21:11:54.5224193Z"},
};

static void
check_civil(struct pmon_civil got, struct pmon_civil want, const char *label)
{
	T_EQ_I64_AT(got.year, want.year, label);
	T_EQ_I64_AT(got.month, want.month, label);
	T_EQ_I64_AT(got.day, want.day, label);
	T_EQ_I64_AT(got.hour, want.hour, label);
	T_EQ_I64_AT(got.minute, want.minute, label);
	T_EQ_I64_AT(got.second, want.second, label);
	T_EQ_I64_AT(got.ticks, want.ticks, label);
	T_EQ_I64_AT(got.weekday, want.weekday, label);
}

static void
known_moments(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(moments); i++) {
		char buf[PMON_TIME_SIZE];
		pmon_time back;

		check_civil(pmon_time_civil(moments[i].t), moments[i].civil, moments[i].iso);
		T_EQ_I64_AT(pmon_time_from_civil(&moments[i].civil), moments[i].t, moments[i].iso);
		T_EQ_U64_AT(pmon_time_iso(moments[i].t, buf), strlen(moments[i].iso),
			    moments[i].iso);
		T_EQ_STR(buf, moments[i].iso);
		assert_true(pmon_time_parse(t_span(buf), 60, &back));
		T_EQ_I64_AT(back, moments[i].t, moments[i].iso);
	}
}

// Each day of 1601 to 2801 follows the one before it by the rules of the calendar, counted up here.
static void
days_follow_each_other(void **state)
{
	static const int32_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	struct pmon_civil day = {.year = 1601, .month = 1, .day = 1, .weekday = 1};

	(void)state;
	for (pmon_time t = 0; day.year < 2801; t += 1440 * MIN) {
		bool leap = day.year % 400 == 0 || (day.year % 4 == 0 && day.year % 100 != 0);

		check_civil(pmon_time_civil(t), day, "day after day");
		assert_int_equal(pmon_time_from_civil(&day), t);
		day.weekday = (day.weekday + 1) % 7;
		if (day.day++ < lengths[day.month - 1] + (leap && day.month == 2))
			continue;
		day.day = 1;
		if (day.month++ < 12)
			continue;
		day.month = 1;
		day.year++;
	}
}

static void
any_moment_survives(void **state)
{
	struct t_rand r = {2};

	(void)state;
	for (int i = 0; i < 100000; i++) {
		pmon_time t = (pmon_time)(t_rand_u64(&r) >> t_rand_below(&r, 20));
		struct pmon_civil civil = pmon_time_civil(t);
		char buf[PMON_TIME_SIZE];
		pmon_time back;

		assert_int_equal(pmon_time_from_civil(&civil), t);
		assert_true(pmon_time_iso(t, buf) < PMON_TIME_SIZE);
		assert_true(pmon_time_parse(t_span(buf), 0, &back));
		T_EQ_I64_AT(back, t, buf);
	}
}

static const struct pmon_civil impossible[] = {
	{2024, 0, 1, 0, 0, 0, 0, 0},          {2024, 13, 1, 0, 0, 0, 0, 0},
	{2024, 1, 0, 0, 0, 0, 0, 0},          {2024, 1, 32, 0, 0, 0, 0, 0},
	{2023, 2, 29, 0, 0, 0, 0, 0},         {2024, 2, 30, 0, 0, 0, 0, 0},
	{2100, 2, 29, 0, 0, 0, 0, 0},         {2024, 4, 31, 0, 0, 0, 0, 0},
	{2024, 1, 1, 24, 0, 0, 0, 0},         {2024, 1, 1, 0, 60, 0, 0, 0},
	{2024, 1, 1, 0, 0, 60, 0, 0},         {2024, 1, 1, 0, 0, 0, 10000000, 0},
	{2024, 1, 1, -1, 0, 0, 0, 0},         {2024, 1, 1, 0, 0, 0, -1, 0},
	{INT32_MAX, 1, 1, 0, 0, 0, 0, 0},     {INT32_MIN, 1, 1, 0, 0, 0, 0, 0},
	{30828, 9, 14, 2, 48, 5, 4775808, 0}, {30828, 12, 31, 0, 0, 0, 0, 0},
	{30829, 1, 1, 0, 0, 0, 0, 0},         {-27627, 4, 19, 21, 11, 54, 5224191, 0},
	{-27627, 1, 1, 0, 0, 0, 0, 0},
};

static void
impossible_dates_are_invalid(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(impossible); i++)
		if (pmon_time_from_civil(&impossible[i]) != PMON_TIME_NONE)
			fail_msg("row %zu", i);
}

// ---- To text --------------------------------------------------------------------------------

static void
local_clocks(void **state)
{
	pmon_time t = 131246703908749999; // 2016-11-26T21:46:30.8749999Z
	char buf[PMON_TIME_SIZE];

	(void)state;
	T_EQ_U64(pmon_time_local(t, -480, buf), 23);
	T_EQ_STR(buf, "2016-11-26 13:46:30.874");
	pmon_time_local(t, 330, buf);
	T_EQ_STR(buf, "2016-11-27 03:16:30.874");
	T_EQ_U64(pmon_time_pdh(t, -480, buf), 23);
	T_EQ_STR(buf, "11/26/2016 13:46:30.874");
	pmon_time_pdh(0, 0, buf);
	T_EQ_STR(buf, "01/01/1601 00:00:00.000");
}

static void
the_ends_of_time_are_printed(void **state)
{
	char buf[PMON_TIME_SIZE];

	(void)state;
	T_EQ_U64(pmon_time_iso(PMON_TIME_NONE, buf), 4);
	T_EQ_STR(buf, "none");
	pmon_time_local(PMON_TIME_NONE, 60, buf);
	T_EQ_STR(buf, "none");
	pmon_time_pdh(PMON_TIME_NONE, 60, buf);
	T_EQ_STR(buf, "none");
	T_EQ_U64(pmon_time_local(INT64_MAX, INT32_MAX, buf), 26);
	T_EQ_STR(buf, "+030828-09-14 02:48:05.477");
	pmon_time_pdh(INT64_MIN + 1, INT32_MIN, buf);
	T_EQ_STR(buf, "04/19/-027627 21:11:54.522");
}

static void
offsets(void **state)
{
	static const struct {
		int32_t minutes;
		const char *text;
	} rows[] = {
		{0, "Z"},        {60, "+01:00"},   {-480, "-08:00"},
		{330, "+05:30"}, {-210, "-03:30"}, {-1, "-00:01"},
		{840, "+14:00"}, {5999, "+99:59"}, {INT32_MIN, "-35791394:08"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		char buf[PMON_TIME_SIZE];

		T_EQ_U64(pmon_time_offset(rows[i].minutes, buf), strlen(rows[i].text));
		T_EQ_STR(buf, rows[i].text);
	}
}

// ---- From text ------------------------------------------------------------------------------

#define T0 INT64_C(131246703900000000) // 2016-11-26T21:46:30Z, as above

static const struct {
	const char *text;
	int32_t offset_min;
	pmon_time t;
} good[] = {
	{"2016-11-26T21:46:30.874Z", 0, T0 + 8740000},
	{"2016-11-26T21:46:30.874Z", -480, T0 + 8740000},
	{"2016-11-26t21:46:30z", 60, T0},
	{"2016-11-26 21:46:30", 0, T0},
	{"2016-11-26 13:46:30", -480, T0},
	{"2016-11-26 22:46:30", 60, T0},
	{"2016-11-26 22:46:30+01:00", -480, T0},
	{"2016-11-26T13:46:30-08:00", 60, T0},
	{"2016-11-27T03:16:30+05:30", 0, T0},
	{"2016-11-26 21:46", 0, T0 - 30 * SEC},
	{"2016-11-26 21:46Z", 60, T0 - 30 * SEC},
	{"2016-11-26T21:46+00:00", 60, T0 - 30 * SEC},
	{"2016-11-26", 0, T0 - 30 * SEC - (21 * 60 + 46) * MIN},
	{"2016-11-26", 60, T0 - 30 * SEC - (22 * 60 + 46) * MIN},
	{"2016-11-26T21:46:30.0000001Z", 0, T0 + 1},
	{"2016-11-26T21:46:30.00000019Z", 0, T0 + 1},
	{"2016-11-26T21:46:30.9999999999999999Z", 0, T0 + 9999999},
	{"11/26/2016 1:46:30 PM", -480, T0},
	{"11/26/2016 1:46:30PM", -480, T0},
	{"11/26/2016 01:46:30 pm", -480, T0},
	{"11/26/2016 13:46:30", -480, T0},
	{"11/26/2016 13:46:30.874", -480, T0 + 8740000},
	{"11/26/2016 9:46 PM", 0, T0 - 30 * SEC},
	{"11/26/2016 12:00:00 AM", 0, T0 - 30 * SEC - (21 * 60 + 46) * MIN},
	{"11/26/2016 12:00:00 PM", 0, T0 - 30 * SEC - (9 * 60 + 46) * MIN},
	{"11/26/2016 11:59:59 PM", 0, T0 + (2 * 60 + 13) * MIN + 29 * SEC},
	{"1/1/1601 0:00:00", 0, 0},
	{"01/01/1601 00:00:00", 60, -60 * MIN},
};

static void
times_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(good); i++) {
		pmon_time t;

		T_EQ_BOOL_AT(pmon_time_parse(t_span(good[i].text), good[i].offset_min, &t), true,
			     good[i].text);
		T_EQ_I64_AT(t, good[i].t, good[i].text);
	}
}

static const char *const bad[] = {
	"",
	" ",
	"now",
	"2016",
	"2016-11",
	"2016-11-26T",
	"2016-11-26 ",
	" 2016-11-26",
	"2016-11-26T21",
	"2016-11-26T21:4",
	"2016-11-26T21:46:",
	"2016-11-26T21:46:3",
	"2016-11-26T21:46:30.",
	"2016-11-26T21:46:30.Z",
	"2016-11-26T21:46:30Zx",
	"2016-11-26T21:46:30+1:00",
	"2016-11-26T21:46:30+01",
	"2016-11-26T21:46:30+24:00",
	"2016-11-26T21:46:30+01:60",
	"2016-11-26Z",
	"2016-11-26  21:46",
	"2016-1-26",
	"16-11-26",
	"02016-11-26",
	"+2016-11-26",
	"2016-11-31",
	"2015-02-29",
	"2016-13-01",
	"2016-11-26 24:00",
	"2016-11-26 21:60",
	"2016-11-26 21:46:60",
	"2016-11-26 9:46",
	"2016-11-26 09:46 PM",
	"+030828-09-14T02:48:05.4775808Z",
	"+030828-09-14T02:48:05-01:00",
	"+999999-01-01",
	"11/26/2016",
	"11/26/2016 1",
	"11/26/2016 1:46:30  PM",
	"11/26/2016 1:46:30 P",
	"11/26/2016 1:46:30 XM",
	"11/26/2016 1:46:30 ",
	"11/26/2016 13:46:30 PM",
	"11/26/2016 0:46:30 AM",
	"11/26/2016 1:46:30 PMx",
	"26/11/2016 1:46:30 PM",
	"11/26/16 1:46:30 PM",
	"11/26/2016 1:46:30Z",
	"11-26-2016 1:46:30",
};

static void
other_texts_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(bad); i++) {
		pmon_time t = 1;

		T_EQ_BOOL_AT(pmon_time_parse(t_span(bad[i]), 0, &t), false, bad[i]);
		T_EQ_I64_AT(t, PMON_TIME_NONE, bad[i]);
	}
	assert_false(pmon_time_parse((struct pmon_span){NULL, 0}, 0, &(pmon_time){0}));
}

static void
spans_end_where_they_say(void **state)
{
	pmon_time t;

	(void)state;
	assert_true(pmon_time_parse((struct pmon_span){"2016-11-26T21:46:30Z", 10}, 0, &t));
	T_EQ_I64(t, T0 - 30 * SEC - (21 * 60 + 46) * MIN);
	assert_false(pmon_time_parse((struct pmon_span){"2016-11-26", 9}, 0, &t));
}

static void
lengths_are_read(void **state)
{
	static const struct {
		const char *text;
		int64_t length;
	} rows[] = {
		{"0", 0},
		{"90", 90 * SEC},
		{"90s", 90 * SEC},
		{"1.5m", 90 * SEC},
		{"2h", 120 * MIN},
		{"3d", 3 * 1440 * MIN},
		{"250ms", SEC / 4},
		{"0.25", SEC / 4},
		{"0.5d", 720 * MIN},
		{"00000000000000000000000000001s", SEC},
		{"0.0000001", 1},
		{"0.00000019", 1},
		{"0.00000009", 0},
		{"1.9999999999999999999999d", 2 * 1440 * MIN - 1},
		// INT64_MAX is 922337203685.4775807 s and 10675199.11673... days.
		{"922337203685.4775807", INT64_MAX},
		{"922337203685477.5807ms", INT64_MAX},
		{"10675199d", INT64_C(10675199) * 1440 * MIN},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		int64_t length = -1;

		T_EQ_BOOL_AT(pmon_time_parse_span(t_span(rows[i].text), &length), true,
			     rows[i].text);
		T_EQ_I64_AT(length, rows[i].length, rows[i].text);
	}
}

static void
other_lengths_are_refused(void **state)
{
	static const char *const rows[] = {
		"",
		"s",
		"-1",
		"+1",
		" 1",
		"1 ",
		"1 s",
		"1S",
		"1sec",
		"1.s",
		".5s",
		"1..5",
		"1.5.",
		"1,5",
		"1w",
		"1mss",
		"1e3",
		"0x10",
		"1m5",
		"1h30m",
		"922337203685.4775808",
		"922337203686",
		"10675200d",
		"99999999999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		int64_t length = -1;

		T_EQ_BOOL_AT(pmon_time_parse_span(t_span(rows[i]), &length), false, rows[i]);
		T_EQ_I64_AT(length, 0, rows[i]);
	}
	assert_false(pmon_time_parse_span((struct pmon_span){NULL, 0}, &(int64_t){0}));
}

static void
times_of_day_are_read(void **state)
{
	static const struct {
		const char *text;
		int64_t t; // -1: refused
	} rows[] = {
		{"10:30", 630 * MIN},
		{"9:05", 545 * MIN},
		{"10:30:15", 630 * MIN + 15 * SEC},
		{"10:30:15.5", 630 * MIN + 15 * SEC + SEC / 2},
		{"00:00", 0},
		{"23:59:59", 1440 * MIN - SEC},
		{"24:00", -1},
		{"10:60", -1},
		{"10:30:60", -1},
		{"10", -1},
		{"10:3", -1},
		{"10:30:", -1},
		{"10:30 ", -1},
		{" 10:30", -1},
		{"010:30", -1},
		{"-1:30", -1},
		{"10:30Z", -1},
		{"", -1},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		int64_t t = -1;

		T_EQ_BOOL_AT(pmon_time_parse_clock(t_span(rows[i].text), &t), rows[i].t >= 0,
			     rows[i].text);
		T_EQ_I64_AT(t, rows[i].t >= 0 ? rows[i].t : 0, rows[i].text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_moments),
		cmocka_unit_test(days_follow_each_other),
		cmocka_unit_test(any_moment_survives),
		cmocka_unit_test(impossible_dates_are_invalid),
		cmocka_unit_test(local_clocks),
		cmocka_unit_test(the_ends_of_time_are_printed),
		cmocka_unit_test(offsets),
		cmocka_unit_test(times_are_read),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(spans_end_where_they_say),
		cmocka_unit_test(lengths_are_read),
		cmocka_unit_test(other_lengths_are_refused),
		cmocka_unit_test(times_of_day_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
