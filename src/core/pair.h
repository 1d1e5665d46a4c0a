// pair.h - the displayed value of the next raw value of a series, in the usual case
// SPDX-License-Identifier: MIT
//
// In nearly every sample a raw value is usable, continues the preceding one, and neither of its
// numbers went back. Then the value is just its formula and depends on little data, which is kept
// together here. It equals the result of pmon_calc_value() to the last bit; all other values are
// left to that function.

#ifndef PMON_CORE_PAIR_H
#define PMON_CORE_PAIR_H

#include <math.h>

#include "base/step.h"
#include "core/calc.h"
#include "core/sum.h"

struct pmon_pair {
	struct pmon_raw tail; // the newest raw value, to pair with the next one
	union {
		double ticks; // per second
		int64_t sum;  // instead of ticks, for PMON_FORMULA_COUNT: a sum for callers (run.h)
	};
	uint8_t formula; // PMON_FORMULA_NONE: no value is plain
	uint8_t zero;    // status if the denominator is 0
};

// Begin after a usable raw value; NULL if there is none to pair with.
void pmon_pair_begin(struct pmon_pair *pair, const struct pmon_calc *calc,
		     const struct pmon_raw *tail);

// The number of a raw value, for single-sample types. False if it is not plain.
STEP bool
pmon_pair_one(enum pmon_formula formula, const struct pmon_raw *raw, double *out)
{
	struct pmon_operands o = {.n = (double)raw->first, .d = (double)raw->second};

	switch (formula) {
	case PMON_FORMULA_COUNT:
		*out = o.n;
		return true;
	case PMON_FORMULA_DOUBLE:
		*out = pmon_raw_double(raw);
		return fabs(*out) < PMON_SUM_BOUND;
	default:
		if (raw->second <= 0)
			return false;
		*out = pmon_formula_apply(PMON_FORMULA_FRACTION, &o, NULL);
		return true;
	}
}

// The value of the pair with the preceding raw value, for types that need two samples; *status
// reports a denominator of 0. False if the value is not plain.
STEP bool
pmon_pair_two(const struct pmon_pair *pair, const struct pmon_raw *raw, double *out,
	      enum pmon_vstat *status)
{
	enum pmon_formula formula = (enum pmon_formula)pair->formula;
	struct pmon_operands o = {.f = pair->ticks, .b = (double)raw->multi};

	if (raw->first < pair->tail.first)
		return false;
	o.n = (double)pmon_raw_difference(raw->first, pair->tail.first);
	if (formula != PMON_FORMULA_DELTA) {
		if (raw->second < pair->tail.second)
			return false;
		if (raw->second == pair->tail.second) {
			*status = (enum pmon_vstat)pair->zero;
			*out = 0;
			return true;
		}
		o.d = (double)pmon_raw_difference(raw->second, pair->tail.second);
	}
	if (pmon_formula_is_multi(formula) && raw->multi == 0)
		return false;
	// Operands are integers below 2^64, so the result is finite.
	*out = pmon_formula_apply(formula, &o, NULL);
	return !(*out < 0);
}

// The value of the next raw value, if it is plain, with its status: PMON_V_OK, or pair->zero.
STEP bool
pmon_pair_value(const struct pmon_pair *pair, const struct pmon_raw *raw, double *out,
		enum pmon_vstat *status)
{
	enum pmon_formula formula = (enum pmon_formula)pair->formula;

	*status = PMON_V_OK;
	if (formula == PMON_FORMULA_NONE || !pmon_raw_plain(raw))
		return false;
	return pmon_formula_is_single(formula) ? pmon_pair_one(formula, raw, out)
					       : pmon_pair_two(pair, raw, out, status);
}

#endif
