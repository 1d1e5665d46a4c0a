// hash.h - 128-bit hashes that identify data, and 64-bit hashes for tables in memory, by XXH3
// SPDX-License-Identifier: MIT
//
// For stored or transmitted data, when the bytes themselves are not available for comparison. The
// hash is published and stable (https://github.com/Cyan4973/xxHash, XXH3_128bits with seed 0), so
// others can compute it: `printf %s TEXT | xxhsum -H128` prints the digits of pmon_hash128_print().
// It does not protect against deliberate collisions. A hash table in memory that compares its keys
// does not need it. A build without xxHash uses SipHash instead: its logs have other ids, and it
// cannot push.

#ifndef PMON_BASE_HASH_H
#define PMON_BASE_HASH_H

#include <pmon/base.h>

struct pmon_hash128 {
	uint64_t high; // the first 16 digits
	uint64_t low;
};

typedef struct pmon_hash128 (*pmon_hash128_fn)(const void *bytes, size_t len);

struct pmon_hash128 pmon_hash128(const void *bytes, size_t len);

// A random seed, unknown to the author of an input. Each object with a hash table of names from
// files has its own, so that no file can be crafted whose names all collide. The order of an output
// never depends on it. Not for cryptographic keys.
uint64_t pmon_hash_seed(void);

// With a seed, for tables in memory.
uint64_t pmon_hash64(uint64_t seed, const void *bytes, size_t len);

static inline bool
pmon_hash128_equal(struct pmon_hash128 a, struct pmon_hash128 b)
{
	return a.high == b.high && a.low == b.low;
}

// Order by value: -1, 0 or 1.
int pmon_hash128_compare(struct pmon_hash128 a, struct pmon_hash128 b);

#define PMON_HASH128_SIZE 33 // as hexadecimal digits, NUL included
void pmon_hash128_print(struct pmon_hash128 hash, char buf[PMON_HASH128_SIZE]);
bool pmon_hash128_parse(struct pmon_span text, struct pmon_hash128 *out);

// The same digits in the groups of a UUID, 8-4-4-4-12.
#define PMON_HASH128_UUID_SIZE 37
void pmon_hash128_print_uuid(struct pmon_hash128 hash, char buf[PMON_HASH128_UUID_SIZE]);

#endif
