// latency.c - the average latency of an episode, from the queue length and rate of a disk: query/rates.c
// SPDX-License-Identifier: MIT

#include <math.h>

#include "rules/state.h"

bool
rules_link_latency(struct rules_judge *judge, struct check *check)
{
	const struct pmon_series *queue;
	const struct pmon_series *rate;

	if (check->queue != RULES_NONE ||
	    !pmon_rates_of(&judge->rates, check->series, &queue, &rate))
		return true;
	if (!rules_need_meter(judge, queue) || !rules_need_meter(judge, rate))
		return false;
	check->queue = judge->meter_of[queue->id];
	check->rate = judge->meter_of[rate->id];
	return true;
}

struct rules_flow
rules_read_flow(const struct rules_judge *judge, const struct check *check)
{
	const struct meter *queue;
	const struct meter *rate;

	if (check->queue == RULES_NONE)
		return (struct rules_flow){.busy_s = 0};
	queue = &judge->meters[check->queue];
	rate = &judge->meters[check->rate];
	return (struct rules_flow){queue->total, queue->weight, rate->total, rate->weight};
}

void
rules_average_latency(const struct rules_run *run, struct rules_episode *episode)
{
	const struct rules_flow *from = &run->flow_from;
	const struct rules_flow *to = &run->flow_to;
	double seconds = (double)rules_run_length(run) / PMON_TIME_PER_SEC;
	double operations = to->operations - from->operations;

	// Both counters must have a value for each of the intervals.
	if (fabs(to->queue_s - from->queue_s - seconds) > 1e-6 * seconds ||
	    fabs(to->rate_s - from->rate_s - seconds) > 1e-6 * seconds || operations < 0.5)
		return;
	episode->average.value = (to->busy_s - from->busy_s) / operations;
	episode->average.status = PMON_V_OK;
	episode->operations = round(operations);
	episode->from_queue = true;
}
