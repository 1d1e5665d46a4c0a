// clock.c - clocks on POSIX systems
// SPDX-License-Identifier: MIT

#include "os/clock.h"

#include <time.h>

#include "base/time.h"

#define UNIX_EPOCH_100NS INT64_C(116444736000000000) // 1970-01-01 in 100 ns since 1601

#ifdef CLOCK_BOOTTIME
#define CLOCK_OF_BOOT CLOCK_BOOTTIME
#else // without the time that the machine sleeps, on some systems
#define CLOCK_OF_BOOT CLOCK_MONOTONIC
#endif

static int64_t
read_clock(clockid_t clock)
{
	struct timespec now = {0};

	(void)clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * PMON_TIME_PER_SEC + now.tv_nsec / 100;
}

struct pmon_os_clocks
pmon_os_clocks(void)
{
	return (struct pmon_os_clocks){.wall = read_clock(CLOCK_REALTIME) + UNIX_EPOCH_100NS,
				       .boot_100ns = read_clock(CLOCK_OF_BOOT)};
}

int32_t
pmon_os_utc_offset_min(pmon_time t)
{
	struct pmon_civil civil = {0};
	struct tm local;
	time_t seconds;

	if (t == PMON_TIME_NONE)
		return 0;
	seconds = (time_t)((t - UNIX_EPOCH_100NS) / PMON_TIME_PER_SEC);
	if (localtime_r(&seconds, &local) == NULL)
		return 0;
	// The offset is how far local time, read as if it were UTC, is ahead.
	civil.year = local.tm_year + 1900;
	civil.month = local.tm_mon + 1;
	civil.day = local.tm_mday;
	civil.hour = local.tm_hour;
	civil.minute = local.tm_min;
	civil.second = local.tm_sec < 60 ? local.tm_sec : 59;
	return (int32_t)((pmon_time_from_civil(&civil) -
			  ((int64_t)seconds * PMON_TIME_PER_SEC + UNIX_EPOCH_100NS)) /
			 PMON_TIME_PER_MIN);
}

int64_t
pmon_os_monotonic_100ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

void
pmon_os_sleep(int64_t length_100ns)
{
	struct timespec length = {.tv_sec = (time_t)(length_100ns / PMON_TIME_PER_SEC),
				  .tv_nsec = (long)(length_100ns % PMON_TIME_PER_SEC * 100)};

	(void)nanosleep(&length, NULL);
}
