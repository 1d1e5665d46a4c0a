// hash_xxh.c - hashes by XXH3
// SPDX-License-Identifier: MIT

#include "base/hash.h"

#define XXH_INLINE_ALL // the library is header-only
#include <xxhash.h>

struct pmon_hash128
pmon_hash128(const void *bytes, size_t len)
{
	XXH128_hash_t hash = XXH3_128bits(bytes, len);

	return (struct pmon_hash128){.high = hash.high64, .low = hash.low64};
}

uint64_t
pmon_hash64(uint64_t seed, const void *bytes, size_t len)
{
	return XXH3_64bits_withSeed(bytes, len, seed);
}
