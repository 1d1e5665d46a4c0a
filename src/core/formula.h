// formula.h - the formulas of the counter types
// SPDX-License-Identifier: MIT
//
// Values, averages and explanations all come from pmon_formula_apply(): an explanation is the same
// calculation with a recorder attached. The order of operations is part of the contract: it
// reproduces Windows' printed digits (100 * (1 - dN / dD), not 100 * (dD - dN) / dD).

#ifndef PMON_CORE_FORMULA_H
#define PMON_CORE_FORMULA_H

#include <pmon/counter.h>

// The operands of a formula, after all integer subtractions.
struct pmon_operands {
	double n; // dN, or N for single-sample types
	double d; // dD or dB, or D or B for single-sample types
	double f; // F
	double b; // number of units
};

// Record one step of arithmetic, a op b = result. Defined in explain.c.
void pmon_explain_step(struct pmon_explanation *record, const char *name, double a, char op,
		       double b, double result);

// pmon_formula_apply() with a recorder, out of line. Defined in explain.c.
double pmon_explain_formula(enum pmon_formula formula, const struct pmon_operands *o,
			    struct pmon_explanation *record);

static inline double
pmon_step_div(struct pmon_explanation *record, const char *name, double a, double b)
{
	double result = a / b;

	if (record != NULL)
		pmon_explain_step(record, name, a, '/', b, result);
	return result;
}

static inline double
pmon_step_mul(struct pmon_explanation *record, const char *name, double a, double b)
{
	double result = a * b;

	if (record != NULL)
		pmon_explain_step(record, name, a, '*', b, result);
	return result;
}

static inline double
pmon_step_sub(struct pmon_explanation *record, const char *name, double a, double b)
{
	double result = a - b;

	if (record != NULL)
		pmon_explain_step(record, name, a, '-', b, result);
	return result;
}

// Compute a formula. The caller has checked that denominators are not 0. record may be NULL.
static inline double
pmon_formula_apply(enum pmon_formula formula, const struct pmon_operands *o,
		   struct pmon_explanation *record)
{
	double x;

	switch (formula) {
	case PMON_FORMULA_NONE:
		return 0;
	case PMON_FORMULA_COUNT:
	case PMON_FORMULA_DOUBLE:
	case PMON_FORMULA_DELTA:
		return o->n;
	case PMON_FORMULA_FRACTION:
		x = pmon_step_div(record, "N1 / B1", o->n, o->d);
		return pmon_step_mul(record, "100 * (N1 / B1)", 100, x);
	case PMON_FORMULA_ELAPSED:
		return pmon_step_div(record, "(D1 - N1) / F", o->n, o->f);
	case PMON_FORMULA_RATE:
		x = pmon_step_div(record, "dD / F", o->d, o->f);
		return pmon_step_div(record, "dN / (dD / F)", o->n, x);
	case PMON_FORMULA_RATIO:
		return pmon_step_div(record, "dN / dD", o->n, o->d);
	case PMON_FORMULA_PERCENT:
		x = pmon_step_div(record, "dN / dD", o->n, o->d);
		return pmon_step_mul(record, "100 * (dN / dD)", 100, x);
	case PMON_FORMULA_PERCENT_INV:
		x = pmon_step_div(record, "dN / dD", o->n, o->d);
		x = pmon_step_sub(record, "1 - dN / dD", 1, x);
		return pmon_step_mul(record, "100 * (1 - dN / dD)", 100, x);
	case PMON_FORMULA_MULTI:
		x = pmon_step_div(record, "dN / dD", o->n, o->d);
		x = pmon_step_mul(record, "100 * (dN / dD)", 100, x);
		return pmon_step_div(record, "100 * (dN / dD) / B", x, o->b);
	case PMON_FORMULA_MULTI_INV:
		x = pmon_step_div(record, "dN / dD", o->n, o->d);
		x = pmon_step_sub(record, "B - dN / dD", o->b, x);
		return pmon_step_mul(record, "100 * (B - dN / dD)", 100, x);
	case PMON_FORMULA_AVERAGE_TIME:
		x = pmon_step_div(record, "dN / F", o->n, o->f);
		return pmon_step_div(record, "(dN / F) / dB", x, o->d);
	}
	return 0;
}

#endif
