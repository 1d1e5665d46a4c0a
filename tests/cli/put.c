// put.c - a preloaded library that creates a file just before the process can
// SPDX-License-Identifier: MIT
//
// When the process creates the file PUT for the second time, the file already exists with the text
// PUT_TEXT.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int open_fn(const char *path, int flags, ...);

static open_fn *
real_open(const char *name)
{
	return (open_fn *)dlsym(RTLD_NEXT, name);
}

static void
put(const char *path)
{
	static int n;
	const char *text = getenv("PUT_TEXT");
	size_t len = strlen(text);
	int fd;

	if (strcmp(path, getenv("PUT")) != 0 || ++n != 2)
		return;
	fd = real_open("open")(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
	if (fd < 0 || write(fd, text, len) != (ssize_t)len || close(fd) != 0)
		_exit(99);
}

static int
put_and_open(const char *name, const char *path, int flags, int mode)
{
	if ((flags & O_EXCL) != 0)
		put(path);
	return real_open(name)(path, flags, mode);
}

int
open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return put_and_open("open", path, flags, mode);
}

int
open64(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	return put_and_open("open64", path, flags, mode);
}

int
link(const char *from, const char *to)
{
	put(to);
	return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "link"))(from, to);
}
