// api_first.c - what to show of a log that was not opened before
// SPDX-License-Identifier: MIT
//
// pmon_choose() needs the statistics of what it chooses from. Only of what could be chosen are they
// made, from the store, under a schema of their own.

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/schema.h"
#include "web/api.h"
#include "web/series.h"
#include "web/view_private.h"

#define CANDIDATES 512
#define MOST       64
#define VALUES     (UINT32_C(2) << 20) // that are looked at; of more the newest

static const char *const patterns[] = {
	"\\Processor*(*)\\% Processor Time", "\\Memory\\Available *",  "\\Memory\\Pages*/sec",
	"\\*Disk(*)\\Avg. Disk sec/*",       "\\*Disk(*)\\Disk */sec", "\\*Disk(*)\\% Idle Time",
	"\\Network *(*)\\Bytes Total/sec",
};

struct candidates {
	struct pmon_schema schema;
	struct pmon_statistics *statistics;
	uint32_t ids[CANDIDATES]; // in the store
	size_t n;
};

static bool
could_be_chosen(const struct pmon_series *series)
{
	struct pmon_path pattern;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (pmon_pattern_parse((struct pmon_span){patterns[i], strlen(patterns[i])},
				       &pattern, NULL) &&
		    pmon_series_match(&pattern, series))
			return true;
	return false;
}

static bool
add_candidate(struct candidates *c, const struct pmon_series *series)
{
	uint32_t id;

	if (pmon_schema_add(&c->schema, &series->path, &series->counter, series->order, CANDIDATES,
			    &id) != PMON_OK)
		return false;
	c->ids[c->n++] = series->id;
	return true;
}

// All that could be chosen; where there is nothing, the first that can be displayed at all. False when memory
// is short.
static bool
find_candidates(struct candidates *c, const struct pmon_series *const *list, size_t n)
{
	for (size_t i = 0; i < n && c->n < CANDIDATES; i++)
		if (could_be_chosen(list[i]) && !add_candidate(c, list[i]))
			return false;
	if (c->n > 0)
		return true;
	for (size_t i = 0; i < n && c->n < MOST; i++)
		if (pmon_type_is_displayed(list[i]->counter.type) && !add_candidate(c, list[i]))
			return false;
	return true;
}

// The newest samples, so many that the work has a bound. Under the lock of the store.
static struct store_window
newest_part(const struct candidates *c, const struct store *store)
{
	struct store_window window = {PMON_TIME_NONE, PMON_TIME_NONE};
	uint32_t n = VALUES / (uint32_t)c->n;

	if (store_end(store) - store_begin(store) > n)
		window.from = store_sample_at(store, store_end(store) - n)->time;
	return window;
}

// Feed the values of candidate i to the statistics, a sample each. Under the lock of the store.
static bool
read_candidate(struct candidates *c, const struct store *store, uint32_t i)
{
	struct store_window window = newest_part(c, store);
	struct store_value value;
	struct store_walk walk;

	store_walk_open(&walk, store, c->ids[i], &window, NULL);
	while (store_walk_next(&walk, &value)) {
		const struct store_sample *at = store_sample_at(store, value.at);
		struct pmon_sample sample = {.time = at->time,
					     .perf_100ns = at->perf_100ns,
					     .usual_100ns = store_usual_interval(store),
					     .stream = at->stream,
					     .ordinal = at->ordinal,
					     .n = 1,
					     .series = &i,
					     .raw = &value.raw};

		if (pmon_statistics_add(c->statistics, &sample, NULL, NULL) != PMON_OK)
			return false;
	}
	return true;
}

static bool
read_candidates(struct candidates *c, struct set *set)
{
	bool good = pmon_statistics_new(&c->schema, NULL, NULL, &c->statistics, NULL) == PMON_OK;

	for (uint32_t i = 0; good && i < c->n; i++) {
		store_lock(set->store);
		good = read_candidate(c, set->store, i);
		store_unlock(set->store);
	}
	return good;
}

// Keep the series of one machine alone. Returns how many there are.
static size_t
keep_machine(const struct pmon_series **list, size_t n, struct pmon_span machine)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (pmon_text_same(list[i]->path.machine, machine))
			list[kept++] = list[i];
	return kept;
}

static void
put_chosen(struct call *call, struct set *set, const struct candidates *c, uint64_t max)
{
	uint32_t chosen[MOST];
	size_t n = pmon_choose(&c->schema, c->statistics, chosen, (size_t)max);

	json_open(&call->json, '{');
	json_key(&call->json, "series"), json_open(&call->json, '[');
	for (size_t i = 0; i < n; i++) {
		const struct pmon_series *series;

		store_lock(set->store);
		series = pmon_schema_at(store_schema(set->store), c->ids[chosen[i]]);
		store_unlock(set->store);
		series_put(&call->json, series);
	}
	json_close(&call->json, ']');
	json_close(&call->json, '}');
}

void
api_first(struct call *call)
{
	const struct pmon_series **list;
	struct candidates *c;
	struct pmon_span machine = call_param(call, "machine");
	uint64_t max = 8;
	struct set *set;
	bool found;
	size_t n;

	if (!call_set(call, "set", &set) || !call_number(call, "max", 1, MOST, &max))
		return;
	list = series_all(call, set, &n);
	if (list == NULL)
		return;
	if (machine.ptr != NULL)
		n = keep_machine(list, n, machine);
	c = calloc(1, sizeof(*c));
	if (c == NULL) {
		free(list);
		call_no_memory(call);
		return;
	}
	pmon_schema_init(&c->schema, pmon_mem_allocator(NULL));
	found = find_candidates(c, list, n);
	free(list);
	if (found && c->n == 0 && machine.ptr != NULL)
		call_fail(call, 404, "machine", "the set has no counters for this machine");
	else if (found && read_candidates(c, set))
		put_chosen(call, set, c, max);
	else
		call_no_memory(call);
	pmon_statistics_free(c->statistics);
	pmon_schema_free(&c->schema);
	free(c);
}
