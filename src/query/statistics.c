// statistics.c - the statistics and displayed values of every series of a source
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/columns.h"
#include "query/rows.h"
#include "query/statistics.h"

// Where series come and go a sample jumps about in memory: rows are fetched this far ahead.
#define AHEAD 8

// Samples of numbers of the same series that have to come before the series are stored column-wise.
#define ALIKE 8

// Series that are stored column-wise (core/columns.h): their totals since then are there, and in no
// row.
struct abreast {
	struct pmon_columns columns; // empty while no series is stored so
	size_t n_alike;
	size_t n; // series of the newest sample of numbers
	uint32_t *series;
	size_t series_cap;
	char *memory;
	size_t memory_cap;
	uint32_t stream; // of the newest sample
	uint64_t ordinal;
};

struct pmon_statistics {
	const struct pmon_allocator *allocator;
	struct pmon_rows rows;
	struct pmon_value *values;
	size_t values_cap;
	uint64_t n_samples;      // of the stream of the newest
	struct abreast *abreast; // NULL when there never were numbers
};

enum pmon_status
pmon_statistics_new(const struct pmon_schema *schema, const struct pmon_calc_options *options,
		    const struct pmon_allocator *allocator, struct pmon_statistics **out,
		    struct pmon_err *err)
{
	allocator = pmon_mem_allocator(allocator);
	*out = pmon_mem_alloc0(allocator, sizeof(**out));
	if (*out == NULL)
		return pmon_err_nomem(err);
	(*out)->allocator = allocator;
	(*out)->rows.allocator = allocator;
	(*out)->rows.schema = schema;
	pmon_arena_init(&(*out)->rows.arena, allocator);
	if (options != NULL)
		(*out)->rows.options = *options;
	return PMON_OK;
}

static void
free_abreast(struct pmon_statistics *statistics)
{
	const struct pmon_allocator *allocator = statistics->allocator;
	struct abreast *abreast = statistics->abreast;

	if (abreast == NULL)
		return;
	pmon_mem_free(allocator, abreast->series, abreast->series_cap * sizeof(*abreast->series));
	pmon_mem_free(allocator, abreast->memory, abreast->memory_cap);
	pmon_mem_free(allocator, abreast, sizeof(*abreast));
}

void
pmon_statistics_free(struct pmon_statistics *statistics)
{
	const struct pmon_allocator *allocator;

	if (statistics == NULL)
		return;
	allocator = statistics->allocator;
	free_abreast(statistics);
	pmon_rows_free(&statistics->rows);
	pmon_mem_free(allocator, statistics->values,
		      statistics->values_cap * sizeof(*statistics->values));
	pmon_mem_free(allocator, statistics, sizeof(*statistics));
}

// Move the series that are stored column-wise back to the rows.
static void
leave_columns(const struct pmon_statistics *statistics)
{
	struct abreast *abreast = statistics->abreast;

	if (abreast == NULL || abreast->columns.n == 0)
		return;
	pmon_columns_end(&abreast->columns);
	abreast->n_alike = 0;
	for (size_t i = 0; i < abreast->n; i++) {
		struct pmon_row *row = &statistics->rows.list[abreast->series[i]];

		row->ordinal = abreast->ordinal;
		pmon_run_begin(&row->run, row->stats);
	}
}

static inline void
prefetch(const struct pmon_row *row)
{
#if defined(__GNUC__)
	__builtin_prefetch(row, 1);
	__builtin_prefetch(&row->run.minimum_status, 1);
#else
	(void)row;
#endif
}

// Room for what the sample may bring.
static bool
make_room(struct pmon_statistics *statistics, const struct pmon_sample *sample, bool with_values)
{
	struct pmon_rows *rows = &statistics->rows;

	if (rows->n < pmon_schema_count(rows->schema) && !pmon_rows_grow(rows))
		return false;
	return !with_values ||
	       pmon_mem_grow(statistics->allocator, &statistics->values, &statistics->values_cap,
			     sample->n, sizeof(*statistics->values));
}

// A sample, each value by the row of its series. values may be NULL.
static bool
add_to_rows(struct pmon_rows *rows, const struct pmon_sample *sample, struct pmon_value *values)
{
	for (size_t i = 0; i < sample->n; i++) {
		struct pmon_value value;

		if (i + AHEAD < sample->n)
			prefetch(&rows->list[sample->series[i + AHEAD]]);
		if (!pmon_rows_add(rows, sample, i, &value))
			return false;
		if (values != NULL)
			values[i] = value;
	}
	return true;
}

enum pmon_status
pmon_statistics_add(struct pmon_statistics *statistics, const struct pmon_sample *sample,
		    const struct pmon_value **values, struct pmon_err *err)
{
	if (values != NULL)
		*values = NULL;
	if (!make_room(statistics, sample, values != NULL))
		return pmon_err_nomem(err);
	leave_columns(statistics);
	if (!add_to_rows(&statistics->rows, sample, values != NULL ? statistics->values : NULL))
		return pmon_err_nomem(err);
	if (values != NULL)
		*values = statistics->values;
	statistics->n_samples = sample->ordinal + 1;
	return PMON_OK;
}

// ---- Samples of numbers ---------------------------------------------------------------------

// Does the sample have the series of the last one, and directly follow it?
static bool
is_alike(const struct abreast *abreast, const struct pmon_sample *sample)
{
	return abreast->n == sample->n && abreast->stream == sample->stream &&
	       abreast->ordinal + 1 == sample->ordinal && !sample->lead_in &&
	       memcmp(abreast->series, sample->series, sample->n * sizeof(*sample->series)) == 0;
}

// Take note of the sample for the next one. False when memory is short.
static bool
note_sample(const struct pmon_allocator *allocator, struct abreast *abreast,
	    const struct pmon_sample *sample)
{
	abreast->n_alike = is_alike(abreast, sample) ? abreast->n_alike + 1 : 0;
	abreast->stream = sample->stream;
	abreast->ordinal = sample->ordinal;
	if (abreast->n_alike > 0)
		return true;
	abreast->n = 0;
	if (!pmon_mem_grow(allocator, &abreast->series, &abreast->series_cap, sample->n,
			   sizeof(*abreast->series)))
		return false;
	memcpy(abreast->series, sample->series, sample->n * sizeof(*sample->series));
	abreast->n = sample->n;
	return true;
}

// From now on its series are stored column-wise, if all of them can be. False when memory is short.
static bool
fall_out(struct pmon_statistics *statistics, struct abreast *abreast)
{
	if (!pmon_mem_grow(statistics->allocator, &abreast->memory, &abreast->memory_cap,
			   PMON_COLUMNS_SIZE(abreast->n), 1))
		return false;
	pmon_columns_begin(&abreast->columns, abreast->memory, abreast->n);
	for (size_t i = 0; i < abreast->n; i++) {
		struct pmon_row *row = &statistics->rows.list[abreast->series[i]];

		pmon_run_end(&row->run, row->stats);
		if (!pmon_columns_take(&abreast->columns, i, row->stats)) {
			abreast->columns.n = 0;
			abreast->n_alike = 0;
			return true;
		}
	}
	return true;
}

enum pmon_status
pmon_statistics_add_numbers(struct pmon_statistics *statistics, const struct pmon_sample *sample,
			    const double *numbers, struct pmon_err *err)
{
	struct abreast *abreast = statistics->abreast;

	if (abreast != NULL && abreast->columns.n > 0 && numbers != NULL &&
	    is_alike(abreast, sample) &&
	    pmon_columns_add(&abreast->columns, numbers, sample->time)) {
		abreast->ordinal = sample->ordinal;
		statistics->n_samples = sample->ordinal + 1;
		return PMON_OK;
	}
	if (numbers == NULL || sample->n == 0)
		return pmon_statistics_add(statistics, sample, NULL, err);
	leave_columns(statistics);
	if (!make_room(statistics, sample, false) || !add_to_rows(&statistics->rows, sample, NULL))
		return pmon_err_nomem(err);
	statistics->n_samples = sample->ordinal + 1;
	if (abreast == NULL)
		abreast = pmon_mem_alloc0(statistics->allocator, sizeof(*abreast));
	statistics->abreast = abreast;
	if (abreast == NULL || !note_sample(statistics->allocator, abreast, sample) ||
	    (abreast->n_alike == ALIKE && !fall_out(statistics, abreast)))
		return pmon_err_nomem(err);
	return PMON_OK;
}

// ---- Statistics that follow on others -------------------------------------------------------

// The series has begun in the next statistics: its numbers go over.
static void
move_row(struct pmon_statistics *statistics, size_t to, struct pmon_statistics *next, size_t from)
{
	statistics->rows.list[to] = next->rows.list[from];
	statistics->rows.list[to].ordinal += statistics->n_samples;
	statistics->rows.first[to] = statistics->n_samples + next->rows.first[from];
	next->rows.list[from].stats = NULL;
}

// Between the two it was absent where the samples are not neighbours.
static enum pmon_status
merge_row(struct pmon_statistics *statistics, size_t to, struct pmon_statistics *next, size_t from)
{
	struct pmon_row *row = &statistics->rows.list[to];
	struct pmon_row *other = &next->rows.list[from];
	enum pmon_status status;

	pmon_run_end(&row->run, row->stats);
	pmon_run_end(&other->run, other->stats);
	if (row->ordinal + 1 != statistics->n_samples + next->rows.first[from])
		pmon_stats_gap(row->stats);
	status = pmon_stats_merge(row->stats, other->stats);
	row->ordinal = statistics->n_samples + other->ordinal;
	pmon_run_begin(&row->run, row->stats);
	return status;
}

// *moved is set when statistics of a row go over.
static enum pmon_status
append_rows(struct pmon_statistics *statistics, struct pmon_statistics *next, const uint32_t *map,
	    bool *moved)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; i < next->rows.n && status == PMON_OK; i++) {
		if (next->rows.list[i].stats == NULL)
			continue;
		if (statistics->rows.list[map[i]].stats != NULL) {
			status = merge_row(statistics, map[i], next, i);
			continue;
		}
		move_row(statistics, map[i], next, i);
		*moved = true;
	}
	return status;
}

// If there is nothing before it, all of next is taken unchanged. False when its series have other
// numbers.
static bool
take_all(struct pmon_statistics *statistics, struct pmon_statistics *next, const uint32_t *map)
{
	struct pmon_rows own = statistics->rows;

	for (size_t i = 0; i < next->rows.n; i++)
		if (map[i] != i)
			return false;
	statistics->rows = next->rows;
	statistics->rows.schema = own.schema;
	next->rows = own;
	next->rows.n = 0;
	return true;
}

enum pmon_status
pmon_statistics_append(struct pmon_statistics *statistics, struct pmon_statistics *next,
		       const uint32_t *map, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool moved;

	leave_columns(statistics);
	leave_columns(next);
	moved = statistics->n_samples == 0 && take_all(statistics, next, map);
	if (!moved && !pmon_rows_grow(&statistics->rows))
		return pmon_err_nomem(err);
	if (!moved)
		status = append_rows(statistics, next, map, &moved);
	if (moved)
		pmon_arena_take(&statistics->rows.arena, &next->rows.arena);
	statistics->n_samples += next->n_samples;
	return status;
}

// The series is in both, which are of different streams.
static enum pmon_status
follow_row(struct pmon_row *row, struct pmon_row *other)
{
	enum pmon_status status;

	pmon_run_end(&row->run, row->stats);
	pmon_run_end(&other->run, other->stats);
	status = pmon_stats_merge(row->stats, other->stats);
	pmon_run_begin(&row->run, row->stats);
	return status;
}

enum pmon_status
pmon_statistics_follow(struct pmon_statistics *statistics, struct pmon_statistics *next,
		       const uint32_t *map, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	leave_columns(statistics);
	leave_columns(next);
	pmon_arena_take(&statistics->rows.arena, &next->rows.arena);
	if (!pmon_rows_grow(&statistics->rows))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < next->rows.n && status == PMON_OK; i++) {
		if (next->rows.list[i].stats == NULL)
			continue;
		if (statistics->rows.list[map[i]].stats != NULL)
			status = follow_row(&statistics->rows.list[map[i]], &next->rows.list[i]);
		else
			move_row(statistics, map[i], next, i);
	}
	return status;
}

void
pmon_statistics_changed(struct pmon_statistics *statistics, size_t i,
			const struct pmon_raw *started)
{
	struct pmon_row *row;
	struct pmon_stats fresh;

	if (i >= statistics->rows.n || statistics->rows.list[i].stats == NULL)
		return;
	leave_columns(statistics);
	row = &statistics->rows.list[i];
	pmon_run_end(&row->run, row->stats);
	if (started != NULL && row->stats->has_head) {
		pmon_stats_init(&fresh, &row->stats->calc);
		pmon_stats_lead(&fresh, started);
		if (pmon_stats_merge(&fresh, row->stats) == PMON_OK)
			*row->stats = fresh;
	} else {
		pmon_stats_changed(row->stats);
	}
	pmon_run_begin(&row->run, row->stats);
}

void
pmon_statistics_forget(struct pmon_statistics *statistics, size_t i)
{
	leave_columns(statistics);
	if (i < statistics->rows.n)
		statistics->rows.list[i] = (struct pmon_row){.stats = NULL};
}

void
pmon_statistics_restart(struct pmon_statistics *statistics)
{
	leave_columns(statistics);
	for (size_t i = 0; i < statistics->rows.n; i++) {
		struct pmon_stats *stats = statistics->rows.list[i].stats;
		struct pmon_run *run = &statistics->rows.list[i].run;
		struct pmon_stats fresh;

		if (stats == NULL)
			continue;
		pmon_run_end(run, stats);
		pmon_stats_init(&fresh, &stats->calc);
		if (stats->tail_open)
			pmon_stats_lead(&fresh, &stats->tail);
		*stats = fresh;
		pmon_run_begin(run, stats);
	}
}

const struct pmon_stats *
pmon_statistics_at(const struct pmon_statistics *statistics, size_t i)
{
	struct pmon_row *row;

	if (i >= statistics->rows.n || statistics->rows.list[i].stats == NULL)
		return NULL;
	leave_columns(statistics);
	row = &statistics->rows.list[i];
	if (row->life != pmon_schema_at(statistics->rows.schema, i)->life)
		return NULL; // they are of another series that had this number
	pmon_run_end(&row->run, row->stats);
	return row->stats;
}
