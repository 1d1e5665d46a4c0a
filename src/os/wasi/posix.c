// posix.c - POSIX functions that wasi-libc lacks
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 100 // of names, which are random

int
flock(int fd, int operation)
{
	(void)fd, (void)operation;
	return 0;
}

int
fchmod(int fd, mode_t mode)
{
	(void)fd, (void)mode;
	return 0;
}

int
fchown(int fd, uid_t uid, gid_t gid)
{
	(void)fd, (void)uid, (void)gid;
	return 0;
}

uid_t
geteuid(void)
{
	return 0;
}

void
flockfile(FILE *file)
{
	(void)file;
}

void
funlockfile(FILE *file)
{
	(void)file;
}

int
pipe(int fds[2])
{
	(void)fds;
	errno = ENOTSUP;
	return -1;
}

int
dup(int fd)
{
	(void)fd;
	errno = ENOTSUP;
	return -1;
}

// Put random letters in place of the six X at the end.
static bool
fill(char *pattern)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	size_t len = strlen(pattern);
	uint8_t bytes[6];

	if (len < sizeof(bytes) || getentropy(bytes, sizeof(bytes)) != 0)
		return false;
	for (size_t i = 0; i < sizeof(bytes); i++)
		pattern[len - sizeof(bytes) + i] = letters[bytes[i] % 32];
	return true;
}

int
mkstemp(char *pattern)
{
	for (int i = 0; i < TRIES; i++) {
		int fd = fill(pattern) ? open(pattern, O_RDWR | O_CREAT | O_EXCL, 0600) : -1;

		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

char *
mkdtemp(char *pattern)
{
	for (int i = 0; i < TRIES; i++) {
		if (fill(pattern) && mkdir(pattern, 0700) == 0)
			return pattern;
		if (errno != EEXIST)
			break;
	}
	return NULL;
}
