// bits.h - bits of a word
// SPDX-License-Identifier: MIT

#ifndef PMON_BASE_BITS_H
#define PMON_BASE_BITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/step.h"

// The number of zero bits above the highest set bit; n is not 0.
STEP uint32_t
pmon_leading_zeros(uint64_t n)
{
#if defined(__GNUC__)
	return (uint32_t)__builtin_clzll(n);
#else
	uint32_t zeros = 0;

	for (; n >> 63 == 0; n <<= 1)
		zeros++;
	return zeros;
#endif
}

// The index of the lowest and of the highest set bit; bits is not 0.
STEP size_t
pmon_first_bit(uint64_t bits)
{
#if defined(__GNUC__)
	return (size_t)__builtin_ctzll(bits);
#else
	size_t i = 0;

	while ((bits >> i & 1) == 0)
		i++;
	return i;
#endif
}

STEP size_t
pmon_last_bit(uint64_t bits)
{
	return 63 - pmon_leading_zeros(bits);
}

STEP size_t
pmon_count_bits(uint64_t bits)
{
#if defined(__GNUC__)
	return (size_t)__builtin_popcountll(bits);
#else
	size_t n = 0;

	for (; bits != 0; bits &= bits - 1)
		n++;
	return n;
#endif
}

// The lowest n bits of a word.
STEP uint64_t
pmon_low_bits(size_t n)
{
	return n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
}

#endif
