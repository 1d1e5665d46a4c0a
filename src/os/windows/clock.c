// clock.c - clocks on Windows
// SPDX-License-Identifier: MIT

#include "os/clock.h"

#include <windows.h>

struct pmon_os_clocks
pmon_os_clocks(void)
{
	FILETIME now;

	GetSystemTimeAsFileTime(&now);
	return (struct pmon_os_clocks){
		.wall = (pmon_time)((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime),
		.boot_100ns =
			pmon_os_monotonic_100ns()}; // which continues while the machine sleeps
}

// Use the rules of the year that contains the time.
int32_t
pmon_os_utc_offset_min(pmon_time t)
{
	FILETIME utc = {.dwLowDateTime = (DWORD)((uint64_t)t & UINT32_MAX),
			.dwHighDateTime = (DWORD)((uint64_t)t >> 32)};
	SYSTEMTIME system;
	SYSTEMTIME local;
	FILETIME there;

	if (t == PMON_TIME_NONE || !FileTimeToSystemTime(&utc, &system) ||
	    !SystemTimeToTzSpecificLocalTime(NULL, &system, &local) ||
	    !SystemTimeToFileTime(&system, &utc) || !SystemTimeToFileTime(&local, &there))
		return 0;
	return (int32_t)(((int64_t)((uint64_t)there.dwHighDateTime << 32 | there.dwLowDateTime) -
			  (int64_t)((uint64_t)utc.dwHighDateTime << 32 | utc.dwLowDateTime)) /
			 PMON_TIME_PER_MIN);
}

int64_t
pmon_os_monotonic_100ns(void)
{
	LARGE_INTEGER now;
	LARGE_INTEGER frequency;

	(void)QueryPerformanceCounter(&now);
	(void)QueryPerformanceFrequency(&frequency);
	return now.QuadPart / frequency.QuadPart * PMON_TIME_PER_SEC +
	       now.QuadPart % frequency.QuadPart * PMON_TIME_PER_SEC / frequency.QuadPart;
}

void
pmon_os_sleep(int64_t length_100ns)
{
	Sleep((DWORD)((length_100ns + 9999) / 10000));
}
