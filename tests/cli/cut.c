// cut.c - a file that is truncated while it is written to the disk, as a library that is loaded before all others
// SPDX-License-Identifier: MIT
//
// When the process has flushed files CUT_AT times, the file CUT gets the size CUT_TO.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int
flush_and_cut(const char *name, int fd)
{
	static int n;
	int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
	int status = real(fd);

	if (++n == atoi(getenv("CUT_AT")) && truncate(getenv("CUT"), atoi(getenv("CUT_TO"))) != 0)
		_exit(99);
	return status;
}

int
fsync(int fd)
{
	return flush_and_cut("fsync", fd);
}

int
fdatasync(int fd)
{
	return flush_and_cut("fdatasync", fd);
}
