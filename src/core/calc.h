// calc.h - the steps of a calculation, shared by values, statistics and explanations
// SPDX-License-Identifier: MIT

#ifndef PMON_CORE_CALC_H
#define PMON_CORE_CALC_H

#include <string.h>

#include <pmon/counter.h>

#include "core/formula.h"

// The exact differences of a pair of raw values.
struct pmon_delta {
	uint64_t n;
	uint64_t d;
	bool good;    // neither went back
	bool wrapped; // n or d wrapped at 2^32
};

// Usable, and it continues the preceding raw value.
static inline bool
pmon_raw_plain(const struct pmon_raw *raw)
{
	return raw->status == PMON_RAW_VALID || raw->status == PMON_RAW_NEW;
}

static inline bool
pmon_raw_usable(const struct pmon_raw *raw)
{
	return pmon_raw_plain(raw) || raw->status == PMON_RAW_CHANGED ||
	       raw->status == PMON_RAW_STARTED || raw->status == PMON_RAW_STEPPED;
}

// The status of a raw value before pmon_identity_open() marked it.
static inline uint32_t
pmon_raw_unmarked(uint32_t status)
{
	return status == PMON_RAW_CHANGED || status == PMON_RAW_STEPPED ? PMON_RAW_VALID : status;
}

// Why no difference from the preceding raw value is computed, although both are usable; PMON_V_OK
// if it is.
static inline enum pmon_vstat
pmon_raw_break(const struct pmon_raw *raw)
{
	if (raw->status == PMON_RAW_CHANGED)
		return PMON_V_CHANGED;
	return raw->status == PMON_RAW_STEPPED ? PMON_V_STEPPED : PMON_V_OK;
}

// newer - older for raw values, if newer >= older; otherwise modulo 2^64. Always use this to
// subtract them.
static inline uint64_t
pmon_raw_difference(int64_t newer, int64_t older)
{
	return (uint64_t)newer - (uint64_t)older;
}

// The first raw value of PERF_DOUBLE_RAW: the bits of an IEEE double.
static inline double
pmon_raw_double(const struct pmon_raw *raw)
{
	double value;

	memcpy(&value, &raw->first, sizeof(value));
	return value;
}

// Does the formula need one sample, or differences of two?
static inline bool
pmon_formula_is_single(enum pmon_formula formula)
{
	return formula <= PMON_FORMULA_ELAPSED;
}

// Does the formula divide by a difference, or by ticks per second?
static inline bool
pmon_formula_divides(enum pmon_formula formula)
{
	return formula != PMON_FORMULA_DELTA && !pmon_formula_is_single(formula);
}

static inline bool
pmon_formula_needs_time_base(enum pmon_formula formula)
{
	return formula == PMON_FORMULA_RATE || formula == PMON_FORMULA_AVERAGE_TIME ||
	       formula == PMON_FORMULA_ELAPSED;
}

// Does the counter lack the ticks a second that its formula needs?
static inline bool
pmon_calc_has_bad_time_base(const struct pmon_calc *calc)
{
	return pmon_formula_needs_time_base(calc->type->formula) && calc->counter.time_base <= 0;
}

static inline bool
pmon_formula_is_multi(enum pmon_formula formula)
{
	return formula == PMON_FORMULA_MULTI || formula == PMON_FORMULA_MULTI_INV;
}

// Can anything be computed for the counter? PMON_V_OK, or why not.
static inline enum pmon_vstat
pmon_calc_check(const struct pmon_calc *calc)
{
	if (calc->type == NULL)
		return PMON_V_UNKNOWN_TYPE;
	if (calc->type->formula == PMON_FORMULA_NONE)
		return PMON_V_NOT_DISPLAYED;
	return PMON_V_OK;
}

// The value of two usable raw values, for types that need two samples, and their differences, which
// may be good even if the value is not. record may be NULL.
struct pmon_value pmon_calc_pair(const struct pmon_calc *calc, const struct pmon_raw *older,
				 const struct pmon_raw *newer, struct pmon_delta *delta,
				 struct pmon_explanation *record);

// The value of a usable raw value, for types of one sample. record may be NULL.
struct pmon_value pmon_calc_one(const struct pmon_calc *calc, const struct pmon_raw *raw,
				struct pmon_explanation *record);

// Apply the formula to the operands, then handle zero denominators, results below zero, cap, scale,
// and times 1000. wrapped sets the status of a good result.
struct pmon_value pmon_calc_finish(const struct pmon_calc *calc, const struct pmon_operands *o,
				   bool wrapped, struct pmon_explanation *record);

// Apply PDH's formatting options to a finished number.
struct pmon_value pmon_calc_format(const struct pmon_calc *calc, double value, bool wrapped,
				   struct pmon_explanation *record);

// Record the subtractions. Defined in explain.c.
void pmon_explain_delta(struct pmon_explanation *record, const struct pmon_calc *calc,
			const struct pmon_raw *older, const struct pmon_raw *newer,
			const struct pmon_delta *delta);
void pmon_explain_elapsed(struct pmon_explanation *record, const struct pmon_raw *raw,
			  uint64_t elapsed);

// pmon_stats_average() that records its steps in record (may be NULL). Defined in stats.c.
struct pmon_value pmon_stats_average_recorded(const struct pmon_stats *stats,
					      struct pmon_explanation *record);

// The number of one sample that has a value, before cap and scale, which are for display: of doubles and
// fractions. A fraction of nothing is 0.
static inline double
pmon_raw_number(const struct pmon_calc *calc, const struct pmon_raw *raw)
{
	struct pmon_operands o = {.n = (double)raw->first, .d = (double)raw->second};

	if (calc->type->formula == PMON_FORMULA_DOUBLE)
		o.n = pmon_raw_double(raw);
	else if (raw->second == 0)
		return 0;
	return pmon_formula_apply(calc->type->formula, &o, NULL);
}

// A value of 0 with a status: for base_zero and the statuses without a number.
static inline struct pmon_value
pmon_status_only(enum pmon_vstat status)
{
	return (struct pmon_value){.status = status};
}

#endif
