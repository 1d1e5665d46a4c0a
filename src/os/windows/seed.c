// seed.c - random numbers of Windows
// SPDX-License-Identifier: MIT

#include "base/hash.h"

#include <windows.h>

uint64_t
pmon_hash_seed(void)
{
	unsigned high;
	unsigned low;

	if (rand_s(&high) == 0 && rand_s(&low) == 0)
		return (uint64_t)high << 32 | low;
	// Use the stack address and the time.
	low = (unsigned)GetTickCount();
	return pmon_hash64((uint64_t)(uintptr_t)&low, &low, sizeof(low));
}
