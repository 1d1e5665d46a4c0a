// sha256.c - SHA-256 and HMAC-SHA-256
// SPDX-License-Identifier: MIT
//
// Source: FIPS 180-4, 5.1.1 (padding), 5.3.3 (initial value), 6.2.2 (computation), 4.2.2 (constants); RFC 2104.

#include "base/sha256.h"

#include <string.h>

#define BLOCK       ((size_t)64)
#define MESSAGE_MAX ((size_t)128)

static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2};

static uint32_t
rotate(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static uint32_t
be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void
put_be32(uint8_t *p, uint32_t n)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(n >> (24 - 8 * i));
}

static void
expand(const uint8_t *block, uint32_t w[64])
{
	for (size_t i = 0; i < 16; i++)
		w[i] = be32(block + 4 * i);
	for (size_t i = 16; i < 64; i++) {
		uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
		uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;

		w[i] = w[i - 16] + s0 + w[i - 7] + s1;
	}
}

static void
add_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t w[64];
	uint32_t v[8];

	expand(block, w);
	memcpy(v, state, sizeof(v));
	for (size_t i = 0; i < 64; i++) {
		uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
		uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
		uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
		uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
		uint32_t t1 = v[7] + s1 + choice + constants[i] + w[i];

		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += t1;
		v[0] = t1 + s0 + majority;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += v[i];
}

void
pmon_sha256(const void *bytes, size_t len, uint8_t out[PMON_SHA256_BYTES])
{
	uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	const uint8_t *p = bytes;
	uint8_t last[2 * BLOCK] = {0};
	size_t left = len % BLOCK;
	size_t end = left < BLOCK - 8 ? BLOCK : 2 * BLOCK;
	uint64_t bits = (uint64_t)len * 8;

	for (size_t at = 0; at + BLOCK <= len; at += BLOCK)
		add_block(state, p + at);
	if (left > 0)
		memcpy(last, p + (len - left), left);
	last[left] = 0x80;
	put_be32(last + end - 8, (uint32_t)(bits >> 32));
	put_be32(last + end - 4, (uint32_t)bits);
	for (size_t at = 0; at < end; at += BLOCK)
		add_block(state, last + at);
	for (size_t i = 0; i < 8; i++)
		put_be32(out + 4 * i, state[i]);
}

void
pmon_hmac_sha256(const void *key, size_t key_len, const void *message, size_t len,
		 uint8_t out[PMON_SHA256_BYTES])
{
	uint8_t inner[BLOCK + MESSAGE_MAX] = {0};
	uint8_t outer[BLOCK + PMON_SHA256_BYTES] = {0};

	len = len < MESSAGE_MAX ? len : MESSAGE_MAX;
	memcpy(inner, key, key_len < BLOCK ? key_len : BLOCK);
	memcpy(outer, inner, BLOCK);
	for (size_t i = 0; i < BLOCK; i++) {
		inner[i] ^= 0x36;
		outer[i] ^= 0x5c;
	}
	memcpy(inner + BLOCK, message, len);
	pmon_sha256(inner, BLOCK + len, outer + BLOCK);
	pmon_sha256(outer, sizeof(outer), out);
}
