// signals.c - make Ctrl-C, and the end of a console or a session, something to wait for: Windows
// SPDX-License-Identifier: MIT

#include "shell/process/signals.h"

#include <windows.h>

// Static, because a program has one set: Windows calls the handler in a thread of its own.
static int ends[2] = {-1, -1};
static volatile LONG has_ended;

static char *temporary;
static SRWLOCK temporary_lock = SRWLOCK_INIT;
static bool is_handled;

void
signals_remove_temporary(void)
{
	AcquireSRWLockExclusive(&temporary_lock);
	if (temporary != NULL)
		(void)unlink(temporary);
	ReleaseSRWLockExclusive(&temporary_lock);
}

// A second Ctrl-C ends the program at once.
static BOOL WINAPI
on_event(DWORD event)
{
	bool waits = ends[1] >= 0 && InterlockedExchange(&has_ended, 1) == 0;

	(void)event;
	if (waits && _write(ends[1], "", 1) == 1)
		return TRUE;
	signals_remove_temporary(); // another thread may have the file open; then it stays
	return FALSE;
}

static bool
handle_events(void)
{
	if (!is_handled)
		is_handled = SetConsoleCtrlHandler(on_event, TRUE) != 0;
	return is_handled;
}

void
signals_temporary(void *ctx, const char *path)
{
	(void)ctx;
	AcquireSRWLockExclusive(&temporary_lock);
	free(temporary);
	temporary = path != NULL ? strdup(path) : NULL;
	ReleaseSRWLockExclusive(&temporary_lock);
	if (path != NULL)
		(void)handle_events();
}

void
signals_begin(void)
{
}

int
signals_catch(void)
{
	if (ends[0] < 0 && handle_events() && pipe(ends) != 0)
		ends[0] = ends[1] = -1;
	return ends[0];
}

struct signals
signals_take(void)
{
	return (struct signals){.end = has_ended != 0};
}

void
signals_wait_for_end(int fd)
{
	char byte;

	if (fd < 0)
		Sleep(INFINITE);
	(void)_read(fd, &byte, 1);
}

bool
signals_wait(int fd, bool with_enter)
{
	(void)with_enter;
	signals_wait_for_end(fd);
	return true;
}
