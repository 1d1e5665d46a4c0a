// values.c - the displayed values of many raw values in a row
// SPDX-License-Identifier: MIT

#include <float.h>

#include "base/wide.h"
#include "core/pair.h"

#define LEAST 16 // raw values that vectors are worth while for

// ---- One at a time --------------------------------------------------------------------------

static void
values_plain(const struct pmon_calc *calc, const struct pmon_raw *older,
	     const struct pmon_raw *raws, size_t n, struct pmon_value *out)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = pmon_calc_value(calc, older, &raws[i]);
		older = &raws[i];
	}
}

// ---- Eight at a time ------------------------------------------------------------------------
//
// As in run.h: nearly always raw values are usable, and neither of their numbers went back. Those of
// which that is not so are left to pmon_calc_value().

#ifdef PMON_HAVE_WIDE

#define LANES 8

// Eight raw values, a lane each.
struct eight {
	__m512i head; // status, and multi in the high half
	__m512i first;
	__m512i second;
};

PMON_WIDE_STEP struct eight
load_eight(const struct pmon_raw *raws)
{
	const __m512i numbers = _mm512_set_epi64(15, 11, 7, 3, 14, 10, 6, 2);
	const __m512i heads = _mm512_set_epi64(0, 0, 0, 0, 12, 8, 4, 0);
	__m512i ab = _mm512_loadu_si512(raws);
	__m512i cd = _mm512_loadu_si512(raws + 2);
	__m512i ef = _mm512_loadu_si512(raws + 4);
	__m512i gh = _mm512_loadu_si512(raws + 6);
	__m512i low = _mm512_permutex2var_epi64(ab, numbers, cd);
	__m512i high = _mm512_permutex2var_epi64(ef, numbers, gh);

	return (struct eight){
		.head = _mm512_shuffle_i64x2(_mm512_permutex2var_epi64(ab, heads, cd),
					     _mm512_permutex2var_epi64(ef, heads, gh), 0x44),
		.first = _mm512_shuffle_i64x2(low, high, 0x44),
		.second = _mm512_shuffle_i64x2(low, high, 0xEE),
	};
}

// Those one before: the last of `before`, and all but the last of `raws`.
PMON_WIDE_STEP struct eight
one_before(const struct eight *before, const struct eight *raws)
{
	return (struct eight){
		.head = _mm512_alignr_epi64(raws->head, before->head, LANES - 1),
		.first = _mm512_alignr_epi64(raws->first, before->first, LANES - 1),
		.second = _mm512_alignr_epi64(raws->second, before->second, LANES - 1),
	};
}

PMON_WIDE_STEP __mmask8
usable(const struct eight *raws)
{
	return _mm512_cmple_epu64_mask(
		_mm512_and_si512(raws->head, _mm512_set1_epi64(INT64_C(0xFFFFFFFF))),
		_mm512_set1_epi64(PMON_RAW_NEW));
}

// pmon_formula_apply() for types of one sample; *plain is set where there is a value.
PMON_WIDE_STEP __m512d
single_values(enum pmon_formula formula, const struct eight *raws, __mmask8 *plain)
{
	const __m512d hundred = _mm512_set1_pd(100);
	__m512d n = _mm512_cvtepi64_pd(raws->first);

	*plain = usable(raws);
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
pair_values(enum pmon_formula formula, double ticks, const struct eight *older,
	    const struct eight *raws, __mmask8 *plain)
{
	const __m512d hundred = _mm512_set1_pd(100);
	__m512d f = _mm512_set1_pd(ticks);
	__m512d b = _mm512_cvtepi64_pd(_mm512_srli_epi64(raws->head, 32));
	__m512d n = _mm512_cvtepu64_pd(_mm512_sub_epi64(raws->first, older->first));
	__m512d d = _mm512_cvtepu64_pd(_mm512_sub_epi64(raws->second, older->second));
	__m512d x;

	*plain = usable(raws) & usable(older) & _mm512_cmpge_epi64_mask(raws->first, older->first);
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

// Values that are good, and the others by the plain way.
PMON_WIDE_STEP void
put_eight(const struct pmon_calc *calc, const struct pmon_raw *raws, __m512d value, __mmask8 plain,
	  struct pmon_value *out)
{
	const __m512i low = _mm512_set_epi64(15, 3, 14, 2, 13, 1, 12, 0);
	const __m512i high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
	__m512d ok = _mm512_setzero_pd(); // status and policy are 0

	_mm512_storeu_pd(out, _mm512_permutex2var_pd(value, low, ok));
	_mm512_storeu_pd(out + 4, _mm512_permutex2var_pd(value, high, ok));
	for (uint32_t odd = (uint8_t)~plain; odd != 0; odd &= odd - 1) {
		int lane = __builtin_ctz(odd);

		out[lane] = pmon_calc_value(calc, &raws[lane - 1], &raws[lane]);
	}
}

// From the second raw value on, as long as there are eight. Returns how many were taken.
PMON_WIDE_STEP size_t
values_of(enum pmon_formula formula, const struct pmon_calc *calc, const struct pmon_raw *raws,
	  size_t n, struct pmon_value *out)
{
	double ticks = (double)calc->counter.time_base;
	struct eight before = {
		.head = _mm512_set1_epi64(raws[0].status),
		.first = _mm512_set1_epi64(raws[0].first),
		.second = _mm512_set1_epi64(raws[0].second),
	};
	size_t i = 1;

	for (; i + LANES <= n; i += LANES) {
		struct eight newer = load_eight(raws + i);
		struct eight older = one_before(&before, &newer);
		__mmask8 plain;
		__m512d value = pmon_formula_is_single(formula)
					? single_values(formula, &newer, &plain)
					: pair_values(formula, ticks, &older, &newer, &plain);

		put_eight(calc, raws + i, value, plain, out + i);
		before = newer;
	}
	return i - 1;
}

PMON_WIDE static size_t
values_wide(const struct pmon_calc *calc, const struct pmon_raw *raws, size_t n,
	    struct pmon_value *out)
{
	switch (calc->type->formula) {
	case PMON_FORMULA_COUNT:
		return values_of(PMON_FORMULA_COUNT, calc, raws, n, out);
	case PMON_FORMULA_DOUBLE:
		return values_of(PMON_FORMULA_DOUBLE, calc, raws, n, out);
	case PMON_FORMULA_FRACTION:
		return values_of(PMON_FORMULA_FRACTION, calc, raws, n, out);
	case PMON_FORMULA_DELTA:
		return values_of(PMON_FORMULA_DELTA, calc, raws, n, out);
	case PMON_FORMULA_RATE:
		return values_of(PMON_FORMULA_RATE, calc, raws, n, out);
	case PMON_FORMULA_RATIO:
		return values_of(PMON_FORMULA_RATIO, calc, raws, n, out);
	case PMON_FORMULA_PERCENT:
		return values_of(PMON_FORMULA_PERCENT, calc, raws, n, out);
	case PMON_FORMULA_PERCENT_INV:
		return values_of(PMON_FORMULA_PERCENT_INV, calc, raws, n, out);
	case PMON_FORMULA_MULTI:
		return values_of(PMON_FORMULA_MULTI, calc, raws, n, out);
	case PMON_FORMULA_MULTI_INV:
		return values_of(PMON_FORMULA_MULTI_INV, calc, raws, n, out);
	case PMON_FORMULA_AVERAGE_TIME:
		return values_of(PMON_FORMULA_AVERAGE_TIME, calc, raws, n, out);
	default:
		return 0;
	}
}

#else

static size_t
values_wide(const struct pmon_calc *calc, const struct pmon_raw *raws, size_t n,
	    struct pmon_value *out)
{
	(void)calc;
	(void)raws;
	(void)n;
	(void)out;
	return 0;
}

#endif

// ---- Both -----------------------------------------------------------------------------------

void
pmon_calc_values(const struct pmon_calc *calc, const struct pmon_raw *older,
		 const struct pmon_raw *raws, size_t n, struct pmon_value *out)
{
	size_t done = 0;

	if (n == 0)
		return;
	values_plain(calc, older, raws, 1, out);
	if (n > LEAST && FLT_EVAL_METHOD == 0 && pmon_pair_formula(calc) != PMON_FORMULA_NONE &&
	    pmon_wide_is_there())
		done = values_wide(calc, raws, n, out);
	values_plain(calc, &raws[done], raws + done + 1, n - done - 1, out + done + 1);
}
