// fleet.c - the statistics of many logs, read several at a time
// SPDX-License-Identifier: MIT
//
// Logs are read and merged in the order of their first samples. This equals reading them as one log
// by time if no log begins before earlier logs with the same series have ended. Logs that violate
// this are *overlapping*, together with all logs that share series with them. Their merged
// statistics are discarded, and they are read again by time, so a few overlapping logs do not slow
// down the rest.

#include <stdatomic.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/options.h"
#include "query/identity.h"
#include "query/merge.h"
#include "query/pool.h"
#include "query/boundaries.h"
#include "query/statistics.h"
#include "query/window.h"

#define PROGRESS_SAMPLES 16 // between two progress updates

// Whether a log could be read to its end.
enum loss {
	NOT_LOST,
	LOST_ALONE,    // not by itself
	LOST_IN_GROUP, // not when its group was read again, though by itself it could
};

// A log while it is read, and its results.
struct fleet_log {
	struct pmon_source *source; // with its window and processes distinguished
	struct pmon_source *window;
	struct pmon_statistics *statistics;
	enum pmon_status status;
	struct pmon_err err;
	enum loss loss;
	struct pmon_err lost;    // why, if LOST_IN_GROUP
	struct pmon_used used;   // before its group was read a second time
	size_t group;            // a log of the same group, closer to its representative
	bool overlapping;        // valid in the representative of the group
	struct pmon_clash clash; // of the group
};

// The state of a merged series.
struct fleet_series {
	size_t log;       // plus 1, the first that has it; 0: none yet
	pmon_time newest; // sample of the logs that had values of it
};

struct fleet {
	struct merge *merge;
	struct pmon_fleet_options *options;
	struct pmon_statistics_options read;
	const struct pmon_allocator *allocator;
	struct pmon_statistics *statistics;
	struct fleet_log *logs;
	size_t *order; // indexes of the logs with samples, by the time of the first one
	size_t n;      // of them
	struct fleet_series *series;
	size_t series_n;
	size_t series_cap;
	size_t *overlaps; // the representatives of overlapping groups
	size_t overlaps_n;
	atomic_uint_fast64_t bytes_read;
	struct pmon_boundaries boundaries;
	struct pmon_err *err;
};

// ---- Groups of logs that share series -------------------------------------------------------

// The representative of the group of a log.
static size_t
group_of(struct fleet *fleet, size_t log)
{
	while (fleet->logs[log].group != log)
		log = fleet->logs[log].group = fleet->logs[fleet->logs[log].group].group;
	return log;
}

// The log with the lower number represents both groups.
static void
unite(struct fleet *fleet, size_t a, size_t b)
{
	size_t low = group_of(fleet, a);
	size_t high = group_of(fleet, b);

	if (low > high) {
		size_t swap = low;

		low = high;
		high = swap;
	}
	fleet->logs[high].group = low;
	fleet->logs[low].overlapping |= fleet->logs[high].overlapping;
}

// ---- Reading one log ------------------------------------------------------------------------

static void
tell_progress(struct fleet *fleet)
{
	struct pmon_source_info info = fleet->merge->base.info;

	info.bytes_read = atomic_load_explicit(&fleet->bytes_read, memory_order_relaxed);
	fleet->read.progress(fleet->read.progress_ctx, &info);
}

// Count the bytes read from a source since the last call.
static void
note_bytes(struct fleet *fleet, const struct pmon_source *source, uint64_t *counted, size_t thread)
{
	uint64_t bytes = pmon_source_info(source)->bytes_read;

	atomic_fetch_add_explicit(&fleet->bytes_read, bytes - *counted, memory_order_relaxed);
	*counted = bytes;
	if (thread == 0 && fleet->read.progress != NULL)
		tell_progress(fleet);
}

// The preceding samples of a log without samples in the window also precede the following logs.
static enum pmon_status
add_leads(struct fleet_log *log, enum pmon_status status)
{
	const struct pmon_sample *lead;

	while ((lead = pmon_window_next_lead(log->window)) != NULL) {
		struct pmon_identity *identity = pmon_identity_of(log->source);

		if (identity != NULL && pmon_identity_take(identity, &lead, &log->err) != PMON_OK)
			return PMON_E_NOMEM;
		if (pmon_statistics_add(log->statistics, lead, NULL, &log->err) != PMON_OK)
			return PMON_E_NOMEM;
	}
	return status;
}

// Read a log to its end into its statistics; thread 0 reports progress.
static enum pmon_status
read_all(struct fleet *fleet, struct fleet_log *log, size_t thread)
{
	const struct pmon_sample *sample;
	enum pmon_status status;
	uint64_t counted = 0;
	uint64_t n = 0;

	while ((status = pmon_source_next(log->source, &sample, &log->err)) == PMON_OK) {
		status = pmon_statistics_add(log->statistics, sample, NULL, &log->err);
		if (status != PMON_OK)
			return status;
		if (++n % PROGRESS_SAMPLES == 0)
			note_bytes(fleet, log->source, &counted, thread);
	}
	note_bytes(fleet, log->source, &counted, thread);
	return add_leads(log, status == PMON_END ? PMON_OK : status);
}

// Open the window on a source, and begin its statistics.
static enum pmon_status
begin_log(struct fleet *fleet, struct fleet_log *log, struct pmon_source *source)
{
	const struct pmon_fleet_options *o = fleet->options;
	enum pmon_status status =
		pmon_window_open(source, o->from, o->to, fleet->allocator, &log->source, &log->err);

	log->window = log->source;
	if (status == PMON_OK && o->identity != NULL)
		status = pmon_identity_open(log->window, o->identity, &log->source, &log->err);
	if (status != PMON_OK)
		return status;
	return pmon_statistics_begin(pmon_source_schema(log->source), &fleet->read,
				     fleet->allocator, &log->statistics, &log->err);
}

static void
end_log(struct fleet_log *log)
{
	pmon_statistics_free(log->statistics);
	pmon_source_close(log->source);
	log->statistics = NULL;
	log->source = log->window = NULL;
}

static void
read_log(void *ctx, size_t i, size_t thread)
{
	struct fleet *fleet = ctx;
	const struct pmon_logs *logs = &fleet->merge->logs;
	struct fleet_log *log = &fleet->logs[fleet->order[i]];
	struct pmon_source *source;

	log->status = logs->open(logs->ctx, fleet->order[i], &source, &log->err);
	if (log->status == PMON_OK)
		log->status = begin_log(fleet, log, source);
	if (log->status != PMON_OK)
		return;
	log->status = read_all(fleet, log, thread);
}

// ---- Putting logs together ------------------------------------------------------------------

static bool
grow_series(struct fleet *fleet)
{
	size_t n = pmon_schema_count(&fleet->merge->base.schema);

	if (!pmon_mem_grow(fleet->allocator, &fleet->series, &fleet->series_cap, n,
			   sizeof(*fleet->series)))
		return false;
	for (; fleet->series_n < n; fleet->series_n++)
		fleet->series[fleet->series_n] = (struct fleet_series){.log = 0};
	return true;
}

// Raw values with the same time in two logs may be the same one, which counts once.
static bool
may_repeat(const struct pmon_stats *older, const struct pmon_stats *newer)
{
	pmon_time last;

	if (older == NULL) // dropped with its group, which is read again
		return false;
	last = older->last_raw_time;
	if (pmon_stats_samples(newer) == 0 || (pmon_stats_samples(older) == 0 && !older->has_tail))
		return false;
	if (pmon_stats_samples(older) == 0)
		last = older->tail.time; // which is a preceding sample
	return last == newer->first_raw_time || last == PMON_TIME_NONE ||
	       newer->first_raw_time == PMON_TIME_NONE;
}

// Whether both definitions of a counter yield the same numbers.
static bool
same_counter(const struct pmon_counter *a, const struct pmon_counter *b)
{
	return a->size_bytes == b->size_bytes && a->default_scale == b->default_scale;
}

// Record the series of a log, and whether it overlaps earlier logs.
static void
note_series(struct fleet *fleet, size_t number, const uint32_t *map)
{
	struct fleet_log *log = &fleet->logs[number];
	const struct pmon_schema *schema = pmon_source_schema(log->source);
	pmon_time newest = pmon_window_newest(log->window);

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_stats *stats = pmon_statistics_at(log->statistics, i);
		struct fleet_series *series = &fleet->series[map[i]];
		bool overlapping;

		if (series->log == 0)
			*series = (struct fleet_series){number + 1, PMON_TIME_NONE};
		else
			unite(fleet, number, series->log - 1);
		if (stats == NULL)
			continue;
		overlapping =
			!same_counter(&pmon_schema_at(schema, i)->counter,
				      &pmon_schema_at(&fleet->merge->base.schema, map[i])->counter);
		if (series->newest != PMON_TIME_NONE)
			overlapping |=
				fleet->merge->inputs[number].first <= series->newest ||
				may_repeat(pmon_statistics_at(fleet->statistics, map[i]), stats);
		series->newest = newest > series->newest ? newest : series->newest;
		fleet->logs[group_of(fleet, number)].overlapping |= overlapping;
	}
}

// Merge a log that was read.
static enum pmon_status
join_log(struct fleet *fleet, size_t number)
{
	struct fleet_log *log = &fleet->logs[number];
	struct merge_input *input = &fleet->merge->inputs[number];
	struct pmon_join_map map = {.n = 0};
	enum pmon_status status =
		pmon_join_add(&fleet->merge->join, &map, pmon_source_schema(log->source),
			      (uint32_t)number, fleet->err);

	if (status == PMON_OK && !grow_series(fleet))
		status = pmon_err_nomem(fleet->err);
	if (status == PMON_OK && fleet->options->identity != NULL &&
	    !pmon_boundaries_join(&fleet->boundaries, log->source, map.to, log->statistics, false))
		status = pmon_err_nomem(fleet->err);
	if (status == PMON_OK) {
		note_series(fleet, number, map.to);
		status = pmon_statistics_follow(fleet->statistics, log->statistics, map.to,
						fleet->err);
		// It has a different definition; its group is read again.
		status = status == PMON_E_ARG ? PMON_OK : status;
	}
	log->used = pmon_statistics_used(log->statistics);
	fleet->options->unknown_processes |=
		fleet->options->identity != NULL && pmon_identity_is_unknown(log->source);
	input->info = *pmon_source_info(log->source);
	pmon_join_map_free(&fleet->merge->join, &map);
	return status;
}

static enum pmon_status
take_log(void *ctx, size_t i)
{
	struct fleet *fleet = ctx;
	size_t number = fleet->order[i];
	struct fleet_log *log = &fleet->logs[number];
	enum pmon_status status = log->status;

	if (status != PMON_OK && (fleet->merge->logs.failed == NULL || status == PMON_E_NOMEM)) {
		if (fleet->err != NULL)
			*fleet->err = log->err;
		return status;
	}
	if (status != PMON_OK) {
		log->loss = LOST_ALONE;
		fleet->merge->logs.failed(fleet->merge->logs.ctx, number, &log->err);
	}
	status = log->statistics != NULL ? join_log(fleet, number) : PMON_OK;
	end_log(log);
	return status;
}

// ---- Tangled groups -------------------------------------------------------------------------

// The logs of one group, as a separate set.
struct overlap {
	struct fleet *fleet;
	size_t group;
	size_t *numbers;
	size_t n;
};

static enum pmon_status
open_overlapping(void *ctx, size_t i, struct pmon_source **source, struct pmon_err *err)
{
	const struct overlap *overlap = ctx;
	const struct pmon_logs *logs = &overlap->fleet->merge->logs;

	return logs->open(logs->ctx, overlap->numbers[i], source, err);
}

// A log that was readable before may fail now. This is reported after all threads have ended.
static void
note_lost(void *ctx, size_t i, const struct pmon_err *err)
{
	const struct overlap *overlap = ctx;
	struct fleet_log *log = &overlap->fleet->logs[overlap->numbers[i]];

	if (log->loss != NOT_LOST)
		return;
	log->loss = LOST_IN_GROUP;
	log->lost = *err;
}

// Reported with those of the other groups after all threads have ended.
static void
note_clash(void *ctx, const struct pmon_clash *clash)
{
	const struct overlap *overlap = ctx;
	struct pmon_clash *kept = &overlap->fleet->logs[overlap->group].clash;

	*kept = *clash;
	kept->log = overlap->numbers[clash->log];
	kept->other = overlap->numbers[clash->other];
}

static void
add_clash(struct merge *merge, const struct pmon_clash *clash)
{
	uint64_t n = merge->clash.n;

	if (n == 0)
		merge->clash = *clash;
	else
		merge->clash.n = n + clash->n;
}

static bool
find_overlapping(struct fleet *fleet, size_t group, struct overlap *overlap)
{
	overlap->fleet = fleet;
	overlap->group = group;
	overlap->n = 0;
	overlap->numbers = pmon_mem_alloc(fleet->allocator, fleet->n * sizeof(*overlap->numbers));
	if (overlap->numbers == NULL)
		return false;
	for (size_t i = 0; i < fleet->merge->n; i++)
		if (fleet->merge->inputs[i].first != PMON_TIME_NONE &&
		    fleet->logs[i].group == group)
			overlap->numbers[overlap->n++] = i;
	return true;
}

// The origin of a series of the group is known only after reading by time.
static void
set_origins(struct fleet *fleet, const struct overlap *overlap, const struct pmon_schema *schema,
	    const uint32_t *map)
{
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *from = pmon_schema_at(schema, i);
		struct pmon_series *to = fleet->merge->base.schema.list[map[i]];

		to->source = (uint32_t)overlap->numbers[from->source];
		to->order = from->order;
	}
}

// Replace the statistics merged log by log with those of the group.
static enum pmon_status
replace(struct fleet *fleet, const struct overlap *overlap, struct fleet_log *log)
{
	const struct pmon_schema *schema = pmon_source_schema(log->source);
	struct pmon_join_map map = {.n = 0};
	enum pmon_status status = pmon_join_add(&fleet->merge->join, &map, schema, 0, fleet->err);

	if (status == PMON_OK) {
		for (size_t i = 0; i < map.n; i++)
			pmon_statistics_forget(fleet->statistics, map.to[i]);
		for (size_t i = 0; i < overlap->n; i++)
			pmon_statistics_unuse(fleet->statistics,
					      fleet->logs[overlap->numbers[i]].used);
		set_origins(fleet, overlap, schema, map.to);
		status = pmon_statistics_follow(fleet->statistics, log->statistics, map.to,
						fleet->err);
	}
	pmon_join_map_free(&fleet->merge->join, &map);
	return status;
}

// Read a whole group by time, as one log.
static void
read_overlap(void *ctx, size_t i, size_t thread)
{
	struct fleet *fleet = ctx;
	struct fleet_log *log = &fleet->logs[fleet->overlaps[i]];
	struct overlap overlap;
	struct pmon_logs logs = {.size = sizeof(logs),
				 .open = open_overlapping,
				 .clash = note_clash,
				 .ctx = &overlap};
	struct pmon_source *source;

	if (!find_overlapping(fleet, fleet->overlaps[i], &overlap)) {
		log->status = pmon_err_nomem(&log->err);
		return;
	}
	logs.n = overlap.n;
	if (fleet->merge->logs.failed != NULL)
		logs.failed = note_lost;
	log->status = pmon_merge_logs(&logs, fleet->allocator, &source, &log->err);
	if (log->status == PMON_OK)
		log->status = begin_log(fleet, log, source);
	if (log->status == PMON_OK)
		log->status = read_all(fleet, log, thread);
	// It opens nothing from here on.
	pmon_mem_free(fleet->allocator, overlap.numbers, fleet->n * sizeof(*overlap.numbers));
}

static enum pmon_status
take_overlap(void *ctx, size_t i)
{
	struct fleet *fleet = ctx;
	struct fleet_log *log = &fleet->logs[fleet->overlaps[i]];
	enum pmon_status status = log->status;
	struct overlap overlap;

	if (status != PMON_OK) {
		if (fleet->err != NULL)
			*fleet->err = log->err;
		return status;
	}
	if (!find_overlapping(fleet, fleet->overlaps[i], &overlap))
		return pmon_err_nomem(fleet->err);
	for (size_t k = 0; k < overlap.n; k++)
		if (fleet->logs[overlap.numbers[k]].loss == LOST_IN_GROUP)
			fleet->merge->logs.failed(fleet->merge->logs.ctx, overlap.numbers[k],
						  &fleet->logs[overlap.numbers[k]].lost);
	add_clash(fleet->merge, &log->clash);
	status = replace(fleet, &overlap, log);
	pmon_mem_free(fleet->allocator, overlap.numbers, fleet->n * sizeof(*overlap.numbers));
	end_log(log);
	return status;
}

// Read all overlapping groups again, after all logs were read and merged.
static enum pmon_status
read_tangles(struct fleet *fleet)
{
	struct pmon_pool pool = {0, fleet->read.threads, read_overlap, take_overlap, fleet};

	// From here on several threads read the groups, and none changes them.
	for (size_t i = 0; i < fleet->merge->n; i++)
		fleet->logs[i].group = group_of(fleet, i);
	for (size_t i = 0; i < fleet->merge->n; i++)
		if (fleet->logs[i].group == i && fleet->logs[i].overlapping)
			fleet->overlaps[fleet->overlaps_n++] = i;
	pool.n = fleet->overlaps_n;
	return pool.n > 0 ? pmon_pool_run(&pool, fleet->allocator, fleet->err) : PMON_OK;
}

// ---- All of them ----------------------------------------------------------------------------

struct first {
	pmon_time time;
	size_t number;
};

static int
by_first(const void *a, const void *b)
{
	const struct first *x = a;
	const struct first *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static bool
put_in_order(struct fleet *fleet)
{
	const struct merge *merge = fleet->merge;
	size_t size = merge->n * sizeof(struct first);
	struct first *firsts = pmon_mem_alloc(fleet->allocator, size);

	if (firsts == NULL)
		return false;
	for (size_t i = 0; i < merge->n; i++)
		if (merge->inputs[i].first != PMON_TIME_NONE)
			firsts[fleet->n++] = (struct first){merge->inputs[i].first, i};
	qsort(firsts, fleet->n, sizeof(*firsts), by_first);
	for (size_t i = 0; i < fleet->n; i++)
		fleet->order[i] = firsts[i].number;
	pmon_mem_free(fleet->allocator, firsts, size);
	return true;
}

static enum pmon_status
begin_fleet(struct fleet *fleet)
{
	size_t n = fleet->merge->n;

	fleet->logs = pmon_mem_alloc0(fleet->allocator, n * sizeof(*fleet->logs));
	fleet->order = pmon_mem_alloc0(fleet->allocator, n * sizeof(*fleet->order));
	fleet->overlaps = pmon_mem_alloc0(fleet->allocator, n * sizeof(*fleet->overlaps));
	if (fleet->logs == NULL || fleet->order == NULL || fleet->overlaps == NULL ||
	    !put_in_order(fleet))
		return pmon_err_nomem(fleet->err);
	for (size_t i = 0; i < n; i++)
		fleet->logs[i].group = i;
	return pmon_statistics_begin(&fleet->merge->base.schema, &fleet->read, fleet->allocator,
				     &fleet->statistics, fleet->err);
}

static void
end_fleet(struct fleet *fleet)
{
	const struct pmon_allocator *allocator = fleet->allocator;
	size_t n = fleet->merge->n;

	for (size_t i = 0; fleet->logs != NULL && i < n; i++)
		end_log(&fleet->logs[i]);
	pmon_mem_free(allocator, fleet->logs, n * sizeof(*fleet->logs));
	pmon_mem_free(allocator, fleet->order, n * sizeof(*fleet->order));
	pmon_mem_free(allocator, fleet->overlaps, n * sizeof(*fleet->overlaps));
	pmon_mem_free(allocator, fleet->series, fleet->series_cap * sizeof(*fleet->series));
	pmon_statistics_free(fleet->statistics);
	pmon_boundaries_free(&fleet->boundaries);
}

// The merge has nothing left to read.
static void
leave_at_end(struct fleet *fleet)
{
	struct merge *merge = fleet->merge;

	merge->primed = true;
	for (size_t i = 0; i < merge->n; i++) {
		struct merge_input *input = &merge->inputs[i];

		pmon_join_map_free(&merge->join, &input->map);
		input->waits = false;
	}
	pmon_merge_sum_info(merge);
	pmon_merge_tell_clash(merge);
}

enum pmon_status
pmon_fleet_read(struct pmon_source *merge, struct pmon_fleet_options *options,
		const struct pmon_allocator *allocator, struct pmon_statistics **out,
		struct pmon_err *err)
{
	struct pmon_fleet_options own;
	struct fleet fleet = {.merge = pmon_merge_of_logs(merge),
			      .options = &own,
			      .allocator = pmon_mem_allocator(allocator),
			      .err = err};
	struct pmon_pool pool = {0, 0, read_log, take_log, &fleet};
	enum pmon_status status;

	*out = NULL;
	status = pmon_options_read(&own, sizeof(own), options, err);
	if (status == PMON_OK)
		status = pmon_options_read(&fleet.read, sizeof(fleet.read), own.read, err);
	if (status != PMON_OK)
		return status;
	pool.threads = fleet.read.threads;
	if (fleet.merge == NULL)
		return pmon_err_set(err, PMON_E_ARG, 0, "not a merge of logs");
	own.unknown_processes = false;
	pmon_boundaries_init(&fleet.boundaries, fleet.allocator);
	status = begin_fleet(&fleet);
	pool.n = fleet.n;
	if (status == PMON_OK && pool.n > 0)
		status = pmon_pool_run(&pool, fleet.allocator, err);
	if (status == PMON_OK)
		status = read_tangles(&fleet);
	if (status == PMON_OK) {
		leave_at_end(&fleet);
		own.samples = pmon_statistics_used(fleet.statistics).samples;
		if (options != NULL)
			pmon_options_write(options, &own, sizeof(own));
		*out = fleet.statistics;
		fleet.statistics = NULL;
	}
	end_fleet(&fleet);
	return status;
}
