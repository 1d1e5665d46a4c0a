// flip.c - write one bit of a file wrong
// SPDX-License-Identifier: MIT
//
// Load it with LD_PRELOAD. FLIP_AT is an offset in the file: the lowest bit of that byte is flipped
// whenever it is written.

#define _GNU_SOURCE

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static ssize_t
write_flipped(int fd, const void *bytes, size_t len, int64_t offset)
{
	const char *text = getenv("FLIP_AT");
	int64_t at = text != NULL ? atoll(text) : -1;
	unsigned char *copy;
	ssize_t n;

	if (at < offset || at >= offset + (int64_t)len || (copy = malloc(len)) == NULL)
		return syscall(SYS_pwrite64, fd, bytes, len, offset);
	memcpy(copy, bytes, len);
	copy[at - offset] ^= 1;
	n = syscall(SYS_pwrite64, fd, copy, len, offset);
	free(copy);
	return n;
}

ssize_t
pwrite(int fd, const void *bytes, size_t len, off_t offset)
{
	return write_flipped(fd, bytes, len, offset);
}

ssize_t
pwrite64(int fd, const void *bytes, size_t len, off64_t offset)
{
	return write_flipped(fd, bytes, len, offset);
}
