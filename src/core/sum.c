// sum.c - exact sums, independent of the order
// SPDX-License-Identifier: MIT

#include "core/sum.h"

#include <math.h>

// sum + term, or sum - term as sum + ~term + 1
static inline void
add_or_subtract(struct pmon_sum *sum, const struct pmon_sum *term, bool subtract)
{
	uint64_t flip = subtract ? UINT64_MAX : 0;
	uint64_t carry = subtract;

	for (int i = 0; i < 4; i++) {
		uint64_t a = sum->word[i] + carry;
		uint64_t b = term->word[i] ^ flip;

		carry = a < carry;
		sum->word[i] = a + b;
		carry |= sum->word[i] < b;
	}
}

void
pmon_sum_add(struct pmon_sum *sum, const struct pmon_sum *other)
{
	add_or_subtract(sum, other, false);
}

struct pmon_sum
pmon_sum_times(const struct pmon_sum *sum, uint32_t n)
{
	struct pmon_sum out;
	uint64_t carry = 0;

	for (int i = 0; i < 4; i++) {
		uint64_t low = (sum->word[i] & UINT32_MAX) * n + carry;
		uint64_t high = (sum->word[i] >> 32) * n + (low >> 32);

		out.word[i] = high << 32 | (low & UINT32_MAX);
		carry = high >> 32;
	}
	return out;
}

static struct pmon_sum
negated(const struct pmon_sum *sum)
{
	struct pmon_sum out = {{0}};

	add_or_subtract(&out, sum, true);
	return out;
}

bool
pmon_sum_is_zero(const struct pmon_sum *sum)
{
	return (sum->word[0] | sum->word[1] | sum->word[2] | sum->word[3]) == 0;
}

// Bits [at, at + 64) of a sum; bits below 0 are 0.
static uint64_t
bits_at(const struct pmon_sum *sum, int at)
{
	int word;
	int bit;

	if (at < 0)
		return sum->word[0] << -at;
	word = at / 64;
	bit = at % 64;
	if (bit == 0)
		return sum->word[word];
	return sum->word[word] >> bit | (word < 3 ? sum->word[word + 1] << (64 - bit) : 0);
}

static int
bit_length(const struct pmon_sum *sum)
{
	int i = 3;
	int n = 0;

	while (i > 0 && sum->word[i] == 0)
		i--;
	for (uint64_t word = sum->word[i]; word != 0; word >>= 1)
		n++;
	return i * 64 + n;
}

static bool
any_below(const struct pmon_sum *sum, int at)
{
	for (int i = 0; i < at / 64; i++)
		if (sum->word[i] != 0)
			return true;
	return at > 0 && at % 64 != 0 && sum->word[at / 64] << (64 - at % 64) != 0;
}

double
pmon_sum_value(const struct pmon_sum *sum, int fraction)
{
	bool negative = sum->word[3] >> 63 != 0;
	struct pmon_sum magnitude = negative ? negated(sum) : *sum;
	int low = bit_length(&magnitude) - 64;
	uint64_t top;
	double d;

	if (pmon_sum_is_zero(sum))
		return 0;
	// The 64 highest bits. If any lower bit is set, the last of them is set: it is far below
	// the 53 bits of the double, so the conversion rounds to nearest as if it had all bits.
	top = bits_at(&magnitude, low);
	if (any_below(&magnitude, low))
		top |= 1;
	d = ldexp((double)top, low - fraction);
	return negative ? -d : d;
}
