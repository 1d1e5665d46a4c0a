// pack.c - compress bytes before sending, with libzstd and zlib
// SPDX-License-Identifier: MIT

#include "os/pack.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef PMON_WITH_ZSTD

#include <zstd.h>

#define LEVEL 1

size_t
pmon_pack_bound(size_t len)
{
	return ZSTD_compressBound(len);
}

size_t
pmon_pack(const void *plain, size_t len, void *out, size_t room)
{
	size_t n = ZSTD_compress(out, room, plain, len, LEVEL);

	return ZSTD_isError(n) ? 0 : n;
}

#else

size_t
pmon_pack_bound(size_t len)
{
	(void)len;
	return 0;
}

size_t
pmon_pack(const void *plain, size_t len, void *out, size_t room)
{
	(void)plain, (void)len, (void)out, (void)room;
	return 0;
}

#endif

#ifdef PMON_WITH_ZLIB

#include <limits.h>
#include <zlib.h>

#define GZIP_LEVEL  1
#define GZIP_WINDOW (15 + 16) // the largest window; plus 16: with the header and trailer of gzip
#define GZIP_MEMORY 8         // zlib's default
#define GZIP_AROUND                                                                                \
	32 // at least the bytes of header and trailer that compressBound() does not count

size_t
pmon_gzip_bound(size_t len)
{
	return len <= UINT_MAX / 2 ? compressBound(len) + GZIP_AROUND : 0;
}

size_t
pmon_gzip(const void *plain, size_t len, void *out, size_t room)
{
	z_stream z = {.next_in = (z_const Bytef *)(uintptr_t)plain,
		      .avail_in = (uInt)len,
		      .next_out = out,
		      .avail_out = (uInt)room};
	bool is_done;

	if (deflateInit2(&z, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return 0;
	is_done = deflate(&z, Z_FINISH) == Z_STREAM_END;
	(void)deflateEnd(&z);
	return is_done ? (size_t)z.total_out : 0;
}

#else

size_t
pmon_gzip_bound(size_t len)
{
	(void)len;
	return 0;
}

size_t
pmon_gzip(const void *plain, size_t len, void *out, size_t room)
{
	(void)plain, (void)len, (void)out, (void)room;
	return 0;
}

#endif
