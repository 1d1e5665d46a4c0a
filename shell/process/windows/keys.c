// keys.c - wait for keys of a console
// SPDX-License-Identifier: MIT

#include "shell/process/keys.h"

#include <windows.h>

#include <pmon/base.h>

#include "os/clock.h"
#include "os/term.h"

#define LOOK_100NS                                                                                 \
	(PMON_TIME_PER_SEC / 20) // how long a wait may take to notice the other descriptor

// Static, because a program has one console.
static struct {
	HANDLE handle;
	unsigned lines;
	unsigned columns;
} console;

FILE *
keys_open(void)
{
	return fopen("CONIN$", "r");
}

// The driver for consoles, regardless of TERM.
const char *
keys_terminal(void)
{
	return "#win32con";
}

void
keys_begin(int fd)
{
	console.handle = (HANDLE)_get_osfhandle(fd);
	console.lines = pmon_term_rows();
	console.columns = pmon_term_columns();
}

void
keys_end(void)
{
	console.handle = NULL;
}

static bool
is_resized(void)
{
	return console.lines != pmon_term_rows() || console.columns != pmon_term_columns();
}

bool
keys_resized(int *lines, int *columns)
{
	bool resized = is_resized();

	console.lines = pmon_term_rows();
	console.columns = pmon_term_columns();
	*lines = (int)console.lines;
	*columns = (int)console.columns;
	return resized;
}

bool
keys_wait(int other, int64_t timeout_100ns)
{
	int64_t end = pmon_os_monotonic_100ns() + timeout_100ns;

	while (!pmon_win_is_readable(other) && !is_resized()) {
		int64_t left = timeout_100ns < 0 ? LOOK_100NS : end - pmon_os_monotonic_100ns();
		DWORD wait;

		if (left <= 0)
			return true;
		if (left > LOOK_100NS)
			left = LOOK_100NS;
		wait = WaitForSingleObject(console.handle,
					   (DWORD)(left / (PMON_TIME_PER_SEC / 1000)));
		if (wait != WAIT_TIMEOUT)
			return wait == WAIT_OBJECT_0;
	}
	return true;
}
