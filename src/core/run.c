// run.c - the statistics of a series while nothing odd happens to it
// SPDX-License-Identifier: MIT

#include "core/run.h"

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
	// No difference in the run is negative, so that these are their sums.
	pmon_sum_add_u64(&stats->numerator,
			 (uint64_t)run->pair.tail.first - (uint64_t)stats->tail.first);
	if (formula != PMON_FORMULA_DELTA)
		pmon_sum_add_u64(&stats->denominator,
				 (uint64_t)run->pair.tail.second - (uint64_t)stats->tail.second);
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
