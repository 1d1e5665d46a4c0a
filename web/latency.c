// latency.c - the average latency of a disk in a window of a log of displayed values
// SPDX-License-Identifier: MIT

#include "web/latency.h"

#include <math.h>

#include "rules/disks.h"

static struct pmon_stats
stats_of(const struct store *store, uint32_t id, const struct store_window *window,
	 const struct pmon_calc_options *options)
{
	struct store_value value;
	struct store_walk walk;

	store_walk_open(&walk, store, id, window, options);
	while (store_walk_next(&walk, &value))
		(void)pmon_stats_add(&walk.stats, &value.raw);
	return walk.stats;
}

double
latency_in_window(const struct store *store, uint32_t id, const struct store_window *window,
		  const struct pmon_calc_options *options)
{
	const struct pmon_schema *schema = store_schema(store);
	const struct pmon_series *series = pmon_schema_at(schema, id);
	const struct pmon_series *queue;
	const struct pmon_series *rate;
	struct rules_disks disks = {.n = 0};
	struct pmon_value average = {.value = NAN};

	if (series->formatted && rules_may_be_latency(&series->path) &&
	    rules_disks_find(&disks, schema) && rules_disks_beside(&disks, series, &queue, &rate)) {
		struct pmon_stats of_queue = stats_of(store, queue->id, window, options);
		struct pmon_stats of_rate = stats_of(store, rate->id, window, options);

		(void)rules_latency_from(&of_queue, &of_rate, &average);
	}
	rules_disks_free(&disks);
	return average.value;
}
