// signals.c - make signals something to wait for: WASI has none
// SPDX-License-Identifier: MIT
//
// What runs the program can only end it.

#include "shell/process/signals.h"

#include <stdio.h>
#include <unistd.h>

static char temporary[4224]; // "": none

void
signals_remove_temporary(void)
{
	if (temporary[0] != '\0')
		(void)unlink(temporary);
}

void
signals_temporary(void *ctx, const char *path)
{
	(void)ctx;
	(void)snprintf(temporary, sizeof(temporary), "%s", path != NULL ? path : "");
}

void
signals_begin(void)
{
}

void
signals_at_end(void (*work)(void))
{
	(void)work;
}

int
signals_catch(void)
{
	return -1;
}

struct signals
signals_take(void)
{
	return (struct signals){.end = false};
}

void
signals_wait_for_end(int fd)
{
	(void)fd;
}

bool
signals_wait(int fd, bool with_enter)
{
	(void)fd, (void)with_enter;
	return true;
}
