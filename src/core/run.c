// run.c - the statistics of a series, in the usual case
// SPDX-License-Identifier: MIT

#include "core/run.h"

#include "base/round.h"

void
pmon_run_begin(struct pmon_run *run, const struct pmon_stats *stats)
{
	bool is_open =
		stats->has_tail && stats->tail_open && stats->first_raw_time != PMON_TIME_NONE;

	*run = (struct pmon_run){.minimum = INFINITY,
				 .maximum = -INFINITY,
				 .minimum_status = PMON_V_COUNT,
				 .maximum_status = PMON_V_COUNT};
	pmon_pair_begin(&run->pair, &stats->calc, is_open ? &stats->tail : NULL);
	if (pmon_vstat_has_value(stats->minimum.status))
		run->minimum = stats->minimum.value;
	if (pmon_vstat_has_value(stats->maximum.status))
		run->maximum = stats->maximum.value;
}

static void
hand_over_sums(struct pmon_run *run, struct pmon_stats *stats)
{
	enum pmon_formula formula = (enum pmon_formula)run->pair.formula;

	if (formula == PMON_FORMULA_COUNT) {
		pmon_sum_add_i64(&stats->numerator, run->pair.sum);
		run->pair.sum = 0;
	}
	if (pmon_formula_is_single(formula))
		return;
	// No difference in the run is negative, so these are their sums.
	pmon_sum_add_u64(&stats->numerator,
			 pmon_raw_difference(run->pair.tail.first, stats->tail.first));
	if (formula != PMON_FORMULA_DELTA)
		pmon_sum_add_u64(&stats->denominator,
				 pmon_raw_difference(run->pair.tail.second, stats->tail.second));
}

static void
hand_over_extremes(struct pmon_run *run, struct pmon_stats *stats)
{
	if (run->minimum_status != PMON_V_COUNT) {
		stats->minimum = (struct pmon_value){
			.value = run->minimum, .status = (enum pmon_vstat)run->minimum_status};
		stats->minimum_time = run->minimum_time;
	}
	if (run->maximum_status != PMON_V_COUNT) {
		stats->maximum = (struct pmon_value){
			.value = run->maximum, .status = (enum pmon_vstat)run->maximum_status};
		stats->maximum_time = run->maximum_time;
	}
	run->minimum_status = PMON_V_COUNT;
	run->maximum_status = PMON_V_COUNT;
}

void
pmon_run_end(struct pmon_run *run, struct pmon_stats *stats)
{
	if (run->n == 0)
		return;
	stats->count[PMON_V_OK] += run->n - run->n_zero;
	stats->count[run->pair.zero] += run->n_zero;
	stats->pairs += run->n;
	hand_over_sums(run, stats);
	hand_over_extremes(run, stats);
	stats->tail = run->pair.tail;
	stats->last = pmon_run_last(run);
	stats->last_raw_time = run->pair.tail.time;
	run->n = 0;
	run->n_zero = 0;
}

void
pmon_run_extreme(struct pmon_run *run)
{
	struct pmon_value value = pmon_run_last(run);

	if (!pmon_vstat_has_value(value.status))
		return;
	if (value.value < run->minimum) {
		run->minimum = value.value;
		run->minimum_status = (uint8_t)value.status;
		run->minimum_time = run->pair.tail.time;
	}
	if (value.value > run->maximum) {
		run->maximum = value.value;
		run->maximum_status = (uint8_t)value.status;
		run->maximum_time = run->pair.tail.time;
	}
}

// ---- Several numbers at a time --------------------------------------------------------------
//
// If all numbers are below a power of two B, a sum that begins at 1.5 * 2^6 B stays between 2^6 B
// and 2^7 B for 31 of them, so its last bit always stands for 2^-46 B, and the rounding error of
// each addition is at most 2^-47 B. A sum of those errors that begins at 1.5 * 2^-41 B has its last
// bit at 2^-93 B. Both are exact; the first number with a remaining error ends them. (The method:
// Demmel and Nguyen, Fast Reproducible Floating-Point Summation, 2013.)

#define HIGH_BEGINS (1.5 * 0x1p6)
#define LOW_BEGINS  (1.5 * 0x1p-41)

// Sums of numbers up to this are far below PMON_SUM_BOUND.
#define LIMIT 0x1p69

// A power of two above a number, at least 1: the sums have no room for what the exact sum cuts off
// from single numbers (2^-PMON_SUM_FRACTION).
static double
power_above(double number)
{
	uint64_t bits;

	if (number < 1)
		return 1;
	memcpy(&bits, &number, sizeof(bits));
	bits = ((bits >> 52) + 1) << 52;
	memcpy(&number, &bits, sizeof(bits));
	return number;
}

static void
note_last(struct pmon_run *run, double number, pmon_time time)
{
	run->last = number;
	run->last_status = PMON_V_OK;
	run->pair.tail = (struct pmon_raw){.time = time};
	memcpy(&run->pair.tail.first, &number, sizeof(number));
}

size_t
pmon_run_add_doubles(struct pmon_run *run, struct pmon_stats *stats, const double *numbers,
		     size_t stride, const pmon_time *times, size_t n)
{
	double largest = -run->minimum > run->maximum ? -run->minimum : run->maximum;
	double bound = power_above(largest);
	double high = HIGH_BEGINS * bound;
	double low = LOW_BEGINS * bound;
	size_t k;

	if (run->pair.formula != PMON_FORMULA_DOUBLE || !(largest < LIMIT) || !PMON_ROUNDS_ONCE ||
	    n > UINT32_MAX - run->n)
		return 0;
	for (k = 0; k < n; k++) {
		double number = numbers[k * stride];
		double next_high = high + number;
		double rest = number - (next_high - high);
		double next_low = low + rest;

		if (!(number >= run->minimum && number <= run->maximum && rest == next_low - low))
			break;
		high = next_high;
		low = next_low;
	}
	if (k == 0)
		return 0;
	// Subtract the start of low from high, which is exact too, so that the sign of low is
	// known.
	pmon_sum_add_double(&stats->numerator, high - (HIGH_BEGINS + LOW_BEGINS) * bound);
	pmon_sum_add_double(&stats->numerator, low);
	run->n += (uint32_t)k;
	note_last(run, numbers[(k - 1) * stride], times[k - 1]);
	return k;
}
