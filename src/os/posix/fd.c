// fd.c - descriptors and private files: POSIX
// SPDX-License-Identifier: MIT

#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
pmon_fd_open(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC);
}

int64_t
pmon_fd_size(int fd)
{
	return lseek(fd, 0, SEEK_END);
}

void
pmon_fd_close(int fd)
{
	int sys = errno;

	(void)close(fd);
	errno = sys;
}

bool
pmon_fd_pipe(int fds[2])
{
	return pipe(fds) == 0;
}

void
pmon_fd_wake(int fd)
{
	ssize_t ignored = write(fd, "", 1);

	(void)ignored;
}

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
