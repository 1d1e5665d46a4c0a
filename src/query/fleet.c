// fleet.c - the statistics of many logs, several read at a time
// SPDX-License-Identifier: MIT
//
// Logs are read in the order of their first samples and put together in it. That equals reading them
// as one, by time, as long as each series goes from log to log without looking back: no log begins
// before those of the same series have ended. Logs for which that does not hold are *tangled*, with
// all that share series with them. What was put together of these is forgotten, and they are read
// again by time; so a few that overlap do not hold up the rest.

#include "query/fleet.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "query/identity.h"
#include "query/pool.h"
#include "query/window.h"

#define PROGRESS_SAMPLES 16 // between two looks at how far it is

// ---- Groups of logs that share series -------------------------------------------------------

size_t
pmon_fleet_group_of(struct fleet *fleet, size_t log)
{
	while (fleet->logs[log].group != log)
		log = fleet->logs[log].group = fleet->logs[fleet->logs[log].group].group;
	return log;
}

// The log with the lower number represents both groups.
static void
unite(struct fleet *fleet, size_t a, size_t b)
{
	size_t low = pmon_fleet_group_of(fleet, a);
	size_t high = pmon_fleet_group_of(fleet, b);

	if (low > high) {
		size_t swap = low;

		low = high;
		high = swap;
	}
	fleet->logs[high].group = low;
	fleet->logs[low].tangled |= fleet->logs[high].tangled;
}

// ---- Reading one log ------------------------------------------------------------------------

static void
tell_progress(struct fleet *fleet)
{
	struct pmon_source_info info = fleet->merge->base.info;

	info.bytes_read = atomic_load_explicit(&fleet->bytes_read, memory_order_relaxed);
	fleet->options->read.progress(fleet->options->read.progress_ctx, &info);
}

// Count the bytes that were read of a source since.
static void
note_bytes(struct fleet *fleet, const struct pmon_source *source, uint64_t *counted, size_t thread)
{
	uint64_t bytes = pmon_source_info(source)->bytes_read;

	atomic_fetch_add_explicit(&fleet->bytes_read, bytes - *counted, memory_order_relaxed);
	*counted = bytes;
	if (thread == 0 && fleet->options->read.progress != NULL)
		tell_progress(fleet);
}

// What a log without a sample in the window holds before it leads in the logs after.
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

enum pmon_status
pmon_fleet_read_all(struct fleet *fleet, struct fleet_log *log, size_t thread)
{
	const struct pmon_sample *sample;
	enum pmon_status status;
	uint64_t counted = 0;
	uint64_t n = 0;

	while ((status = pmon_source_next(log->source, &sample, &log->err)) == PMON_OK) {
		status = pmon_statistics_add(log->statistics, sample, NULL, &log->err);
		if (status != PMON_OK)
			return status;
		log->samples += !sample->lead_in;
		if (++n % PROGRESS_SAMPLES == 0)
			note_bytes(fleet, log->source, &counted, thread);
	}
	note_bytes(fleet, log->source, &counted, thread);
	return add_leads(log, status == PMON_END ? PMON_OK : status);
}

// Put the window over a source, and begin its statistics.
enum pmon_status
pmon_fleet_begin_log(struct fleet *fleet, struct fleet_log *log, struct pmon_source *source)
{
	const struct pmon_fleet_options *o = fleet->options;
	enum pmon_status status =
		pmon_window_open(source, o->from, o->to, fleet->allocator, &log->source, &log->err);

	log->window = log->source;
	if (status == PMON_OK && o->identity != NULL)
		status = pmon_identity_open(log->window, o->identity, &log->source, &log->err);
	if (status != PMON_OK)
		return status;
	return pmon_statistics_begin(pmon_source_schema(log->source), &o->read, fleet->allocator,
				     &log->statistics, &log->err);
}

void
pmon_fleet_end_log(struct fleet_log *log)
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
		log->status = pmon_fleet_begin_log(fleet, log, source);
	if (log->status != PMON_OK)
		return;
	log->status = pmon_fleet_read_all(fleet, log, thread);
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

// A raw value of the same time in two logs may be the same one, which counts once.
static bool
may_repeat(const struct pmon_stats *older, const struct pmon_stats *newer)
{
	pmon_time last;

	if (older == NULL) // left out with its group, which is read again
		return false;
	last = older->last_raw_time;
	if (pmon_stats_samples(newer) == 0 || (pmon_stats_samples(older) == 0 && !older->has_tail))
		return false;
	if (pmon_stats_samples(older) == 0)
		last = older->tail.time; // which leads in
	return last == newer->first_raw_time || last == PMON_TIME_NONE ||
	       newer->first_raw_time == PMON_TIME_NONE;
}

// Would the numbers of a counter come out alike by both definitions of it?
static bool
same_counter(const struct pmon_counter *a, const struct pmon_counter *b)
{
	return a->size_bytes == b->size_bytes && a->default_scale == b->default_scale;
}

// Note which series a log has, and whether it is tangled with logs before it.
static void
note_series(struct fleet *fleet, size_t number, const uint32_t *map)
{
	struct fleet_log *log = &fleet->logs[number];
	const struct pmon_schema *schema = pmon_source_schema(log->source);
	pmon_time newest = pmon_window_newest(log->window);

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_stats *stats = pmon_statistics_at(log->statistics, i);
		struct fleet_series *series = &fleet->series[map[i]];
		bool tangled;

		if (series->log == 0)
			*series = (struct fleet_series){number + 1, PMON_TIME_NONE};
		else
			unite(fleet, number, series->log - 1);
		if (stats == NULL)
			continue;
		tangled =
			!same_counter(&pmon_schema_at(schema, i)->counter,
				      &pmon_schema_at(&fleet->merge->base.schema, map[i])->counter);
		if (series->newest != PMON_TIME_NONE)
			tangled |= fleet->merge->inputs[number].first <= series->newest ||
				   may_repeat(pmon_statistics_at(fleet->statistics, map[i]), stats);
		series->newest = newest > series->newest ? newest : series->newest;
		fleet->logs[pmon_fleet_group_of(fleet, number)].tangled |= tangled;
	}
}

void
pmon_fleet_tell_failed(struct fleet *fleet, size_t number, const struct pmon_err *err)
{
	const struct pmon_logs *logs = &fleet->merge->logs;

	if (!fleet->logs[number].was_told)
		logs->failed(logs->ctx, number, err);
	fleet->logs[number].was_told = true;
}

// Put a log that was read to the others.
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
	    !pmon_seams_join(&fleet->seams, log->source, map.to, log->statistics, false))
		status = pmon_err_nomem(fleet->err);
	if (status == PMON_OK) {
		note_series(fleet, number, map.to);
		status = pmon_statistics_follow(fleet->statistics, log->statistics, map.to,
						fleet->err);
		// Of another definition; its group is read again.
		status = status == PMON_E_ARG ? PMON_OK : status;
	}
	fleet->options->samples += log->samples;
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
	if (status != PMON_OK)
		pmon_fleet_tell_failed(fleet, number, &log->err);
	status = log->statistics != NULL ? join_log(fleet, number) : PMON_OK;
	pmon_fleet_end_log(log);
	return status;
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
	fleet->tangles = pmon_mem_alloc0(fleet->allocator, n * sizeof(*fleet->tangles));
	if (fleet->logs == NULL || fleet->order == NULL || fleet->tangles == NULL ||
	    !put_in_order(fleet))
		return pmon_err_nomem(fleet->err);
	for (size_t i = 0; i < n; i++)
		fleet->logs[i].group = i;
	return pmon_statistics_begin(&fleet->merge->base.schema, &fleet->options->read,
				     fleet->allocator, &fleet->statistics, fleet->err);
}

static void
end_fleet(struct fleet *fleet)
{
	const struct pmon_allocator *allocator = fleet->allocator;
	size_t n = fleet->merge->n;

	for (size_t i = 0; fleet->logs != NULL && i < n; i++)
		pmon_fleet_end_log(&fleet->logs[i]);
	pmon_mem_free(allocator, fleet->logs, n * sizeof(*fleet->logs));
	pmon_mem_free(allocator, fleet->order, n * sizeof(*fleet->order));
	pmon_mem_free(allocator, fleet->tangles, n * sizeof(*fleet->tangles));
	pmon_mem_free(allocator, fleet->series, fleet->series_cap * sizeof(*fleet->series));
	pmon_statistics_free(fleet->statistics);
	pmon_seams_free(&fleet->seams);
}

// Nothing is left to be read of the merge.
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
	struct fleet fleet = {.merge = pmon_merge_of_logs(merge),
			      .options = options,
			      .allocator = pmon_mem_allocator(allocator),
			      .err = err};
	struct pmon_pool pool = {0, options->read.threads, read_log, take_log, &fleet};
	enum pmon_status status;

	*out = NULL;
	if (fleet.merge == NULL)
		return pmon_err_set(err, PMON_E_ARG, 0, "not a merge of logs");
	options->samples = 0;
	options->unknown_processes = false;
	pmon_seams_init(&fleet.seams, fleet.allocator);
	status = begin_fleet(&fleet);
	pool.n = fleet.n;
	if (status == PMON_OK && pool.n > 0)
		status = pmon_pool_run(&pool, fleet.allocator, err);
	if (status == PMON_OK)
		status = pmon_fleet_read_tangles(&fleet);
	if (status == PMON_OK) {
		leave_at_end(&fleet);
		*out = fleet.statistics;
		fleet.statistics = NULL;
	}
	end_fleet(&fleet);
	return status;
}
