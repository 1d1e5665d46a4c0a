// pair.c - the displayed value of the next raw value of a series, in the usual case
// SPDX-License-Identifier: MIT

#include "core/pair.h"

// The formula for a counter's plain values. PMON_FORMULA_NONE if none are plain: the counter cannot
// be computed, its values are changed for display, or its average is its newest value.
static enum pmon_formula
formula_of(const struct pmon_calc *calc)
{
	const struct pmon_calc_options *options = &calc->options;
	enum pmon_formula formula;

	if (pmon_calc_check(calc) != PMON_V_OK || options->cap_100 || options->default_scale ||
	    options->times_1000)
		return PMON_FORMULA_NONE;
	formula = calc->type->formula;
	if (formula == PMON_FORMULA_ELAPSED || pmon_calc_has_bad_time_base(calc))
		return PMON_FORMULA_NONE;
	return formula;
}

void
pmon_pair_begin(struct pmon_pair *pair, const struct pmon_calc *calc, const struct pmon_raw *tail)
{
	*pair = (struct pmon_pair){.formula = PMON_FORMULA_NONE};
	if (tail == NULL)
		return;
	pair->tail = *tail;
	pair->formula = (uint8_t)formula_of(calc);
	if (pair->formula == PMON_FORMULA_NONE)
		return;
	pair->zero = calc->type->second == PMON_SECOND_BASE ? PMON_V_BASE_ZERO : PMON_V_NO_DATA;
	if (pair->formula != PMON_FORMULA_COUNT)
		pair->ticks = (double)calc->counter.time_base;
}
