// round.h - decimals to the nearest double by one multiplication
// SPDX-License-Identifier: MIT

#ifndef PMON_BASE_ROUND_H
#define PMON_BASE_ROUND_H

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "base/bits.h"
#include "base/powers.h"
#include "base/step.h"

// Each operation on doubles rounds once, to a double. This is not so in the x87 of i386, whose
// registers have more bits.
#define PMON_ROUNDS_ONCE (FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1)

// a * b: the high half, and the low one in *low.
#if defined(__SIZEOF_INT128__)
STEP uint64_t
pmon_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
	__extension__ typedef unsigned __int128 uint128;
	uint128 product = (uint128)a * b;

	*low = (uint64_t)product;
	return (uint64_t)(product >> 64);
}
#else
STEP uint64_t
pmon_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
	uint64_t a1 = a >> 32, a0 = a & UINT32_MAX;
	uint64_t b1 = b >> 32, b0 = b & UINT32_MAX;
	uint64_t mid = a1 * b0 + (a0 * b0 >> 32);
	uint64_t mid2 = a0 * b1 + (mid & UINT32_MAX);

	*low = a * b;
	return a1 * b1 + (mid >> 32) + (mid2 >> 32);
}
#endif

// floor(log2(10^e)) for every e of the table, verified by its generator.
STEP int32_t
pmon_log2_of_power(int32_t e)
{
	return (int32_t)((e * (int64_t)217706) >> 16);
}

// The double nearest to w * 10^e, by the high half of that power, and `exponent`, the bits of the
// double 2^(floor(log2(10^e)) + 2). The exact product is at least `high` and less than high + 2.
// False if that range contains or touches the midpoint between two doubles: 512 modulo 1024, or
// 1024 modulo 2048 if the top bit of `high` is set.
STEP bool
pmon_round_by(uint64_t w, uint64_t power, uint64_t exponent, double *out)
{
#if PMON_ROUNDS_ONCE
	uint64_t zeros = pmon_leading_zeros(w | 1);
	uint64_t low;
	uint64_t high = pmon_multiply(w << zeros, power, &low);
	uint64_t bits = exponent - (zeros << (DBL_MANT_DIG - 1));
	uint32_t from_middle = (uint32_t)(high - 511) & 2047;
	double power_of_two;

	memcpy(&power_of_two, &bits, sizeof(bits));
	*out = (double)(int64_t)(high >> 1) * power_of_two;
	// Is it 0, 1 or 2 above a multiple of 512, except the last of the four, which is a double?
	return (((from_middle & 511) - 3) & (from_middle - 1536)) >> 31 == 0;
#else
	(void)w;
	(void)power;
	(void)exponent;
	*out = 0;
	return false;
#endif
}

// Exponents of ten for which any w produces a normal number, and so does the power of two above.
#define PMON_ROUND_LEAST (-280)
#define PMON_ROUND_MOST  280

STEP bool
pmon_round_short(uint64_t w, int32_t e, double *out)
{
	uint64_t exponent = (uint64_t)(pmon_log2_of_power(e) + 2 + DBL_MAX_EXP - 1);

	return pmon_round_by(w, pmon_powers[e - PMON_POWER_LEAST].high,
			     exponent << (DBL_MANT_DIG - 1), out);
}

// The same for w / 10^places, for places below PMON_TENTHS.
STEP bool
pmon_round_tenths(uint64_t w, uint32_t places, double *out)
{
	return pmon_round_by(w, pmon_tenths[places].power, pmon_tenths[places].exponent, out);
}

#endif
