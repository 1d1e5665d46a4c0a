// run.c - the statistics of a series while nothing odd happens to it
// SPDX-License-Identifier: MIT

#include "core/run.h"

// The formula of the runs of a counter, or PMON_FORMULA_NONE when it goes the plain way: it cannot be
// computed, its values are changed for display, or it is one whose average is its newest value.
static enum pmon_formula
formula_of(const struct pmon_calc *calc)
{
	const struct pmon_calc_options *options = &calc->options;
	enum pmon_formula formula;

	if (pmon_calc_check(calc) != PMON_V_OK || options->cap_100 || options->default_scale ||
	    options->times_1000)
		return PMON_FORMULA_NONE;
	formula = calc->type->formula;
	if (formula == PMON_FORMULA_ELAPSED ||
	    (pmon_formula_needs_time_base(formula) && calc->counter.time_base <= 0))
		return PMON_FORMULA_NONE;
	return formula;
}

void
pmon_run_begin(struct pmon_run *run, const struct pmon_stats *stats)
{
	const struct pmon_calc *calc = &stats->calc;

	*run = (struct pmon_run){.formula = PMON_FORMULA_NONE,
				 .minimum_status = PMON_V_COUNT,
				 .maximum_status = PMON_V_COUNT};
	if (!stats->has_tail || !stats->tail_open || stats->first_raw_time == PMON_TIME_NONE)
		return;
	run->formula = (uint8_t)formula_of(calc);
	if (run->formula == PMON_FORMULA_NONE)
		return;
	run->zero = calc->type->second == PMON_SECOND_BASE ? PMON_V_BASE_ZERO : PMON_V_NO_DATA;
	if (run->formula != PMON_FORMULA_COUNT)
		run->ticks = (double)calc->counter.time_base;
	run->tail = stats->tail;
	run->minimum = INFINITY;
	run->maximum = -INFINITY;
	if (pmon_vstat_has_value(stats->minimum.status))
		run->minimum = stats->minimum.value;
	if (pmon_vstat_has_value(stats->maximum.status))
		run->maximum = stats->maximum.value;
}

static void
hand_over_sums(struct pmon_run *run, struct pmon_stats *stats)
{
	enum pmon_formula formula = (enum pmon_formula)run->formula;

	if (formula == PMON_FORMULA_COUNT) {
		pmon_sum_add_i64(&stats->numerator, run->sum);
		run->sum = 0;
	}
	if (pmon_formula_is_single(formula))
		return;
	// No difference in the run is negative, so that these are their sums.
	pmon_sum_add_u64(&stats->numerator,
			 (uint64_t)run->tail.first - (uint64_t)stats->tail.first);
	if (formula != PMON_FORMULA_DELTA)
		pmon_sum_add_u64(&stats->denominator,
				 (uint64_t)run->tail.second - (uint64_t)stats->tail.second);
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
	stats->count[run->zero] += run->n_zero;
	stats->pairs += run->n;
	hand_over_sums(run, stats);
	hand_over_extremes(run, stats);
	stats->tail = run->tail;
	stats->last = run->last;
	stats->last_raw_time = run->tail.time;
	run->n = 0;
	run->n_zero = 0;
}

void
pmon_run_extreme(struct pmon_run *run)
{
	const struct pmon_value *value = &run->last;

	if (!pmon_vstat_has_value(value->status))
		return;
	if (value->value < run->minimum) {
		run->minimum = value->value;
		run->minimum_status = (uint8_t)value->status;
		run->minimum_time = run->tail.time;
	}
	if (value->value > run->maximum) {
		run->maximum = value->value;
		run->maximum_status = (uint8_t)value->status;
		run->maximum_time = run->tail.time;
	}
}
