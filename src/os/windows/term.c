// term.c - consoles and clocks on Windows
// SPDX-License-Identifier: MIT

#include "os/term.h"

#include <windows.h>

static HANDLE
stream_of(bool standard_output)
{
	return GetStdHandle(standard_output ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
}

// NUL is a character device too, but has no mode.
bool
pmon_term_is_tty(bool standard_output)
{
	DWORD mode;

	return GetConsoleMode(stream_of(standard_output), &mode) != 0;
}

bool
pmon_term_has_keys(void)
{
	DWORD mode;

	return GetConsoleMode(GetStdHandle(STD_INPUT_HANDLE), &mode) != 0;
}

bool
pmon_term_is_there(void)
{
	return GetConsoleWindow() != NULL;
}

// {0} when standard output is not a console.
static COORD
window_size(void)
{
	CONSOLE_SCREEN_BUFFER_INFO info;

	if (!GetConsoleScreenBufferInfo(stream_of(true), &info))
		return (COORD){0};
	return (COORD){.X = (SHORT)(info.srWindow.Right - info.srWindow.Left + 1),
		       .Y = (SHORT)(info.srWindow.Bottom - info.srWindow.Top + 1)};
}

bool
pmon_term_is_utf8(void)
{
	return GetConsoleOutputCP() == CP_UTF8;
}

unsigned
pmon_term_columns(void)
{
	return (unsigned)window_size().X;
}

unsigned
pmon_term_rows(void)
{
	return (unsigned)window_size().Y;
}

// By the rules of the year that the moment is in.
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
