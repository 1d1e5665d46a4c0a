// disks.c - the average latency of a disk where the log holds displayed values
// SPDX-License-Identifier: MIT
//
// The mean of displayed latencies counts every interval alike, however many operations it had. The number of
// operations in progress, over time, is the time of all operations together (Little's law); so the average is the
// integral of the queue length divided by that of the rate. Windows computes the latency and the queue length from
// the same ticks, so this is its own average.

#include "rules/disks.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/english.h"

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

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

static bool
is(struct pmon_span text, const char *name)
{
	return pmon_text_same(text, span_of(name));
}

static bool
is_disk(const struct pmon_series *series)
{
	struct pmon_span object = pmon_series_english(series)->object;

	return series->formatted && (is(object, "PhysicalDisk") || is(object, "LogicalDisk"));
}

static uint64_t
hash_of(const struct rules_disks *disks, const struct pmon_path *path, struct pmon_span counter)
{
	uint64_t hash = pmon_map_mix_name(disks->seed ^ (uint32_t)path->index, path->machine);

	hash = pmon_map_mix_name(pmon_map_mix_name(hash, path->object), path->instance);
	return pmon_map_mix_name(hash, counter);
}

// The counter of that name, of the instance of the series; NULL if the log has none.
static const struct pmon_series *
find(const struct rules_disks *disks, const struct pmon_series *series, struct pmon_span counter)
{
	const struct pmon_path *path = pmon_series_english(series);
	uint64_t hash = hash_of(disks, path, counter);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&disks->map, hash, &at)) != PMON_MAP_NONE) {
		const struct pmon_path *other = pmon_series_english(disks->list[i]);

		if (pmon_text_same(other->counter, counter) &&
		    pmon_text_same(other->machine, path->machine) &&
		    pmon_text_same(other->object, path->object) &&
		    pmon_text_same(other->instance, path->instance) && other->index == path->index)
			return disks->list[i];
	}
	return NULL;
}

bool
rules_disks_note(struct rules_disks *disks, const struct pmon_series *series)
{
	const struct pmon_path *path = pmon_series_english(series);
	bool is_needed = false;

	for (size_t i = 0; i < N_KINDS; i++)
		is_needed = is_needed || is(path->counter, kinds[i].queue) ||
			    is(path->counter, kinds[i].rate);
	if (!is_needed || !is_disk(series) || find(disks, series, path->counter) != NULL)
		return true;
	if (disks->n == 0)
		disks->seed = pmon_hash_seed();
	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &disks->list, &disks->cap, disks->n + 1,
			   sizeof(*disks->list)) ||
	    !pmon_map_put(&disks->map, pmon_mem_allocator(NULL),
			  hash_of(disks, path, path->counter), (uint32_t)disks->n))
		return false;
	disks->list[disks->n++] = series;
	return true;
}

bool
rules_disks_find(struct rules_disks *disks, const struct pmon_schema *schema)
{
	*disks = (struct rules_disks){.n = 0};
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (!rules_disks_note(disks, pmon_schema_at(schema, i)))
			return false;
	return true;
}

void
rules_disks_free(struct rules_disks *disks)
{
	free(disks->list);
	pmon_map_free(&disks->map, pmon_mem_allocator(NULL));
}

bool
rules_disks_beside(const struct rules_disks *disks, const struct pmon_series *series,
		   const struct pmon_series **queue, const struct pmon_series **rate)
{
	struct pmon_span counter = pmon_series_english(series)->counter;

	for (size_t i = 0; series->formatted && i < N_KINDS; i++) {
		if (!is(counter, kinds[i].latency) || !is_disk(series))
			continue;
		*queue = find(disks, series, span_of(kinds[i].queue));
		*rate = find(disks, series, span_of(kinds[i].rate));
		return *queue != NULL && *rate != NULL;
	}
	return false;
}

// ---- Averages of a log ----------------------------------------------------------------------

bool
rules_latency_from(const struct pmon_stats *queue, const struct pmon_stats *rate,
		   struct pmon_value *out)
{
	double operations = pmon_stats_average(rate).value;

	if (pmon_stats_invalid(queue) > 0 || pmon_stats_invalid(rate) > 0 ||
	    pmon_stats_samples(queue) != pmon_stats_samples(rate) || !(operations > 0))
		return false;
	*out = (struct pmon_value){.value = pmon_stats_average(queue).value / operations};
	return true;
}

bool
rules_latency_of(const struct rules_disks *disks, const struct pmon_statistics *statistics,
		 const struct pmon_series *series, struct pmon_value *out)
{
	const struct pmon_series *beside[2];
	const struct pmon_stats *queue;
	const struct pmon_stats *rate;

	if (!rules_disks_beside(disks, series, &beside[0], &beside[1]))
		return false;
	queue = pmon_statistics_at(statistics, beside[0]->id);
	rate = pmon_statistics_at(statistics, beside[1]->id);
	return queue != NULL && rate != NULL && rules_latency_from(queue, rate, out);
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
