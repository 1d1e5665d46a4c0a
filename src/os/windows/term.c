// term.c - consoles on Windows
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

// {0} if standard output is not a console.
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
