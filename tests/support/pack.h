// pack.h - compress bytes with zlib and libzstd, if pmon was built with both
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_PACK_H
#define PMON_TESTS_PACK_H

#include <stddef.h>
#include <stdint.h>

#if defined(PMON_WITH_ZLIB) && defined(PMON_WITH_ZSTD)

// Compress into a buffer that is large enough; returns the size.
typedef size_t (*pack_fn)(const uint8_t *plain, size_t len, uint8_t *out, size_t size);

#define N_PACKERS 2
extern const pack_fn packers[N_PACKERS]; // gzip, Zstandard

// Bytes of which one in `noise` is random, so that they do not all compress into one block. Release
// with free().
uint8_t *make_plain(size_t len, size_t noise);

#endif

#endif
