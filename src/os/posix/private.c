// private.c - temporary files that other users cannot find: POSIX
// SPDX-License-Identifier: MIT

#include "os/fd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
pmon_private_make(const char *folder, const char *name, char path[PMON_PRIVATE_SIZE])
{
	size_t len = (size_t)snprintf(path, PMON_PRIVATE_SIZE, "%s/pmon-XXXXXX", folder);

	if (len + 1 + strlen(name) >= PMON_PRIVATE_SIZE || mkdtemp(path) == NULL) {
		path[0] = '\0';
		return false;
	}
	(void)snprintf(path + len, PMON_PRIVATE_SIZE - len, "/%s", name);
	return true;
}

void
pmon_private_remove(char path[PMON_PRIVATE_SIZE])
{
	char *slash = strrchr(path, '/');

	if (slash == NULL)
		return;
	(void)unlink(path);
	*slash = '\0';
	(void)rmdir(path);
	path[0] = '\0';
}
