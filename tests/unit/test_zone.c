// test_zone.c - the zone of this machine
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <time.h>

#include "base/time.h"
#include "os/clock.h"

static pmon_time
noon(int year, int month, int day)
{
	struct pmon_civil civil = {.year = year, .month = month, .day = day, .hour = 12};

	return pmon_time_from_civil(&civil);
}

// Central European time as POSIX writes it: 60 minutes, from the last Sunday of March 120, from that of October 60.
// 2^32 seconds before 10 April 2040 was 5 March 1904, where 32 bits for a time would take the offset from.
static void
test_offsets_of_days(void **state)
{
	(void)state;
	assert_int_equal(setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1), 0);
	tzset();
	T_EQ_I64(pmon_os_utc_offset_min(noon(2026, 1, 15)), 60);
	T_EQ_I64(pmon_os_utc_offset_min(noon(2026, 7, 15)), 120);
	T_EQ_I64(pmon_os_utc_offset_min(noon(2040, 1, 15)), 60);
	T_EQ_I64(pmon_os_utc_offset_min(noon(2040, 4, 10)), 120);
	T_EQ_I64(pmon_os_utc_offset_min(PMON_TIME_NONE), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offsets_of_days),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
