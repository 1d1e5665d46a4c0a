// statistics.c - the statistics and displayed values of every series of a source
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/source.h"
#include "query/rows.h"
#include "query/statistics.h"

// Where series come and go a sample jumps about in memory: rows are fetched this far ahead.
#define AHEAD 8

// Numbers that are kept until they are added, as many as a second-level cache has room for; but a few
// samples of them.
#define BATCH_NUMBERS 65536
#define LEAST_SAMPLES 4

// Samples of numbers of the same series that follow each other directly, and are in no row yet.
struct batch {
	size_t n_samples;
	size_t most_samples;
	size_t n; // series of the newest sample of numbers
	uint32_t *series;
	size_t series_cap;
	double *numbers; // n of each sample
	size_t numbers_cap;
	pmon_time times[PMON_RUN_DOUBLES];
	uint32_t stream; // of the newest sample
	uint64_t ordinal;
};

struct pmon_statistics {
	const struct pmon_allocator *allocator;
	struct pmon_rows rows;
	struct pmon_value *values;
	size_t values_cap;
	uint64_t n_samples;   // of the stream of the newest
	struct batch *batch;  // NULL when there never were numbers
	struct pmon_raw *raw; // of a sample that came as numbers
	size_t raw_cap;
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

enum pmon_status
pmon_statistics_begin(const struct pmon_schema *schema,
		      const struct pmon_statistics_options *options,
		      const struct pmon_allocator *allocator, struct pmon_statistics **out,
		      struct pmon_err *err)
{
	enum pmon_status status = pmon_statistics_new(schema, &options->calc, allocator, out, err);

	if (status == PMON_OK)
		pmon_statistics_keep(*out, options->keep);
	return status;
}

static void
free_batch(struct pmon_statistics *statistics)
{
	const struct pmon_allocator *allocator = statistics->allocator;
	struct batch *batch = statistics->batch;

	if (batch == NULL)
		return;
	pmon_mem_free(allocator, batch->series, batch->series_cap * sizeof(*batch->series));
	pmon_mem_free(allocator, batch->numbers, batch->numbers_cap * sizeof(*batch->numbers));
	pmon_mem_free(allocator, batch, sizeof(*batch));
}

void
pmon_statistics_keep(struct pmon_statistics *statistics, unsigned what)
{
	statistics->rows.keep = what;
}

void
pmon_statistics_free(struct pmon_statistics *statistics)
{
	const struct pmon_allocator *allocator;

	if (statistics == NULL)
		return;
	allocator = statistics->allocator;
	free_batch(statistics);
	pmon_rows_free(&statistics->rows);
	pmon_mem_free(allocator, statistics->raw, statistics->raw_cap * sizeof(*statistics->raw));
	pmon_mem_free(allocator, statistics->values,
		      statistics->values_cap * sizeof(*statistics->values));
	pmon_mem_free(allocator, statistics, sizeof(*statistics));
}

// Number k of series i, where a run does not take it together with others.
static void
add_number(struct pmon_rows *rows, const struct batch *batch, size_t i, size_t k, uint64_t ordinal)
{
	struct pmon_raw raw = {.time = batch->times[k]};
	struct pmon_sample sample = {.time = raw.time,
				     .ordinal = ordinal,
				     .stream = batch->stream,
				     .n = 1,
				     .series = &batch->series[i],
				     .raw = &raw};
	struct pmon_value value;

	memcpy(&raw.first, &batch->numbers[k * batch->n + i], sizeof(raw.first));
	(void)pmon_rows_add(rows, &sample, 0,
			    &value); // the row is there, so that memory cannot be short
}

static void
add_series(struct pmon_rows *rows, const struct batch *batch, size_t i)
{
	struct pmon_row *row = &rows->list[batch->series[i]];
	uint64_t first = batch->ordinal + 1 - batch->n_samples;

	for (size_t k = 0; k < batch->n_samples; k++) {
		if (row->ordinal + 1 == first + k && row->stream == batch->stream) {
			size_t n = pmon_run_add_doubles(&row->run, row->stats,
							batch->numbers + k * batch->n + i, batch->n,
							batch->times + k, batch->n_samples - k);

			k += n;
			row->ordinal += n;
		}
		if (k < batch->n_samples)
			add_number(rows, batch, i, k, first + k);
	}
}

// Add the samples of the batch to the rows.
static void
add_batch(const struct pmon_statistics *statistics)
{
	struct batch *batch = statistics->batch;
	struct pmon_rows rows = statistics->rows;

	if (batch == NULL || batch->n_samples == 0)
		return;
	for (size_t i = 0; i < batch->n; i++)
		add_series(&rows, batch, i);
	batch->n_samples = 0;
}

static inline void
prefetch(const struct pmon_rows *rows, uint32_t id)
{
#if defined(__GNUC__)
	__builtin_prefetch(&rows->list[id], 1);
	__builtin_prefetch(&rows->list[id].run.minimum_status, 1);
	if (rows->keep != 0)
		__builtin_prefetch(&rows->spreads[id], 1);
#else
	(void)rows;
	(void)id;
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
			prefetch(rows, sample->series[i + AHEAD]);
		if (!(rows->keep == 0 ? pmon_rows_add(rows, sample, i, &value)
				      : pmon_rows_add_kept(rows, sample, i, &value)))
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
	add_batch(statistics);
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
is_alike(const struct batch *batch, const struct pmon_sample *sample)
{
	return batch->n == sample->n && batch->stream == sample->stream &&
	       batch->ordinal + 1 == sample->ordinal &&
	       memcmp(batch->series, sample->series, sample->n * sizeof(*sample->series)) == 0;
}

static size_t
most_samples(size_t n)
{
	size_t most = BATCH_NUMBERS / n;

	if (most < LEAST_SAMPLES)
		return LEAST_SAMPLES;
	return most < PMON_RUN_DOUBLES ? most : PMON_RUN_DOUBLES;
}

// Take note of a sample, whose series are those of the next batch. False when memory is short.
static bool
begin_batch(struct pmon_statistics *statistics, const struct pmon_sample *sample)
{
	const struct pmon_allocator *allocator = statistics->allocator;
	struct batch *batch = statistics->batch;

	if (batch == NULL)
		batch = pmon_mem_alloc0(allocator, sizeof(*batch));
	statistics->batch = batch;
	if (batch == NULL)
		return false;
	batch->n = 0;
	batch->most_samples = most_samples(sample->n);
	if (!pmon_mem_grow(allocator, &batch->series, &batch->series_cap, sample->n,
			   sizeof(*batch->series)) ||
	    !pmon_mem_grow(allocator, &batch->numbers, &batch->numbers_cap,
			   batch->most_samples * sample->n, sizeof(*batch->numbers)))
		return false;
	memcpy(batch->series, sample->series, sample->n * sizeof(*batch->series));
	batch->n = sample->n;
	batch->stream = sample->stream;
	batch->ordinal = sample->ordinal;
	return true;
}

// Add a sample alone. If it comes as numbers, the source need not have given raw values.
static enum pmon_status
add_alone(struct pmon_statistics *statistics, const struct pmon_sample *sample,
	  const double *numbers, struct pmon_err *err)
{
	struct pmon_sample whole = *sample;

	if (numbers == NULL)
		return pmon_statistics_add(statistics, sample, NULL, err);
	if (!pmon_mem_grow(statistics->allocator, &statistics->raw, &statistics->raw_cap, sample->n,
			   sizeof(*statistics->raw)))
		return pmon_err_nomem(err);
	pmon_source_raw_of(numbers, sample->n, sample->time, statistics->raw);
	whole.raw = statistics->raw;
	return pmon_statistics_add(statistics, &whole, NULL, err);
}

enum pmon_status
pmon_statistics_add_numbers(struct pmon_statistics *statistics, const struct pmon_sample *sample,
			    const double *numbers, struct pmon_err *err)
{
	struct batch *batch = statistics->batch;
	enum pmon_status status;

	if (numbers == NULL || sample->n == 0 || sample->lead_in ||
	    sample->time == PMON_TIME_NONE || statistics->rows.keep != 0)
		return add_alone(statistics, sample, numbers, err);
	if (batch == NULL || !is_alike(batch, sample)) {
		status = add_alone(statistics, sample, numbers, err);
		if (status == PMON_OK && !begin_batch(statistics, sample))
			return pmon_err_nomem(err);
		return status;
	}
	memcpy(batch->numbers + batch->n_samples * batch->n, numbers, batch->n * sizeof(*numbers));
	batch->times[batch->n_samples] = sample->time;
	batch->ordinal = sample->ordinal;
	if (++batch->n_samples == batch->most_samples)
		add_batch(statistics);
	statistics->n_samples = sample->ordinal + 1;
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
	if (statistics->rows.keep != 0)
		statistics->rows.spreads[to] = next->rows.spreads[from];
	next->rows.list[from].stats = NULL;
}

// The series is in both. is_next: no sample lies between the two.
static enum pmon_status
merge_row(struct pmon_statistics *statistics, size_t to, struct pmon_statistics *next, size_t from,
	  bool is_next)
{
	struct pmon_row *row = &statistics->rows.list[to];
	struct pmon_row *other = &next->rows.list[from];
	const struct pmon_spread *spread = next->rows.keep != 0 ? &next->rows.spreads[from] : NULL;
	enum pmon_status status = PMON_E_NOMEM;

	pmon_run_end(&row->run, row->stats);
	pmon_run_end(&other->run, other->stats);
	(void)pmon_rows_merge(&statistics->rows, to, other->stats, spread, is_next, &status);
	pmon_run_begin(&row->run, row->stats);
	return status;
}

// Between the two it was absent where the samples are not neighbours.
static enum pmon_status
append_row(struct pmon_statistics *statistics, size_t to, struct pmon_statistics *next, size_t from)
{
	struct pmon_row *row = &statistics->rows.list[to];
	bool is_next = row->ordinal + 1 == statistics->n_samples + next->rows.first[from];

	pmon_run_end(&row->run, row->stats);
	if (!is_next)
		pmon_stats_gap(row->stats);
	row->ordinal = statistics->n_samples + next->rows.list[from].ordinal;
	return merge_row(statistics, to, next, from, is_next);
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
			status = append_row(statistics, map[i], next, i);
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

	add_batch(statistics);
	add_batch(next);
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

enum pmon_status
pmon_statistics_follow(struct pmon_statistics *statistics, struct pmon_statistics *next,
		       const uint32_t *map, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	add_batch(statistics);
	add_batch(next);
	pmon_arena_take(&statistics->rows.arena, &next->rows.arena);
	if (!pmon_rows_grow(&statistics->rows))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < next->rows.n && status == PMON_OK; i++) {
		if (next->rows.list[i].stats == NULL)
			continue;
		if (statistics->rows.list[map[i]].stats != NULL)
			status = merge_row(statistics, map[i], next, i, false);
		else
			move_row(statistics, map[i], next, i);
	}
	return status;
}

// The first value of a row is that of the pair with `started`. False when memory is short.
static bool
start_row(struct pmon_rows *rows, size_t i, const struct pmon_raw *started)
{
	struct pmon_stats *stats = rows->list[i].stats;
	struct pmon_value value = pmon_calc_value(&stats->calc, started, &stats->head);
	struct pmon_stats fresh;

	if (rows->keep != 0 && pmon_vstat_has_value(value.status) &&
	    !pmon_spread_seam(&rows->spreads[i], &rows->arena, rows->keep, started, &stats->head,
			      value.value))
		return false;
	pmon_stats_init(&fresh, &stats->calc);
	pmon_stats_lead(&fresh, started);
	if (pmon_stats_merge(&fresh, stats) == PMON_OK)
		*stats = fresh;
	return true;
}

bool
pmon_statistics_changed(struct pmon_statistics *statistics, size_t i,
			const struct pmon_raw *started)
{
	struct pmon_row *row;
	bool good = true;

	if (i >= statistics->rows.n || statistics->rows.list[i].stats == NULL)
		return true;
	add_batch(statistics);
	row = &statistics->rows.list[i];
	pmon_run_end(&row->run, row->stats);
	if (started != NULL && row->stats->has_head)
		good = start_row(&statistics->rows, i, started);
	else
		pmon_stats_changed(row->stats);
	pmon_run_begin(&row->run, row->stats);
	return good;
}

void
pmon_statistics_forget(struct pmon_statistics *statistics, size_t i)
{
	add_batch(statistics);
	if (statistics->batch != NULL)
		statistics->batch->n = 0; // the next sample begins the row anew, and then a batch
	if (i < statistics->rows.n)
		statistics->rows.list[i] = (struct pmon_row){.stats = NULL};
}

void
pmon_statistics_restart(struct pmon_statistics *statistics)
{
	add_batch(statistics);
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
		if (statistics->rows.keep != 0)
			pmon_spread_restart(&statistics->rows.spreads[i]);
		pmon_run_begin(run, stats);
	}
}

const struct pmon_stats *
pmon_statistics_at(const struct pmon_statistics *statistics, size_t i)
{
	struct pmon_row *row;

	if (i >= statistics->rows.n || statistics->rows.list[i].stats == NULL)
		return NULL;
	add_batch(statistics);
	row = &statistics->rows.list[i];
	if (row->life != pmon_schema_at(statistics->rows.schema, i)->life)
		return NULL; // they are of another series that had this number
	pmon_run_end(&row->run, row->stats);
	return row->stats;
}

// ---- Totals and percentiles -----------------------------------------------------------------

const struct pmon_spread *
pmon_statistics_spread(const struct pmon_statistics *statistics, size_t i)
{
	return statistics->rows.keep != 0 && i < statistics->rows.n ? &statistics->rows.spreads[i]
								    : NULL;
}

struct pmon_value
pmon_statistics_total(const struct pmon_statistics *statistics, size_t i)
{
	const struct pmon_stats *stats = pmon_statistics_at(statistics, i);

	if (stats == NULL)
		return (struct pmon_value){.status = PMON_V_NO_DATA};
	return pmon_spread_total(pmon_statistics_spread(statistics, i),
				 pmon_schema_at(statistics->rows.schema, i), stats);
}

struct pmon_value
pmon_statistics_percentile(const struct pmon_statistics *statistics, size_t i, uint32_t p)
{
	const struct pmon_stats *stats = pmon_statistics_at(statistics, i);

	if (stats == NULL)
		return (struct pmon_value){.status = PMON_V_NO_DATA};
	return pmon_spread_percentile(pmon_statistics_spread(statistics, i), stats, p);
}
