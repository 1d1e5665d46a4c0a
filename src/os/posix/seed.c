// seed.c - random numbers on POSIX systems
// SPDX-License-Identifier: MIT

#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE // getentropy()
#endif

#include "base/hash.h"

#include <time.h>
#include <unistd.h>

uint64_t
pmon_hash_seed(void)
{
	uint64_t seed;
	struct timespec now = {0};

	if (getentropy(&seed, sizeof(seed)) == 0)
		return seed;
	// If the kernel has no random numbers, use the stack address and the time.
	(void)timespec_get(&now, TIME_UTC);
	seed = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^ (uint64_t)(uintptr_t)&now;
	return pmon_hash64(0, &seed, sizeof(seed));
}
