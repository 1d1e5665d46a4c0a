// sum.h - exact sums, independent of the order
// SPDX-License-Identifier: MIT
//
// A sum of doubles depends on the order of the additions; statistics merged from parts must not. So
// numbers are added in 256-bit fixed point: integers with no fraction bits (room for 2^191 of the
// largest), doubles with PMON_SUM_FRACTION of them. The only rounding happens when the sum is read.

#ifndef PMON_CORE_SUM_H
#define PMON_CORE_SUM_H

#include <string.h>

#include <pmon/counter.h>

// Fraction bits for doubles. The smallest fraction 100 * N / B of 64-bit integers that is not zero is
// above 2^-57 and has its last bit above 2^-110, so none of its bits are lost.
#define PMON_SUM_FRACTION 112
// Doubles must be smaller in magnitude than 2^PMON_SUM_LIMIT, which leaves room for 2^63 of them.
#define PMON_SUM_LIMIT 80
#define PMON_SUM_BOUND 0x1p80

static inline void
pmon_sum_add_u64(struct pmon_sum *sum, uint64_t n)
{
	sum->word[0] += n;
	if (sum->word[0] < n && ++sum->word[1] == 0 && ++sum->word[2] == 0)
		++sum->word[3];
}

static inline void
pmon_sum_subtract_u64(struct pmon_sum *sum, uint64_t n)
{
	uint64_t before = sum->word[0];

	sum->word[0] -= n;
	if (before < n && sum->word[1]-- == 0 && sum->word[2]-- == 0)
		sum->word[3]--;
}

static inline void
pmon_sum_add_i64(struct pmon_sum *sum, int64_t n)
{
	if (n >= 0)
		pmon_sum_add_u64(sum, (uint64_t)n);
	else
		pmon_sum_subtract_u64(sum, 0 - (uint64_t)n);
}

// The magnitude of a double, as a number of at most 117 bits, low + high * 2^64, to add at bit
// `word * 64` of a sum.
struct pmon_sum_term {
	uint64_t low;
	uint64_t high;
	unsigned word; // 0..2
};

// |d| < 2^PMON_SUM_LIMIT. Anything smaller than the last fraction bit is cut off.
static inline struct pmon_sum_term
pmon_sum_term(double d)
{
	uint64_t bits;
	uint64_t mantissa;
	int exponent;
	int shift;

	// |d| = mantissa * 2^(exponent - 1075), by the layout of an IEEE double.
	memcpy(&bits, &d, sizeof(bits));
	mantissa = bits & ((UINT64_C(1) << 52) - 1);
	exponent = (int)(bits >> 52 & 0x7FF);
	if (exponent > 0)
		mantissa |= UINT64_C(1) << 52;
	else
		exponent = 1;
	shift = exponent - 1075 + PMON_SUM_FRACTION;
	if (shift < 0) {
		mantissa = shift > -64 ? mantissa >> -shift : 0;
		shift = 0;
	}
	return (struct pmon_sum_term){
		.low = mantissa << (shift & 63),
		.high = mantissa >> 1 >> (63 - (shift & 63)),
		.word = (unsigned)shift >> 6,
	};
}

// |d| < 2^PMON_SUM_LIMIT
static inline void
pmon_sum_add_double(struct pmon_sum *sum, double d)
{
	struct pmon_sum_term term = pmon_sum_term(d);
	uint64_t *word = &sum->word[term.word];
	uint64_t before = word[0];

	// high is below 2^53, so a carry into it never overflows it.
	if (d < 0) {
		word[0] -= term.low;
		term.high += before < term.low;
		before = word[1];
		word[1] -= term.high;
		if (before < term.high && term.word < 2 && word[2]-- == 0 && term.word == 0)
			word[3]--;
	} else {
		word[0] += term.low;
		term.high += word[0] < before;
		word[1] += term.high;
		if (word[1] < term.high && term.word < 2 && ++word[2] == 0 && term.word == 0)
			word[3]++;
	}
}

void pmon_sum_add(struct pmon_sum *sum, const struct pmon_sum *other);

// The sum times n, which must fit.
struct pmon_sum pmon_sum_times(const struct pmon_sum *sum, uint32_t n);

bool pmon_sum_is_zero(const struct pmon_sum *sum);

// Add a fraction 100 * N / B and what a group needs. A fraction of a whole of 0 adds nothing to a
// group.
static inline void
pmon_sum_add_fraction(struct pmon_stats *stats, const struct pmon_raw *raw, double value)
{
	pmon_sum_add_double(&stats->numerator, value);
	if (raw->second <= 0)
		return;
	pmon_sum_add_i64(&stats->parts, raw->first);
	pmon_sum_add_u64(&stats->denominator, (uint64_t)raw->second);
}

// The sum as the nearest double; fraction is 0 for integers, PMON_SUM_FRACTION for doubles.
double pmon_sum_value(const struct pmon_sum *sum, int fraction);

#endif
