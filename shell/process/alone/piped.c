// piped.c - a user's command whose standard output is read: unsupported, where a program cannot start others
// SPDX-License-Identifier: MIT

#include "shell/process/piped.h"

#include <errno.h>

bool
piped_begin(struct piped *piped, const char *command)
{
	(void)command;
	*piped = (struct piped){.fd = -1};
	errno = ENOSYS;
	return false;
}

enum piped_event
piped_read(const struct piped *piped, int signals, int64_t until_100ns, void *buf, size_t size,
	   size_t *got)
{
	(void)piped, (void)signals, (void)until_100ns, (void)buf, (void)size;
	*got = 0;
	return PIPED_END;
}

void
piped_stop(struct piped *piped)
{
	(void)piped;
}

bool
piped_end(struct piped *piped, char why[PROGRAM_WHY])
{
	(void)piped, (void)why;
	return true;
}
