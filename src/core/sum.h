// sum.h - exact sums, whatever the order
// SPDX-License-Identifier: MIT
//
// A sum of doubles depends on the order of the additions; statistics that are merged from parts must
// not. So numbers are added as 256-bit fixed point: integers with no fraction bits (room for 2^191 of
// the largest), doubles with PMON_SUM_FRACTION of them. The one rounding happens when the sum is read.

#ifndef PMON_CORE_SUM_H
#define PMON_CORE_SUM_H

#include <pmon/counter.h>

// Fraction bits for doubles. The smallest fraction 100 * N / B of 64-bit integers that is not zero is
// above 2^-57 and has its last bit above 2^-110, so none of its bits are lost.
#define PMON_SUM_FRACTION 112
// Doubles must be smaller in magnitude than 2^PMON_SUM_LIMIT, which leaves room for 2^63 of them.
#define PMON_SUM_LIMIT 80

static inline void
pmon_sum_add_u64(struct pmon_sum *sum, uint64_t n)
{
	sum->word[0] += n;
	if (sum->word[0] < n && ++sum->word[1] == 0 && ++sum->word[2] == 0)
		++sum->word[3];
}

void pmon_sum_add_i64(struct pmon_sum *sum, int64_t n);
void pmon_sum_add_double(struct pmon_sum *sum, double d); // |d| < 2^PMON_SUM_LIMIT
void pmon_sum_add(struct pmon_sum *sum, const struct pmon_sum *other);
bool pmon_sum_is_zero(const struct pmon_sum *sum);

// The sum as the nearest double; fraction is 0 for integers, PMON_SUM_FRACTION for doubles.
double pmon_sum_value(const struct pmon_sum *sum, int fraction);

#endif
