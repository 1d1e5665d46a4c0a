// test_blg_time.c - the moments of a BLG: its header has local time, and the rules of a zone
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "base/time.h"
#include "blg_log.h"

// ---- Time -----------------------------------------------------------------------------------

static int64_t
moment(int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute)
{
	struct pmon_civil civil = {
		.year = year, .month = month, .day = day, .hour = hour, .minute = minute};

	return pmon_time_from_civil(&civil);
}

static void
expect_times(const struct blg_build_options *options, const int64_t *local, size_t n,
	     const char *const *want)
{
	struct blg_build *b = memory_log(options);
	const struct pmon_sample *sample;
	struct pmon_err err;
	struct blg_opened log;

	for (size_t i = 0; i < n; i++)
		memory_sample(b, local[i], 0);
	log = blg_log_open(b, NULL);
	for (size_t i = 0; i < n; i++) {
		char text[PMON_TIME_SIZE];

		assert_int_equal(pmon_source_next(log.source, &sample, &err), PMON_OK);
		(void)pmon_time_iso(sample->time, text);
		T_EQ_STR_AT(text, want[i], want[i]);
		T_EQ_I64(local[i] - sample->time, sample->utc_offset_min * PMON_TIME_PER_MIN);
		T_EQ_I64(sample->raw[0].time, sample->time);
	}
	blg_log_close(&log);
}

// In autumn, the clock shows an hour twice. The samples continue, so the second time is standard
// time.
static void
zone_rules(void **state)
{
	const int64_t local[] = {
		moment(2021, 3, 28, 1, 59),  moment(2021, 3, 28, 3, 0),
		moment(2021, 10, 31, 2, 10), moment(2021, 10, 31, 2, 50),
		moment(2021, 10, 31, 2, 10), moment(2021, 10, 31, 2, 50),
		moment(2021, 10, 31, 3, 10), moment(2021, 12, 31, 23, 59),
	};
	static const char *const want[] = {
		"2021-03-28T00:59:00Z", "2021-03-28T01:00:00Z", "2021-10-31T00:10:00Z",
		"2021-10-31T00:50:00Z", "2021-10-31T01:10:00Z", "2021-10-31T01:50:00Z",
		"2021-10-31T02:10:00Z", "2021-12-31T22:59:00Z",
	};

	(void)state;
	expect_times(&blg_berlin, local, T_LEN(local), want);
}

// Sydney: summer goes over new year.
static void
zone_rules_of_the_south(void **state)
{
	static const struct blg_build_options sydney = {
		.end = T0,
		.bias = -600,
		.daylight_bias = -60,
		.to_standard = {.month = 4, .weekday = 0, .day = 1, .hour = 3},
		.to_daylight = {.month = 10, .weekday = 0, .day = 1, .hour = 2},
	};
	const int64_t local[] = {moment(2021, 1, 1, 11, 0), moment(2021, 4, 4, 3, 0),
				 moment(2021, 7, 1, 10, 0), moment(2021, 10, 3, 3, 0)};
	static const char *const want[] = {"2021-01-01T00:00:00Z", "2021-04-03T17:00:00Z",
					   "2021-07-01T00:00:00Z", "2021-10-02T16:00:00Z"};

	(void)state;
	expect_times(&sydney, local, T_LEN(local), want);
}

// Standard time begins on the last Sunday in December. If the first sample is in the hour that
// occurs twice, it counts as the first time.
static void
zone_rules_at_the_end_of_the_year(void **state)
{
	static const struct blg_build_options until_december = {
		.end = T0,
		.daylight_bias = -60,
		.to_standard = {.month = 12, .weekday = 0, .day = 5, .hour = 3},
		.to_daylight = {.month = 10, .weekday = 0, .day = 1, .hour = 2},
	};
	const int64_t local[] = {moment(2021, 12, 26, 2, 10), moment(2021, 12, 26, 3, 0)};
	static const char *const want[] = {"2021-12-26T01:10:00Z", "2021-12-26T03:00:00Z"};

	(void)state;
	expect_times(&until_december, local, T_LEN(local), want);
}

static void
zone_with_dates_of_one_year(void **state)
{
	struct blg_build_options options = blg_berlin;
	const int64_t local[] = {moment(2021, 1, 1, 1, 0), moment(2021, 6, 1, 2, 0),
				 moment(2022, 6, 1, 1, 0)};
	static const char *const want[] = {"2021-01-01T00:00:00Z", "2021-06-01T00:00:00Z",
					   "2022-06-01T00:00:00Z"};

	(void)state;
	options.to_standard = (struct blg_build_date){2021, 10, 0, 31, 3, 0, 0, 0};
	options.to_daylight = (struct blg_build_date){2021, 3, 0, 28, 2, 0, 0, 0};
	expect_times(&options, local, T_LEN(local), want);
}

static void
zone_without_summer(void **state)
{
	// The additional biases are present, but mean nothing without dates.
	static const struct blg_build_options india = {
		.end = T0, .bias = -330, .standard_bias = 7, .daylight_bias = -60};
	const int64_t local[] = {moment(2021, 7, 1, 5, 30)};
	static const char *const want[] = {"2021-07-01T00:00:00Z"};

	(void)state;
	expect_times(&india, local, T_LEN(local), want);
}

struct moment {
	int64_t local, utc;
	uint32_t status;
	int32_t offset;
};

// A log with a counter on the system clock, its header being of another zone.
static struct blg_build *
clock_log(const struct moment *moments, size_t n)
{
	static const struct blg_build_entry entry = {0,   TIMER_100N, 10000000, 0,   "\\\\S",
						     "P", NULL,       NULL,     "T", 0};
	struct blg_build *b = blg_build_new(&blg_berlin);

	blg_build_catalogue(b, T0 - 10, &entry, 1);
	for (size_t i = 0; i < n; i++) {
		blg_build_sample_begin(b);
		blg_build_single(b, moments[i].status, moments[i].local, 1, moments[i].utc, 1);
		blg_build_sample_end(b, moments[i].local);
	}
	return b;
}

static bool
want_none(void *ctx, const struct pmon_path *path)
{
	(void)ctx;
	(void)path;
	return false;
}

// Such a counter gives the offset exactly, whether it is requested or not. Here the clocks go back between
// two samples. A sample in between whose counter has no value keeps the offset.
static void
data_gives_the_offset(void **state)
{
	static const struct moment moments[] = {
		{T0 + 0 * HOUR, T0 + 4 * HOUR + 9990, 0, -240},
		{T0 + 1 * HOUR, 0, 0x800007D0, -240},
		{T0 + 1 * HOUR, T0 + 6 * HOUR + 5, 0, -300},
		{T0 + 2 * HOUR, T0 + 5 * HOUR + 3 * SECOND, 0, -300}, // too far off a quarter
		{T0 + 2 * HOUR, T0 + 5 * HOUR - 3 * SECOND, 0, -300}, // and to the other side
		{T0 + 2 * HOUR, T0 + 7 * HOUR, 0x80000000, -300},
		{T0 + 3 * HOUR, T0 - 2 * HOUR - HOUR / 2, 1, 330},
	};
	struct pmon_log_options options = {.size = sizeof(options)};
	const struct pmon_sample *sample;

	(void)state;
	for (size_t is_wanted = 0; is_wanted < 2; is_wanted++) {
		struct blg_opened log;

		options.want = is_wanted ? NULL : want_none;
		log = blg_log_open(clock_log(moments, T_LEN(moments)), &options);
		for (size_t i = 0; i < T_LEN(moments); i++) {
			const struct moment *m = &moments[i];

			assert_int_equal(pmon_source_next(log.source, &sample, NULL), PMON_OK);
			T_EQ_I64(sample->utc_offset_min, m->offset);
			T_EQ_I64(sample->time, m->local - m->offset * PMON_TIME_PER_MIN);
			T_EQ_U64(sample->n, is_wanted);
		}
		T_EQ_I64(pmon_source_info(log.source)->utc_offset_min, -240);
		blg_log_close(&log);
	}
}

// If the data agrees with the zone of the header, the zone gives the offset of samples whose values do not.
static void
zone_gives_the_offset_if_data_does_not(void **state)
{
	const struct moment moments[] = {
		{moment(2021, 7, 1, 12, 0), moment(2021, 7, 1, 10, 0), 0, 120},
		{moment(2021, 7, 1, 13, 0), 0, 0x800007D0, 120},
		{moment(2021, 12, 1, 12, 0), 0, 0x800007D0, 60},
	};
	struct blg_opened log = blg_log_open(clock_log(moments, T_LEN(moments)), NULL);
	const struct pmon_sample *sample;

	(void)state;
	for (size_t i = 0; i < T_LEN(moments); i++) {
		assert_int_equal(pmon_source_next(log.source, &sample, NULL), PMON_OK);
		T_EQ_I64(sample->utc_offset_min, moments[i].offset);
	}
	blg_log_close(&log);
}

// So do the values of instances if they are usable; values with another status do not.
static void
instances_give_the_offset(void **state)
{
	static const struct blg_build_entry entry = {1,   TIMER_100N, 10000000, 0,   "\\\\S",
						     "P", "*",        NULL,     "T", 0};
	static const struct {
		uint32_t status;
		int64_t local_ahead; // local time minus UTC
		int32_t offset;
	} rows[] = {
		{PMON_RAW_VALID, 2 * HOUR, 120},
		{PMON_RAW_NEW, 5 * HOUR, 300},
		{PMON_RAW_INVALID, 7 * HOUR, 300},
	};
	struct blg_build *b = blg_build_new(&blg_berlin);
	const struct pmon_sample *sample;
	struct blg_opened log;

	(void)state;
	blg_build_catalogue(b, T0 - 10, &entry, 1);
	for (size_t i = 0; i < T_LEN(rows); i++) {
		int64_t time = T0 + (int64_t)i * HOUR;

		blg_build_sample_begin(b);
		blg_build_multi_begin(b, rows[i].status, time);
		blg_build_item(b, "i", 1, 1, time - rows[i].local_ahead);
		blg_build_multi_end(b);
		blg_build_sample_end(b, time);
	}
	log = blg_log_open(b, NULL);
	for (size_t i = 0; i < T_LEN(rows); i++) {
		assert_int_equal(pmon_source_next(log.source, &sample, NULL), PMON_OK);
		T_EQ_I64(sample->utc_offset_min, rows[i].offset);
	}
	blg_log_close(&log);
}

static void
count_notices(void *ctx, const struct pmon_notice *notice)
{
	size_t *n = ctx;

	assert_false(notice->is_loss);
	assert_non_null(strstr(notice->text, "assuming a change of time zone"));
	(*n)++;
}

// If the values give a new offset, and the rules of the header's zone have no change then,
// the clock may have been set: that is reported. It is not reported if the rules have a change.
static void
odd_changes_are_reported(void **state)
{
	const int64_t winter = moment(2021, 1, 10, 12, 0);
	const int64_t spring = moment(2021, 3, 28, 1, 0); // UTC
	const struct {
		struct moment moments[3];
		size_t told;
	} cases[] = {
		{{{winter, winter - HOUR, 0, 60},
		  {winter + HOUR + SECOND, winter - HOUR + SECOND, 0, 120},
		  {winter + HOUR + 2 * SECOND, winter - HOUR + 2 * SECOND, 0, 120}},
		 1},
		{{{winter, winter - HOUR, 0, 60},
		  {winter + HOUR / 4, winter - HOUR + SECOND, 0, 75},
		  {winter + 2 * SECOND, winter - HOUR + 2 * SECOND, 0, 60}},
		 2},
		{{{spring - SECOND + HOUR, spring - SECOND, 0, 60},
		  {spring + 2 * HOUR, spring, 0, 120},
		  {spring + 3 * HOUR, spring + HOUR, 0, 120}},
		 0},
		{{{winter, winter - 5 * HOUR, 0, 300}, // in another zone than the header says
		  {winter + SECOND, winter - 5 * HOUR + SECOND, 0, 300},
		  {winter + 2 * SECOND, winter - 5 * HOUR + 2 * SECOND, 0, 300}},
		 0},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(cases); i++) {
		size_t told = 0;
		struct pmon_log_options options = {
			.size = sizeof(options), .notice = count_notices, .notice_ctx = &told};
		struct blg_opened log = blg_log_open(clock_log(cases[i].moments, 3), &options);
		const struct pmon_sample *sample;

		for (size_t k = 0; k < 3; k++) {
			assert_int_equal(pmon_source_next(log.source, &sample, NULL), PMON_OK);
			T_EQ_I64(sample->utc_offset_min, cases[i].moments[k].offset);
		}
		T_EQ_U64(told, cases[i].told);
		blg_log_close(&log);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zone_rules),
		cmocka_unit_test(zone_rules_of_the_south),
		cmocka_unit_test(zone_rules_at_the_end_of_the_year),
		cmocka_unit_test(zone_with_dates_of_one_year),
		cmocka_unit_test(zone_without_summer),
		cmocka_unit_test(data_gives_the_offset),
		cmocka_unit_test(zone_gives_the_offset_if_data_does_not),
		cmocka_unit_test(instances_give_the_offset),
		cmocka_unit_test(odd_changes_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
