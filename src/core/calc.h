// calc.h - the steps of a calculation that values, statistics and explanations share
// SPDX-License-Identifier: MIT

#ifndef PMON_CORE_CALC_H
#define PMON_CORE_CALC_H

#include <string.h>

#include <pmon/counter.h>

#include "core/formula.h"

// The differences of a pair of raw values, exact.
struct pmon_delta {
	uint64_t n;
	uint64_t d;
	bool good;    // neither went back
	bool wrapped; // n or d was counted through 2^32
};

// Usable, and a continuation of the raw value before it.
static inline bool
pmon_raw_plain(const struct pmon_raw *raw)
{
	return raw->status == PMON_RAW_VALID || raw->status == PMON_RAW_NEW;
}

static inline bool
pmon_raw_usable(const struct pmon_raw *raw)
{
	return pmon_raw_plain(raw) || raw->status == PMON_RAW_CHANGED ||
	       raw->status == PMON_RAW_STARTED;
}

// newer - older of raw values, where newer is not below older; else modulo 2^64. Nothing else subtracts them.
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

// Does the formula take one sample, or the differences of two?
static inline bool
pmon_formula_is_single(enum pmon_formula formula)
{
	return formula <= PMON_FORMULA_ELAPSED;
}

// Does the formula divide by a difference at all, and by the ticks of a second?
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

static inline bool
pmon_formula_is_multi(enum pmon_formula formula)
{
	return formula == PMON_FORMULA_MULTI || formula == PMON_FORMULA_MULTI_INV;
}

// Can anything be computed for the counter at all? PMON_V_OK, or why not.
static inline enum pmon_vstat
pmon_calc_check(const struct pmon_calc *calc)
{
	if (calc->type == NULL)
		return PMON_V_UNKNOWN_TYPE;
	if (calc->type->formula == PMON_FORMULA_NONE)
		return PMON_V_NOT_DISPLAYED;
	return PMON_V_OK;
}

// The value of two usable raw values, for types of two samples, and their differences: those may be
// good when the value is not. record may be NULL.
struct pmon_value pmon_calc_pair(const struct pmon_calc *calc, const struct pmon_raw *older,
				 const struct pmon_raw *newer, struct pmon_delta *delta,
				 struct pmon_explanation *record);

// The value of a usable raw value, for types of one sample. record may be NULL.
struct pmon_value pmon_calc_one(const struct pmon_calc *calc, const struct pmon_raw *raw,
				struct pmon_explanation *record);

// The formula over operands with everything that comes after it: zero denominators, results below
// zero, cap, scale, times 1000. wrapped sets the status of a good result.
struct pmon_value pmon_calc_finish(const struct pmon_calc *calc, const struct pmon_operands *o,
				   bool wrapped, struct pmon_explanation *record);

// PDH's formatting options on a number that is done otherwise.
struct pmon_value pmon_calc_format(const struct pmon_calc *calc, double value, bool wrapped,
				   struct pmon_explanation *record);

// Notes the subtractions. explain.c
void pmon_explain_delta(struct pmon_explanation *record, const struct pmon_calc *calc,
			const struct pmon_raw *older, const struct pmon_raw *newer,
			const struct pmon_delta *delta);
void pmon_explain_elapsed(struct pmon_explanation *record, const struct pmon_raw *raw,
			  uint64_t elapsed);

// The average of pmon_stats_average(), its steps noted in record (may be NULL). stats.c
struct pmon_value pmon_stats_average_recorded(const struct pmon_stats *stats,
					      struct pmon_explanation *record);

// A value of 0 with a status: for the statuses without a number, and for base_zero.
static inline struct pmon_value
pmon_status_only(enum pmon_vstat status)
{
	return (struct pmon_value){.status = status};
}

#endif
