// run.h - the statistics of a series while nothing odd happens to it
// SPDX-License-Identifier: MIT
//
// In nearly every sample a raw value is usable, follows on the one before, and neither of its numbers
// went back. Over such a run the statistics follow from little: sums of differences are the
// differences of its ends. A run keeps that little in few cache lines beside those of its neighbours,
// and hands it to struct pmon_stats when it ends. What it does not take goes the plain way, through
// pmon_stats_add(); the results are the same to the last bit.
//
//	if (!pmon_run_add(&run, &stats, raw)) {
//		pmon_run_end(&run, &stats);
//		pmon_stats_add(&stats, raw);
//		pmon_run_begin(&run, &stats);
//	}

#ifndef PMON_CORE_RUN_H
#define PMON_CORE_RUN_H

#include <math.h>

#include "core/calc.h"
#include "core/sum.h"

// What has come since the run began; that was behind stats->tail.
struct pmon_run {
	struct pmon_raw tail;   // the newest raw value
	struct pmon_value last; // ... and its displayed value
	double minimum;         // of all values, those before the run too
	double maximum;
	union {
		double ticks; // a second
		int64_t sum;  // PMON_FORMULA_COUNT: of what is not in the statistics yet
	};
	uint32_t n;             // values since the run began,
	uint32_t n_zero;        // ... and how many of them had a denominator of 0
	uint8_t formula;        // PMON_FORMULA_NONE: no run, everything goes the plain way
	uint8_t zero;           // status where the denominator is 0
	uint8_t minimum_status; // PMON_V_COUNT where the smallest stood before the run
	uint8_t maximum_status;
	// What is rarely needed comes last.
	pmon_time minimum_time;
	pmon_time maximum_time;
};

// Begin behind everything that the statistics have.
void pmon_run_begin(struct pmon_run *run, const struct pmon_stats *stats);

// Hand over what has come since.
void pmon_run_end(struct pmon_run *run, struct pmon_stats *stats);

// Takes note of run->last as a new minimum or maximum.
void pmon_run_extreme(struct pmon_run *run);

// A count for the sum: kept in the run as long as that holds it.
static inline void
pmon_run_count(struct pmon_run *run, struct pmon_stats *stats, int64_t n)
{
	if (n >= 0 ? run->sum > INT64_MAX - n : run->sum < INT64_MIN - n) {
		pmon_sum_add_i64(&stats->numerator, run->sum);
		run->sum = 0;
	}
	run->sum += n;
}

// The number of a raw value for types of one sample, added to the sum. False when it is not plain.
static inline bool
pmon_run_one(struct pmon_run *run, struct pmon_stats *stats, const struct pmon_raw *raw,
	     double *out)
{
	struct pmon_operands o = {.n = (double)raw->first, .d = (double)raw->second};

	switch (run->formula) {
	case PMON_FORMULA_COUNT:
		*out = o.n;
		pmon_run_count(run, stats, raw->first);
		return true;
	case PMON_FORMULA_DOUBLE:
		*out = pmon_raw_double(raw);
		break;
	default:
		if (raw->second <= 0)
			return false;
		*out = pmon_formula_apply(PMON_FORMULA_FRACTION, &o, NULL);
	}
	if (!(fabs(*out) < PMON_SUM_BOUND))
		return false;
	pmon_sum_add_double(&stats->numerator, *out);
	return true;
}

// The value of the pair with the one before, for types of two samples; *status tells of a denominator
// of 0. False when it is not plain.
static inline bool
pmon_run_pair(const struct pmon_run *run, const struct pmon_raw *raw, double *out,
	      enum pmon_vstat *status)
{
	enum pmon_formula formula = (enum pmon_formula)run->formula;
	struct pmon_operands o = {.f = run->ticks, .b = (double)raw->multi};

	if (raw->first < run->tail.first)
		return false;
	o.n = (double)((uint64_t)raw->first - (uint64_t)run->tail.first);
	if (formula != PMON_FORMULA_DELTA) {
		if (raw->second < run->tail.second)
			return false;
		if (raw->second == run->tail.second) {
			*status = (enum pmon_vstat)run->zero;
			*out = 0;
			return true;
		}
		o.d = (double)((uint64_t)raw->second - (uint64_t)run->tail.second);
	}
	if (pmon_formula_is_multi(formula) && raw->multi == 0)
		return false;
	// Operands are integers below 2^64, so that the result is finite.
	*out = pmon_formula_apply(formula, &o, NULL);
	return !(*out < 0);
}

// Add the next raw value of the series, if it is plain; its value is then run->last. Else false, and
// nothing has changed.
static inline bool
pmon_run_add(struct pmon_run *run, struct pmon_stats *stats, const struct pmon_raw *raw)
{
	enum pmon_vstat status = PMON_V_OK;
	double value;

	if (run->formula == PMON_FORMULA_NONE || !pmon_raw_usable(raw) ||
	    raw->time == PMON_TIME_NONE || run->n == UINT32_MAX)
		return false;
	if (pmon_formula_is_single((enum pmon_formula)run->formula)
		    ? !pmon_run_one(run, stats, raw, &value)
		    : !pmon_run_pair(run, raw, &value, &status))
		return false;
	run->n++;
	run->n_zero += status != PMON_V_OK;
	run->tail = *raw;
	run->last.value = value;
	run->last.status = status;
	if (value < run->minimum || value > run->maximum)
		pmon_run_extreme(run);
	return true;
}

#endif
