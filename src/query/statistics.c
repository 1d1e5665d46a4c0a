// statistics.c - the statistics and displayed values of every series of a source
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/columns.h"
#include "core/run.h"
#include "query/statistics.h"

// Where series come and go a sample jumps about in memory: rows are fetched this far ahead.
#define AHEAD 8

// One series. `stream` and `ordinal` tell of its newest sample: when the next one is not the one that
// follows in the same stream, the series was absent in between. Rows lie one behind the other, so that
// a sample goes through memory in one direction.
struct row {
	uint64_t ordinal;
	uint32_t stream;
	struct pmon_run run;
	struct pmon_stats
		*stats; // NULL before the first value; in the arena, as users have pointers to it
};

// Samples of numbers of the same series that have to come before the series stand side by side.
#define ALIKE 8

// Series that stand side by side (core/columns.h): what came of them since is there, and in no row.
struct abreast {
	struct pmon_columns columns; // of none while nothing stands there
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
	const struct pmon_schema *schema;
	struct pmon_calc_options options;
	struct pmon_arena arena;
	struct row *rows;
	uint64_t *first; // beside rows: the ordinal of the first sample of each
	size_t n;
	size_t rows_cap;
	size_t first_cap;
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
	pmon_arena_init(&(*out)->arena, allocator);
	(*out)->schema = schema;
	if (options != NULL)
		(*out)->options = *options;
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
	pmon_arena_free(&statistics->arena);
	pmon_mem_free(allocator, statistics->rows,
		      statistics->rows_cap * sizeof(*statistics->rows));
	pmon_mem_free(allocator, statistics->first,
		      statistics->first_cap * sizeof(*statistics->first));
	pmon_mem_free(allocator, statistics->values,
		      statistics->values_cap * sizeof(*statistics->values));
	pmon_mem_free(allocator, statistics, sizeof(*statistics));
}

// Rows for the series that have come since.
static bool
grow(struct pmon_statistics *statistics)
{
	size_t n = pmon_schema_count(statistics->schema);

	if (!pmon_mem_grow(statistics->allocator, &statistics->rows, &statistics->rows_cap, n,
			   sizeof(*statistics->rows)) ||
	    !pmon_mem_grow(statistics->allocator, &statistics->first, &statistics->first_cap, n,
			   sizeof(*statistics->first)))
		return false;
	for (; statistics->n < n; statistics->n++)
		statistics->rows[statistics->n] = (struct row){.stats = NULL};
	return true;
}

// The statistics of a series, to begin with.
static bool
begin_stats(struct pmon_statistics *statistics, size_t i, uint64_t ordinal)
{
	const struct pmon_series *series = pmon_schema_at(statistics->schema, i);
	struct pmon_stats *stats = pmon_arena_alloc(&statistics->arena, sizeof(*stats));
	struct pmon_calc calc;

	if (stats == NULL)
		return false;
	pmon_calc_init(&calc, &series->counter, &statistics->options);
	pmon_stats_init(stats, &calc);
	statistics->rows[i].stats = stats;
	statistics->first[i] = ordinal;
	return true;
}

// The plain way, for everything.
static struct pmon_value
add_raw(struct row *row, bool is_first, const struct pmon_sample *sample,
	const struct pmon_raw *raw)
{
	struct pmon_value value = {.status = PMON_V_NO_DATA};
	struct pmon_stats *stats = row->stats;

	pmon_run_end(&row->run, stats);
	if (!is_first && row->stream == sample->stream && sample->ordinal > row->ordinal + 1)
		pmon_stats_gap(stats);
	row->stream = sample->stream;
	row->ordinal = sample->ordinal;
	if (sample->lead_in)
		pmon_stats_lead(stats, raw);
	else
		value = pmon_stats_add(stats, raw);
	pmon_run_begin(&row->run, stats);
	return value;
}

// The short way, for a raw value that follows on the one before. False when it has to go the plain one.
static inline bool
add_to_run(struct row *row, const struct pmon_sample *sample, const struct pmon_raw *raw)
{
	if (row->ordinal + 1 != sample->ordinal || row->stream != sample->stream ||
	    sample->lead_in || !pmon_run_add(&row->run, row->stats, raw))
		return false;
	row->ordinal = sample->ordinal;
	return true;
}

// Hand what stands side by side over to the rows.
static void
fall_in(const struct pmon_statistics *statistics)
{
	struct abreast *abreast = statistics->abreast;

	if (abreast == NULL || abreast->columns.n == 0)
		return;
	pmon_columns_end(&abreast->columns);
	abreast->n_alike = 0;
	for (size_t i = 0; i < abreast->n; i++) {
		uint32_t id = abreast->series[i];

		statistics->rows[id].ordinal = abreast->ordinal;
		pmon_run_begin(&statistics->rows[id].run, statistics->rows[id].stats);
	}
}

static inline void
prefetch(const struct row *row)
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
	if (statistics->n < pmon_schema_count(statistics->schema) && !grow(statistics))
		return false;
	return !with_values ||
	       pmon_mem_grow(statistics->allocator, &statistics->values, &statistics->values_cap,
			     sample->n, sizeof(*statistics->values));
}

enum pmon_status
pmon_statistics_add(struct pmon_statistics *statistics, const struct pmon_sample *sample,
		    const struct pmon_value **values, struct pmon_err *err)
{
	if (values != NULL)
		*values = NULL;
	fall_in(statistics);
	if (!make_room(statistics, sample, values != NULL))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++) {
		uint32_t id = sample->series[i];
		struct row *row = &statistics->rows[id];
		struct pmon_value value;
		bool is_first;

		if (i + AHEAD < sample->n)
			prefetch(&statistics->rows[sample->series[i + AHEAD]]);
		if (add_to_run(row, sample, &sample->raw[i])) {
			if (values != NULL)
				statistics->values[i] = pmon_run_last(&row->run);
			continue;
		}
		is_first = row->stats == NULL;
		if (is_first && !begin_stats(statistics, id, sample->ordinal))
			return pmon_err_nomem(err);
		value = add_raw(row, is_first, sample, &sample->raw[i]);
		if (values != NULL)
			statistics->values[i] = value;
	}
	if (values != NULL)
		*values = statistics->values;
	statistics->n_samples = sample->ordinal + 1;
	return PMON_OK;
}

// ---- Samples of numbers ---------------------------------------------------------------------

// Is the sample of the series of the last one, and directly behind it?
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

// From now on its series stand side by side, if all of them can. False when memory is short.
static bool
fall_out(struct pmon_statistics *statistics, struct abreast *abreast)
{
	if (!pmon_mem_grow(statistics->allocator, &abreast->memory, &abreast->memory_cap,
			   PMON_COLUMNS_SIZE(abreast->n), 1))
		return false;
	pmon_columns_begin(&abreast->columns, abreast->memory, abreast->n);
	for (size_t i = 0; i < abreast->n; i++) {
		uint32_t id = abreast->series[i];

		pmon_run_end(&statistics->rows[id].run, statistics->rows[id].stats);
		if (!pmon_columns_take(&abreast->columns, i, statistics->rows[id].stats)) {
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
	enum pmon_status status;

	if (abreast != NULL && abreast->columns.n > 0 && numbers != NULL &&
	    is_alike(abreast, sample) &&
	    pmon_columns_add(&abreast->columns, numbers, sample->time)) {
		abreast->ordinal = sample->ordinal;
		statistics->n_samples = sample->ordinal + 1;
		return PMON_OK;
	}
	status = pmon_statistics_add(statistics, sample, NULL, err);
	if (status != PMON_OK || numbers == NULL || sample->n == 0)
		return status;
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
	statistics->rows[to] = next->rows[from];
	statistics->rows[to].ordinal += statistics->n_samples;
	statistics->first[to] = statistics->n_samples + next->first[from];
	next->rows[from].stats = NULL;
}

// Between the two it was absent where the samples are not neighbours.
static enum pmon_status
merge_row(struct pmon_statistics *statistics, size_t to, struct pmon_statistics *next, size_t from)
{
	struct row *row = &statistics->rows[to];
	struct row *other = &next->rows[from];
	enum pmon_status status;

	pmon_run_end(&row->run, row->stats);
	pmon_run_end(&other->run, other->stats);
	if (row->ordinal + 1 != statistics->n_samples + next->first[from])
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

	for (size_t i = 0; i < next->n && status == PMON_OK; i++) {
		if (next->rows[i].stats == NULL)
			continue;
		if (statistics->rows[map[i]].stats != NULL) {
			status = merge_row(statistics, map[i], next, i);
			continue;
		}
		move_row(statistics, map[i], next, i);
		*moved = true;
	}
	return status;
}

// Where nothing stands before it, all of next goes over as it is. False when its series have other
// numbers.
static bool
take_all(struct pmon_statistics *statistics, struct pmon_statistics *next, const uint32_t *map)
{
	struct pmon_statistics old = *statistics;

	for (size_t i = 0; i < next->n; i++)
		if (map[i] != i)
			return false;
	statistics->rows = next->rows;
	statistics->rows_cap = next->rows_cap;
	statistics->first = next->first;
	statistics->first_cap = next->first_cap;
	statistics->n = next->n;
	next->rows = old.rows;
	next->rows_cap = old.rows_cap;
	next->first = old.first;
	next->first_cap = old.first_cap;
	next->n = 0;
	return true;
}

enum pmon_status
pmon_statistics_append(struct pmon_statistics *statistics, struct pmon_statistics *next,
		       const uint32_t *map, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool moved;

	fall_in(statistics);
	fall_in(next);
	moved = statistics->n_samples == 0 && take_all(statistics, next, map);
	if (!moved && !grow(statistics))
		return pmon_err_nomem(err);
	if (!moved)
		status = append_rows(statistics, next, map, &moved);
	if (moved)
		pmon_arena_take(&statistics->arena, &next->arena);
	statistics->n_samples += next->n_samples;
	return status;
}

// The series is in both, which are of different streams.
static enum pmon_status
follow_row(struct row *row, struct row *other)
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

	fall_in(statistics);
	fall_in(next);
	pmon_arena_take(&statistics->arena, &next->arena);
	if (!grow(statistics))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < next->n && status == PMON_OK; i++) {
		if (next->rows[i].stats == NULL)
			continue;
		if (statistics->rows[map[i]].stats != NULL)
			status = follow_row(&statistics->rows[map[i]], &next->rows[i]);
		else
			move_row(statistics, map[i], next, i);
	}
	return status;
}

void
pmon_statistics_forget(struct pmon_statistics *statistics, size_t i)
{
	fall_in(statistics);
	if (i < statistics->n)
		statistics->rows[i] = (struct row){.stats = NULL};
}

void
pmon_statistics_restart(struct pmon_statistics *statistics)
{
	fall_in(statistics);
	for (size_t i = 0; i < statistics->n; i++) {
		struct pmon_stats *stats = statistics->rows[i].stats;
		struct pmon_run *run = &statistics->rows[i].run;
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
	struct row *row;

	if (i >= statistics->n || statistics->rows[i].stats == NULL)
		return NULL;
	fall_in(statistics);
	row = &statistics->rows[i];
	pmon_run_end(&row->run, row->stats);
	return row->stats;
}
