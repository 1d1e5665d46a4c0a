// latency.c - the average latency of a disk where the log holds displayed values
// SPDX-License-Identifier: MIT
//
// The mean of displayed latencies counts every interval alike, however many operations it had. The number of
// operations in progress, over time, is the time of all operations together (Little's law); so the average is the
// integral of the queue length divided by that of the rate. Windows computes the latency and the queue length from
// the same ticks, so this is its own average.

#include "rules/latency.h"

#include <math.h>
#include <string.h>

#include "model/english.h"
#include "rules/state.h"

static const struct {
	const char *latency;
	const char *queue;
	const char *rate;
} kinds[] = {
	{"Avg. Disk sec/Read", "Avg. Disk Read Queue Length", "Disk Reads/sec"},
	{"Avg. Disk sec/Write", "Avg. Disk Write Queue Length", "Disk Writes/sec"},
	{"Avg. Disk sec/Transfer", "Avg. Disk Queue Length", "Disk Transfers/sec"},
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static bool
is(struct pmon_span text, const char *name)
{
	return pmon_text_same(text, (struct pmon_span){name, strlen(name)});
}

static bool
is_disk(const struct pmon_series *series)
{
	struct pmon_span object = pmon_series_english(series)->object;

	return series->formatted && (is(object, "PhysicalDisk") || is(object, "LogicalDisk"));
}

bool
rules_note_disk(struct rules_judge *judge, uint32_t machine, const struct pmon_series *series)
{
	struct pmon_span counter = pmon_series_english(series)->counter;
	struct machine *m;
	bool is_needed = false;

	for (size_t i = 0; i < N_KINDS; i++)
		is_needed = is_needed || is(counter, kinds[i].queue) || is(counter, kinds[i].rate);
	if (!is_needed || machine == RULES_NONE || !is_disk(series))
		return true;
	m = &judge->machines[machine];
	if (!rules_grow(&m->disks, &m->cap_disks, m->n_disks + 1, sizeof(*m->disks)))
		return false;
	m->disks[m->n_disks++] = series;
	return true;
}

// The counter of that name, of the instance of the series; NULL if the log has none.
static const struct pmon_series *
find(const struct machine *machine, const struct pmon_series *series, const char *counter)
{
	const struct pmon_path *path = pmon_series_english(series);

	for (size_t i = 0; i < machine->n_disks; i++) {
		const struct pmon_path *other = pmon_series_english(machine->disks[i]);

		if (is(other->counter, counter) && pmon_text_same(other->object, path->object) &&
		    pmon_text_same(other->instance, path->instance) && other->index == path->index)
			return machine->disks[i];
	}
	return NULL;
}

bool
rules_link_latency(struct rules_judge *judge, struct check *check)
{
	const struct machine *machine = &judge->machines[check->machine];
	struct pmon_span counter = pmon_series_english(check->series)->counter;

	for (size_t i = 0; check->series->formatted && check->queue == RULES_NONE && i < N_KINDS;
	     i++) {
		const struct pmon_series *queue;
		const struct pmon_series *rate;

		if (!is(counter, kinds[i].latency) || !is_disk(check->series))
			continue;
		queue = find(machine, check->series, kinds[i].queue);
		rate = find(machine, check->series, kinds[i].rate);
		if (queue == NULL || rate == NULL)
			return true;
		if (!rules_need_meter(judge, queue) || !rules_need_meter(judge, rate))
			return false;
		check->queue = judge->meter_of[queue->id];
		check->rate = judge->meter_of[rate->id];
	}
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
	double seconds = (double)(run->to - run->from) / PMON_TIME_PER_SEC;
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

// ---- Of a whole log -------------------------------------------------------------------------

// The statistics of the counter of that name beside a series; NULL if there are none, or values are missing.
static const struct pmon_stats *
stats_beside(const struct pmon_schema *schema, const struct pmon_statistics *statistics,
	     const struct pmon_series *series, const char *counter)
{
	const struct pmon_path *path = pmon_series_english(series);
	const struct pmon_stats *stats = NULL;

	for (size_t i = 0; stats == NULL && i < pmon_schema_count(schema); i++) {
		const struct pmon_series *other = pmon_schema_at(schema, i);
		const struct pmon_path *of = pmon_series_english(other);

		if (other->formatted && is(of->counter, counter) &&
		    pmon_text_same(of->object, path->object) &&
		    pmon_text_same(of->instance, path->instance) && of->index == path->index &&
		    pmon_text_same(other->path.machine, series->path.machine))
			stats = pmon_statistics_at(statistics, i);
	}
	return stats != NULL && pmon_stats_invalid(stats) == 0 ? stats : NULL;
}

bool
rules_latency_of(const struct pmon_schema *schema, const struct pmon_statistics *statistics,
		 const struct pmon_series *series, struct pmon_value *out)
{
	struct pmon_span counter = pmon_series_english(series)->counter;
	const struct pmon_stats *queue = NULL;
	const struct pmon_stats *rate = NULL;
	double operations;

	for (size_t i = 0; is_disk(series) && i < N_KINDS; i++)
		if (is(counter, kinds[i].latency)) {
			queue = stats_beside(schema, statistics, series, kinds[i].queue);
			rate = stats_beside(schema, statistics, series, kinds[i].rate);
		}
	if (queue == NULL || rate == NULL || pmon_stats_samples(queue) != pmon_stats_samples(rate))
		return false;
	operations = pmon_stats_average(rate).value;
	if (!(operations > 0))
		return false;
	*out = (struct pmon_value){.value = pmon_stats_average(queue).value / operations};
	return true;
}

bool
rules_may_be_latency(const struct pmon_path *pattern)
{
	struct pmon_english english;
	struct pmon_path path = *pattern;

	if (pmon_english_of(NULL, pattern, &english))
		path = pmon_english_path(pattern, &english, 0);
	if (!pmon_text_match(path.object, PMON_SPAN("PhysicalDisk")) &&
	    !pmon_text_match(path.object, PMON_SPAN("LogicalDisk")))
		return false;
	for (size_t i = 0; i < N_KINDS; i++)
		if (pmon_text_match(path.counter,
				    (struct pmon_span){kinds[i].latency, strlen(kinds[i].latency)}))
			return true;
	return false;
}
