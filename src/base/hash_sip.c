// hash_sip.c - hashes by SipHash-2-4, for builds without xxHash
// SPDX-License-Identifier: MIT
//
// As in "SipHash: a fast short-input PRF" (Aumasson and Bernstein), in the 128-bit variant.

#include "base/hash.h"

#include <string.h>

static uint64_t
rotate(uint64_t n, int bits)
{
	return n << bits | n >> (64 - bits);
}

static void
mix(uint64_t v[4], int rounds)
{
	while (rounds-- > 0) {
		v[0] += v[1], v[2] += v[3];
		v[1] = rotate(v[1], 13) ^ v[0], v[3] = rotate(v[3], 16) ^ v[2];
		v[0] = rotate(v[0], 32);
		v[2] += v[1], v[0] += v[3];
		v[1] = rotate(v[1], 17) ^ v[2], v[3] = rotate(v[3], 21) ^ v[0];
		v[2] = rotate(v[2], 32);
	}
}

static void
mix_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	mix(v, 2);
	v[0] ^= word;
}

// At most eight bytes as a number, the lowest byte first.
static uint64_t
word_of(const unsigned char *bytes, size_t n)
{
	uint64_t word = 0;

	while (n-- > 0)
		word = word << 8 | bytes[n];
	return word;
}

static struct pmon_hash128
sip(uint64_t key0, uint64_t key1, const unsigned char *bytes, size_t len)
{
	uint64_t v[4] = {key0 ^ UINT64_C(0x736F6D6570736575), key1 ^ UINT64_C(0x646F72616E646F83),
			 key0 ^ UINT64_C(0x6C7967656E657261), key1 ^ UINT64_C(0x7465646279746573)};
	struct pmon_hash128 hash;
	size_t at = 0;

	for (; len - at >= 8; at += 8)
		mix_word(v, word_of(bytes + at, 8));
	mix_word(v, (uint64_t)len << 56 | word_of(bytes + at, len - at));
	v[2] ^= 0xEE;
	mix(v, 4);
	hash.high = v[0] ^ v[1] ^ v[2] ^ v[3];
	v[1] ^= 0xDD;
	mix(v, 4);
	hash.low = v[0] ^ v[1] ^ v[2] ^ v[3];
	return hash;
}

struct pmon_hash128
pmon_hash128(const void *bytes, size_t len)
{
	return sip(0, 0, bytes, len);
}

uint64_t
pmon_hash64(uint64_t seed, const void *bytes, size_t len)
{
	return sip(seed, 0, bytes, len).high;
}
