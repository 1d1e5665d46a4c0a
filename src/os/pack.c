// pack.c - compress bytes that are sent, by libzstd
// SPDX-License-Identifier: MIT

#include "os/pack.h"

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
