// test_times.c - times on the command line
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/time.h"
#include "shell/input/times.h"
#include "shell/output/say.h"
#include "t.h"

static pmon_time
utc(int year, int month, int day, int hour, int minute)
{
	struct pmon_civil civil = {
		.year = year, .month = month, .day = day, .hour = hour, .minute = minute};

	return pmon_time_from_civil(&civil);
}

static struct clock
clock_of(const char *tz)
{
	struct clock clock = {.mode = CLOCK_LOG};

	assert_int_equal(times_read_clock(tz, &clock), EXIT_DONE);
	return clock;
}

// Whether the zones of the build machine were there.
static bool
has_zones(void)
{
	return pmon_zone_find(PMON_SPAN("Europe/Berlin")) != NULL;
}

// ---- Dates ----------------------------------------------------------------------------------

// All are 20 November 2026, 14:00, on a clock two hours ahead of UTC: 12:00 UTC.
static void
same_date(void **state)
{
	static const char *const texts[] = {
		"2026-11-20T14:00",   "2026-11-20 14:00",       "2026-11-20T14:00:00",
		"2026-11-20T12:00Z",  "2026-11-20T15:00+03:00", "11/20/2026 2:00:00 PM",
		"11/20/2026 14:00",   "20.11.2026 14:00",       "20.11.2026 2pm",
		"20 Nov 2026 14:00",  "20 November 2026 14:00", "20 nov 2026 2:00 pm",
		"11/20/2026 2:00 PM", "20.11.2026 14:00:00",    "20 Nov 2026 2pm",
	};
	struct clock clock = clock_of("+02:00");
	pmon_time got;

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++) {
		if (!times_read_alone(texts[i], &clock, &got) || got != utc(2026, 11, 20, 12, 0))
			fail_msg("%s is not 2026-11-20T12:00Z", texts[i]);
	}
}

static void
only_a_day(void **state)
{
	static const char *const texts[] = {"2007-08-14", "8/14/2007", "14.8.2007", "14 Aug 2007"};
	struct clock clock = clock_of("utc");
	pmon_time got;

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++) {
		assert_true(times_read_alone(texts[i], &clock, &got));
		T_EQ_I64(got, utc(2007, 8, 14, 0, 0));
	}
}

static void
no_date(void **state)
{
	static const char *const texts[] = {"",
					    "x",
					    "yesterdays",
					    "yesterday 25:00",
					    "today 14",
					    "32.1.2026",
					    "13/13/2026",
					    "20 Foo 2026",
					    "2026-13-01",
					    "yesterday 14:00 x",
					    "20.11.2026 ",
					    "tomorrow",
					    "20.11.26 14:00"};
	struct clock clock = clock_of("utc");
	pmon_time got;

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++)
		if (times_read_alone(texts[i], &clock, &got))
			fail_msg("\"%s\" was taken for a time", texts[i]);
}

// ---- Words for days -------------------------------------------------------------------------

// It is 00:30 on 10 March 2026 in UTC, 02:30 two hours east, and still the 9th five hours west.
static void
words(void **state)
{
	static const struct {
		const char *tz;
		const char *text;
		int day;
		int hour; // in UTC
	} rows[] = {
		{"utc", "today", 10, 0},
		{"utc", "yesterday", 9, 0},
		{"utc", "Yesterday 14:00", 9, 14},
		{"utc", "yesterday 2pm", 9, 14},
		{"utc", "today 2:00 PM", 10, 14},
		{"+02:00", "today", 9, 22},
		{"+02:00", "yesterday 14:00", 9, 12},
		{"-05:00", "today 10:00", 9, 15},
		{"-05:00", "yesterday", 8, 5},
	};
	pmon_time now = utc(2026, 3, 10, 0, 30);
	pmon_time got;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct clock clock = clock_of(rows[i].tz);

		assert_true(times_read_day(rows[i].text, &clock, now, &got));
		T_EQ_I64(got, utc(2026, 3, rows[i].day, rows[i].hour, 0));
	}
}

// In Berlin the clock went from 2:00 to 3:00 on 29 March 2026, from UTC+1 to UTC+2.
static void
words_over_a_change(void **state)
{
	struct clock clock;
	pmon_time got;

	(void)state;
	if (!has_zones())
		skip();
	clock = clock_of("Europe/Berlin");
	assert_true(times_read_day("yesterday 1:00", &clock, utc(2026, 3, 30, 10, 0), &got));
	T_EQ_I64(got, utc(2026, 3, 29, 0, 0));
	assert_true(times_read_day("yesterday 14:00", &clock, utc(2026, 3, 30, 10, 0), &got));
	T_EQ_I64(got, utc(2026, 3, 29, 12, 0));
	assert_true(times_read_day("today", &clock, utc(2026, 3, 29, 23, 0), &got));
	T_EQ_I64(got, utc(2026, 3, 29, 22, 0)); // it is the 30th, 1:00
	assert_int_equal(times_read_within("14:00", &clock, utc(2026, 3, 29, 0, 0), 0, &got),
			 EXIT_DONE);
	T_EQ_I64(got, utc(2026, 3, 29, 12, 0)); // the first sample is at 1:00, before the change
}

// ---- Zones ----------------------------------------------------------------------------------

// zdump -v: Germany had summer time from 1990-03-25 to 1990-09-30. After the table, the rules of
// its last years hold: 2060-07-01 is in summer.
static void
beyond_the_table(void **state)
{
	struct clock clock;

	(void)state;
	if (!has_zones())
		skip();
	clock = clock_of("europe/BERLIN");
	assert_int_equal(clock_offset(&clock, utc(1990, 7, 1, 0, 0)), 120);
	assert_int_equal(clock_offset(&clock, utc(1970, 1, 2, 0, 0)), 60);
	assert_int_equal(clock_offset(&clock, utc(2039, 1, 1, 0, 0)), 60);
	assert_int_equal(clock_offset(&clock, utc(2060, 7, 1, 0, 0)), 120);
	assert_int_equal(clock_offset(&clock, utc(2060, 12, 1, 0, 0)), 60);
	assert_int_equal(clock_offset(&clock, PMON_TIME_LATEST), 60);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_date),
		cmocka_unit_test(only_a_day),
		cmocka_unit_test(no_date),
		cmocka_unit_test(words),
		cmocka_unit_test(words_over_a_change),
		cmocka_unit_test(beyond_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
