// pack.c - compress bytes with zlib and libzstd, if pmon was built with both
// SPDX-License-Identifier: MIT

#include "pack.h"

#if defined(PMON_WITH_ZLIB) && defined(PMON_WITH_ZSTD)

#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>

#include "t.h"

static size_t
pack_gzip(const uint8_t *plain, size_t len, uint8_t *out, size_t size)
{
	z_stream z = {.next_in = NULL};

	assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (Bytef *)(uintptr_t)plain;
	z.avail_in = (uInt)len;
	z.next_out = out;
	z.avail_out = (uInt)size;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	(void)deflateEnd(&z);
	return size - z.avail_out;
}

static size_t
pack_zstd(const uint8_t *plain, size_t len, uint8_t *out, size_t size)
{
	size_t n = ZSTD_compress(out, size, plain, len, 1);

	assert_false(ZSTD_isError(n));
	return n;
}

const pack_fn packers[N_PACKERS] = {pack_gzip, pack_zstd};

uint8_t *
make_plain(size_t len, size_t noise)
{
	uint8_t *plain = malloc(len);
	struct t_rand r = {.state = 7};

	assert_non_null(plain);
	for (size_t i = 0; i < len; i++)
		plain[i] = i % noise == 0 ? (uint8_t)t_rand_u64(&r) : (uint8_t)(i / 1000);
	return plain;
}

#endif
