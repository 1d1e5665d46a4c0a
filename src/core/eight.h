// eight.h - eight raw values at a time, and the formulas over them
// SPDX-License-Identifier: MIT
//
// What pmon_formula_apply() does for one, in the same order of operations, so that results are the same
// to the last bit. Nearly always raw values are usable, and neither of their numbers went back; those
// of which that is not so are told, and left to the plain way.

#ifndef PMON_CORE_EIGHT_H
#define PMON_CORE_EIGHT_H

#include "base/wide.h"
#include "core/calc.h"

#define PMON_EIGHT 8

#ifdef PMON_HAVE_WIDE

// Eight raw values, a lane each.
struct pmon_eight {
	__m512i head; // status, and multi in the high half
	__m512i time;
	__m512i first;
	__m512i second;
};

// Of four times two raw values, one behind the other.
PMON_WIDE_STEP struct pmon_eight
pmon_eight_of(__m512i ab, __m512i cd, __m512i ef, __m512i gh)
{
	const __m512i numbers = _mm512_set_epi64(15, 11, 7, 3, 14, 10, 6, 2);
	const __m512i heads = _mm512_set_epi64(13, 9, 5, 1, 12, 8, 4, 0);
	__m512i low = _mm512_permutex2var_epi64(ab, numbers, cd);
	__m512i high = _mm512_permutex2var_epi64(ef, numbers, gh);
	__m512i low_heads = _mm512_permutex2var_epi64(ab, heads, cd);
	__m512i high_heads = _mm512_permutex2var_epi64(ef, heads, gh);

	return (struct pmon_eight){
		.head = _mm512_shuffle_i64x2(low_heads, high_heads, 0x44),
		.time = _mm512_shuffle_i64x2(low_heads, high_heads, 0xEE),
		.first = _mm512_shuffle_i64x2(low, high, 0x44),
		.second = _mm512_shuffle_i64x2(low, high, 0xEE),
	};
}

PMON_WIDE_STEP struct pmon_eight
pmon_eight_load(const struct pmon_raw *raws)
{
	return pmon_eight_of(_mm512_loadu_si512(raws), _mm512_loadu_si512(raws + 2),
			     _mm512_loadu_si512(raws + 4), _mm512_loadu_si512(raws + 6));
}

PMON_WIDE_STEP __m512i
pmon_eight_two(const struct pmon_raw *a, const struct pmon_raw *b)
{
	return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const void *)a)),
				  _mm256_loadu_si256((const void *)b), 1);
}

// Those at eight positions.
PMON_WIDE_STEP struct pmon_eight
pmon_eight_gather(const struct pmon_raw *raws, const uint32_t at[PMON_EIGHT])
{
	return pmon_eight_of(pmon_eight_two(&raws[at[0]], &raws[at[1]]),
			     pmon_eight_two(&raws[at[2]], &raws[at[3]]),
			     pmon_eight_two(&raws[at[4]], &raws[at[5]]),
			     pmon_eight_two(&raws[at[6]], &raws[at[7]]));
}

PMON_WIDE_STEP __mmask8
pmon_eight_usable(const struct pmon_eight *raws)
{
	return _mm512_cmple_epu64_mask(
		_mm512_and_si512(raws->head, _mm512_set1_epi64(INT64_C(0xFFFFFFFF))),
		_mm512_set1_epi64(PMON_RAW_NEW));
}

// pmon_formula_apply() for types of one sample; *plain is set where there is a value.
PMON_WIDE_STEP __m512d
pmon_eight_single(enum pmon_formula formula, const struct pmon_eight *raws, __mmask8 *plain)
{
	const __m512d hundred = _mm512_set1_pd(100);
	__m512d n = _mm512_cvtepi64_pd(raws->first);

	*plain = pmon_eight_usable(raws);
	if (formula == PMON_FORMULA_COUNT)
		return n;
	if (formula == PMON_FORMULA_DOUBLE) {
		n = _mm512_castsi512_pd(raws->first);
		*plain &= _mm512_cmp_pd_mask(_mm512_abs_pd(n), _mm512_set1_pd(0x1p80), _CMP_LT_OQ);
		return n;
	}
	*plain &= _mm512_cmpgt_epi64_mask(raws->second, _mm512_setzero_si512());
	return _mm512_mul_pd(hundred, _mm512_div_pd(n, _mm512_cvtepi64_pd(raws->second)));
}

// The same for types of two samples, of which older has the raw values before.
PMON_WIDE_STEP __m512d
pmon_eight_pair(enum pmon_formula formula, double ticks, const struct pmon_eight *older,
		const struct pmon_eight *raws, __mmask8 *plain)
{
	const __m512d hundred = _mm512_set1_pd(100);
	__m512d f = _mm512_set1_pd(ticks);
	__m512d b = _mm512_cvtepi64_pd(_mm512_srli_epi64(raws->head, 32));
	__m512d n = _mm512_cvtepu64_pd(_mm512_sub_epi64(raws->first, older->first));
	__m512d d = _mm512_cvtepu64_pd(_mm512_sub_epi64(raws->second, older->second));
	__m512d x;

	*plain = pmon_eight_usable(raws) & pmon_eight_usable(older) &
		 _mm512_cmpge_epi64_mask(raws->first, older->first);
	if (formula == PMON_FORMULA_DELTA)
		return n;
	*plain &= _mm512_cmpgt_epi64_mask(raws->second, older->second);
	switch (formula) {
	case PMON_FORMULA_RATE:
		return _mm512_div_pd(n, _mm512_div_pd(d, f));
	case PMON_FORMULA_AVERAGE_TIME:
		return _mm512_div_pd(_mm512_div_pd(n, f), d);
	default:
		x = _mm512_div_pd(n, d);
	}
	switch (formula) {
	case PMON_FORMULA_RATIO:
		return x;
	case PMON_FORMULA_PERCENT:
		return _mm512_mul_pd(hundred, x);
	case PMON_FORMULA_PERCENT_INV:
		x = _mm512_mul_pd(hundred, _mm512_sub_pd(_mm512_set1_pd(1), x));
		break;
	case PMON_FORMULA_MULTI:
		*plain &= _mm512_cmp_pd_mask(b, _mm512_setzero_pd(), _CMP_GT_OQ);
		return _mm512_div_pd(_mm512_mul_pd(hundred, x), b);
	default: // PMON_FORMULA_MULTI_INV
		*plain &= _mm512_cmp_pd_mask(b, _mm512_setzero_pd(), _CMP_GT_OQ);
		x = _mm512_mul_pd(hundred, _mm512_sub_pd(b, x));
	}
	*plain &= _mm512_cmp_pd_mask(x, _mm512_setzero_pd(), _CMP_GE_OQ);
	return x;
}

#endif

#endif
