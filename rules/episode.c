// episode.c - runs of intervals in which a series was beyond a limit
// SPDX-License-Identifier: MIT

#include "rules/episode.h"

#include <math.h>

#include "core/sum.h"

void
rules_run_begin(struct rules_run *run, const struct pmon_calc *calc, const struct pmon_raw *before,
		const struct rules_moment *from)
{
	run->from = *from;
	run->samples = 0;
	run->beyond_100ns = 0;
	run->excess_seconds = 0;
	run->measured_seconds = 0;
	run->is_raised = false;
	run->is_reported = false;
	run->began = NULL;
	run->ended = NULL;
	run->flow_from = (struct rules_flow){.busy_s = 0};
	run->flow_to = run->flow_from;
	run->is_within = false;
	run->is_cut = false;
	pmon_stats_init(&run->stats, calc);
	if (before != NULL)
		pmon_stats_lead(&run->stats, before);
}

static struct rules_moment
end_of(const struct rules_interval *interval)
{
	return (struct rules_moment){interval->time, interval->steady, interval->elapsed_100ns};
}

void
rules_run_beyond(struct rules_run *run, const struct rules_interval *interval, bool below)
{
	double seconds = (double)interval->length_100ns / PMON_TIME_PER_SEC;

	if (run->samples == 0 ||
	    (below ? interval->measure < run->measure : interval->measure > run->measure)) {
		run->measure = interval->measure;
		run->worst = *interval->value;
		run->worst_time = interval->time;
	}
	run->samples++;
	run->beyond_100ns += interval->length_100ns;
	run->to = end_of(interval);
	run->excess_seconds += interval->excess * seconds;
	run->measured_seconds += interval->measure * seconds;
	run->is_within = false;
	(void)pmon_stats_add(&run->stats, interval->raw);
}

void
rules_run_skip(struct rules_run *run, const struct pmon_raw *raw)
{
	(void)pmon_stats_add(&run->stats, raw);
}

void
rules_run_hold(struct rules_run *run, const struct rules_interval *interval)
{
	run->to = end_of(interval);
	run->is_within = false;
	(void)pmon_stats_add(&run->stats, interval->raw);
}

bool
rules_run_within(struct rules_run *run, const struct rules_interval *interval)
{
	bool is_second = run->is_within;

	if (!is_second)
		run->beyond = run->stats;
	run->is_within = true;
	(void)pmon_stats_add(&run->stats, interval->raw);
	return is_second;
}

static bool
is_per_operation(const struct pmon_counter_type *type)
{
	return type != NULL && type->second == PMON_SECOND_BASE &&
	       (type->formula == PMON_FORMULA_AVERAGE_TIME || type->formula == PMON_FORMULA_RATIO);
}

bool
rules_is_per_operation(const struct pmon_series *series)
{
	return !series->formatted && is_per_operation(pmon_series_type(series));
}

// The number of operations behind an average; NAN if the type counts none.
static double
operations_of(const struct pmon_stats *stats)
{
	return is_per_operation(stats->calc.type) ? pmon_sum_value(&stats->denominator, 0) : NAN;
}

void
rules_run_result(const struct rules_run *run, struct rules_episode *out)
{
	const struct pmon_stats *stats = run->is_within ? &run->beyond : &run->stats;

	out->from = run->from.time;
	out->to = run->to.time;
	out->steady_from = run->from.steady;
	out->steady_to = run->to.steady;
	out->length_100ns = rules_run_length(run);
	out->samples = run->samples;
	out->operations = operations_of(stats);
	out->excess_seconds = run->excess_seconds;
	out->compared = run->beyond_100ns > 0 ? run->measured_seconds * PMON_TIME_PER_SEC /
							(double)run->beyond_100ns
					      : run->measure;
	out->compared_worst = run->measure;
	out->average = pmon_stats_average(stats);
	out->worst = run->worst;
	out->worst_time = run->worst_time;
}
