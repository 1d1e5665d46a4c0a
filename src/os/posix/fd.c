// fd.c - descriptors: POSIX
// SPDX-License-Identifier: MIT

#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int
pmon_fd_open(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC);
}

// Prefer /var/tmp, which is meant for large files; /tmp may be in memory.
int
pmon_fd_temporary(void)
{
	char large[] = "/var/tmp/pmon-XXXXXX";
	char any[] = "/tmp/pmon-XXXXXX";
	char *path = large;
	int fd = mkstemp(path);

	if (fd < 0) {
		path = any;
		fd = mkstemp(path);
	}
	if (fd >= 0) {
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
		(void)unlink(path);
	}
	return fd;
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
	if (pipe(fds) != 0)
		return false;
	(void)fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	return true;
}

void
pmon_fd_wake(int fd)
{
	ssize_t ignored = write(fd, "", 1);

	(void)ignored;
}
