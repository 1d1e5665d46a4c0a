// values.c - the displayed values of many raw values in a row
// SPDX-License-Identifier: MIT

#include <float.h>

#include "base/wide.h"
#include "core/eight.h"
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

#define LANES PMON_EIGHT

// Those one before: the last of `before`, and all but the last of `raws`.
PMON_WIDE_STEP struct pmon_eight
one_before(const struct pmon_eight *before, const struct pmon_eight *raws)
{
	return (struct pmon_eight){
		.head = _mm512_alignr_epi64(raws->head, before->head, LANES - 1),
		.first = _mm512_alignr_epi64(raws->first, before->first, LANES - 1),
		.second = _mm512_alignr_epi64(raws->second, before->second, LANES - 1),
	};
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
	struct pmon_eight before = {
		.head = _mm512_set1_epi64(raws[0].status),
		.first = _mm512_set1_epi64(raws[0].first),
		.second = _mm512_set1_epi64(raws[0].second),
	};
	size_t i = 1;

	for (; i + LANES <= n; i += LANES) {
		struct pmon_eight newer = pmon_eight_load(raws + i);
		struct pmon_eight older = one_before(&before, &newer);
		__mmask8 plain;
		__m512d value = pmon_formula_is_single(formula)
					? pmon_eight_single(formula, &newer, &plain)
					: pmon_eight_pair(formula, ticks, &older, &newer, &plain);

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
