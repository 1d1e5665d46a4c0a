// sha256.h - SHA-256 and HMAC-SHA-256
// SPDX-License-Identifier: MIT
//
// FIPS 180-4 and RFC 2104. For values that must not be reversible, such as machine ids; to merely
// distinguish values use hash.h.

#ifndef PMON_BASE_SHA256_H
#define PMON_BASE_SHA256_H

#include <pmon/base.h>

#define PMON_SHA256_BYTES 32

void pmon_sha256(const void *bytes, size_t len, uint8_t out[PMON_SHA256_BYTES]);

// The key has at most 64 bytes, the message at most 128.
void pmon_hmac_sha256(const void *key, size_t key_len, const void *message, size_t len,
		      uint8_t out[PMON_SHA256_BYTES]);

#endif
