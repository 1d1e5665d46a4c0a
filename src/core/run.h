// run.h - the statistics of a series, in the usual case
// SPDX-License-Identifier: MIT
//
// Nearly all raw values are plain (pair.h). The statistics of a run of them need little data: sums
// of differences are the differences of its ends. A run keeps that data in few cache lines, next to
// those of neighbouring series, and adds it to struct pmon_stats when it ends. The caller adds raw
// values that a run rejects with pmon_stats_add(); the results are the same to the last bit.
//
//	if (!pmon_run_add(&run, &stats, raw)) {
//		pmon_run_end(&run, &stats);
//		pmon_stats_add(&stats, raw);
//		pmon_run_begin(&run, &stats);
//	}

#ifndef PMON_CORE_RUN_H
#define PMON_CORE_RUN_H

#include "base/step.h"
#include "core/pair.h"

// What was added since the run began, which was after stats->tail.
struct pmon_run {
	struct pmon_pair pair; // the newest raw value, and a sum that is not in the statistics yet
	double last;           // ... and its displayed value
	double minimum;        // of all values, including those before the run
	double maximum;
	uint32_t n;      // values since the run began,
	uint32_t n_zero; // ... and how many of them had a denominator of 0
	uint8_t last_status;
	uint8_t minimum_status; // PMON_V_COUNT if the minimum is from before the run
	uint8_t maximum_status;
	// Rarely used fields come last.
	pmon_time minimum_time;
	pmon_time maximum_time;
};

static inline struct pmon_value
pmon_run_last(const struct pmon_run *run)
{
	return (struct pmon_value){.value = run->last, .status = (enum pmon_vstat)run->last_status};
}

// Begin a run after all raw values that are in the statistics.
void pmon_run_begin(struct pmon_run *run, const struct pmon_stats *stats);

void pmon_run_end(struct pmon_run *run, struct pmon_stats *stats);

// Record the newest value as a new minimum or maximum.
void pmon_run_extreme(struct pmon_run *run);

// Add a count to the sum: in the run, as long as it fits.
static inline void
pmon_run_count(struct pmon_run *run, struct pmon_stats *stats, int64_t n)
{
	int64_t *sum = &run->pair.sum;

	if (n >= 0 ? *sum > INT64_MAX - n : *sum < INT64_MIN - n) {
		pmon_sum_add_i64(&stats->numerator, *sum);
		*sum = 0;
	}
	*sum += n;
}

// Add the next raw value of the series, if it is plain; its value is then the last one. Otherwise
// returns false and changes nothing.
STEP bool
pmon_run_add(struct pmon_run *run, struct pmon_stats *stats, const struct pmon_raw *raw)
{
	enum pmon_formula formula = (enum pmon_formula)run->pair.formula;
	enum pmon_vstat status;
	double value;

	if (raw->time == PMON_TIME_NONE || run->n == UINT32_MAX ||
	    !pmon_pair_value(&run->pair, raw, &value, &status))
		return false;
	if (formula == PMON_FORMULA_COUNT)
		pmon_run_count(run, stats, raw->first);
	else if (formula == PMON_FORMULA_FRACTION)
		pmon_sum_add_fraction(stats, raw, value);
	else if (pmon_formula_is_single(formula))
		pmon_sum_add_double(&stats->numerator, value);
	run->n++;
	run->n_zero += status != PMON_V_OK;
	run->pair.tail = *raw;
	run->last = value;
	run->last_status = (uint8_t)status;
	if (value < run->minimum || value > run->maximum)
		pmon_run_extreme(run);
	return true;
}

// Most numbers per call.
#define PMON_RUN_DOUBLES 31

// Add the next n numbers of PERF_DOUBLE_RAW, each with its time and `stride` after the one before,
// up to the first that is not plain or is a new minimum or maximum, which is left to
// pmon_run_add(). Returns how many were added.
size_t pmon_run_add_doubles(struct pmon_run *run, struct pmon_stats *stats, const double *numbers,
			    size_t stride, const pmon_time *times, size_t n);

#endif
