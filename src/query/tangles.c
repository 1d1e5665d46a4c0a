// tangles.c - logs of a fleet that have to be read together, by time
// SPDX-License-Identifier: MIT

#include "query/fleet.h"

#include "base/err.h"
#include "base/mem.h"
#include "query/pool.h"

// The logs of one group, as logs of their own.
struct tangle {
	struct fleet *fleet;
	size_t group;
	size_t *numbers;
	size_t n;
};

static enum pmon_status
open_tangled(void *ctx, size_t i, struct pmon_source **source, struct pmon_err *err)
{
	const struct tangle *tangle = ctx;
	const struct pmon_logs *logs = &tangle->fleet->merge->logs;

	return logs->open(logs->ctx, tangle->numbers[i], source, err);
}

// A log that was read before may fail now. It is reported when all threads have ended.
static void
note_lost(void *ctx, size_t i, const struct pmon_err *err)
{
	const struct tangle *tangle = ctx;
	struct fleet_log *log = &tangle->fleet->logs[tangle->numbers[i]];

	log->is_lost = true;
	log->lost = *err;
}

// Reported with those of the other groups when all threads have ended.
static void
note_clash(void *ctx, const struct pmon_clash *clash)
{
	const struct tangle *tangle = ctx;
	struct pmon_clash *kept = &tangle->fleet->logs[tangle->group].clash;

	*kept = *clash;
	kept->log = tangle->numbers[clash->log];
	kept->other = tangle->numbers[clash->other];
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
find_tangled(struct fleet *fleet, size_t group, struct tangle *tangle)
{
	tangle->fleet = fleet;
	tangle->group = group;
	tangle->n = 0;
	tangle->numbers = pmon_mem_alloc(fleet->allocator, fleet->n * sizeof(*tangle->numbers));
	if (tangle->numbers == NULL)
		return false;
	for (size_t i = 0; i < fleet->merge->n; i++)
		if (fleet->merge->inputs[i].first != PMON_TIME_NONE &&
		    fleet->logs[i].group == group)
			tangle->numbers[tangle->n++] = i;
	return true;
}

// Where a series of the group comes from is known only now that it was read by time.
static void
set_origins(struct fleet *fleet, const struct tangle *tangle, const struct pmon_schema *schema,
	    const uint32_t *map)
{
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *from = pmon_schema_at(schema, i);
		struct pmon_series *to = fleet->merge->base.schema.list[map[i]];

		to->source = (uint32_t)tangle->numbers[from->source];
		to->order = from->order;
	}
}

// Put the group's statistics in the place of those that were put together log by log.
static enum pmon_status
replace(struct fleet *fleet, const struct tangle *tangle, struct fleet_log *log)
{
	const struct pmon_schema *schema = pmon_source_schema(log->source);
	struct pmon_join_map map = {.n = 0};
	enum pmon_status status = pmon_join_add(&fleet->merge->join, &map, schema, 0, fleet->err);

	if (status == PMON_OK) {
		for (size_t i = 0; i < map.n; i++)
			pmon_statistics_forget(fleet->statistics, map.to[i]);
		set_origins(fleet, tangle, schema, map.to);
		status = pmon_statistics_follow(fleet->statistics, log->statistics, map.to,
						fleet->err);
	}
	pmon_join_map_free(&fleet->merge->join, &map);
	return status;
}

// The whole of a group by time, as one log.
static void
read_tangle(void *ctx, size_t i, size_t thread)
{
	struct fleet *fleet = ctx;
	struct fleet_log *log = &fleet->logs[fleet->tangles[i]];
	struct tangle tangle;
	struct pmon_logs logs = {.open = open_tangled, .clash = note_clash, .ctx = &tangle};
	struct pmon_source *source;

	if (!find_tangled(fleet, fleet->tangles[i], &tangle)) {
		log->status = pmon_err_nomem(&log->err);
		return;
	}
	logs.n = tangle.n;
	if (fleet->merge->logs.failed != NULL)
		logs.failed = note_lost;
	log->status = pmon_merge_logs(&logs, fleet->allocator, &source, &log->err);
	if (log->status == PMON_OK)
		log->status = pmon_fleet_begin_log(fleet, log, source);
	if (log->status == PMON_OK)
		log->status = pmon_fleet_read_all(fleet, log, thread);
	// Nothing of it is opened from here on.
	pmon_mem_free(fleet->allocator, tangle.numbers, fleet->n * sizeof(*tangle.numbers));
}

static enum pmon_status
take_tangle(void *ctx, size_t i)
{
	struct fleet *fleet = ctx;
	struct fleet_log *log = &fleet->logs[fleet->tangles[i]];
	enum pmon_status status = log->status;
	struct tangle tangle;

	if (status != PMON_OK) {
		if (fleet->err != NULL)
			*fleet->err = log->err;
		return status;
	}
	if (!find_tangled(fleet, fleet->tangles[i], &tangle))
		return pmon_err_nomem(fleet->err);
	for (size_t k = 0; k < tangle.n; k++)
		if (fleet->logs[tangle.numbers[k]].is_lost)
			pmon_fleet_tell_failed(fleet, tangle.numbers[k],
					       &fleet->logs[tangle.numbers[k]].lost);
	add_clash(fleet->merge, &log->clash);
	status = replace(fleet, &tangle, log);
	pmon_mem_free(fleet->allocator, tangle.numbers, fleet->n * sizeof(*tangle.numbers));
	pmon_fleet_end_log(log);
	return status;
}

enum pmon_status
pmon_fleet_read_tangles(struct fleet *fleet)
{
	struct pmon_pool pool = {0, fleet->options->read.threads, read_tangle, take_tangle, fleet};

	// From here on several threads look at the groups, and none moves them.
	for (size_t i = 0; i < fleet->merge->n; i++)
		fleet->logs[i].group = pmon_fleet_group_of(fleet, i);
	for (size_t i = 0; i < fleet->merge->n; i++)
		if (fleet->logs[i].group == i && fleet->logs[i].tangled)
			fleet->tangles[fleet->tangles_n++] = i;
	pool.n = fleet->tangles_n;
	return pool.n > 0 ? pmon_pool_run(&pool, fleet->allocator, fleet->err) : PMON_OK;
}
