// statistics.c - the statistics and displayed values of every series of a source
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/options.h"
#include "base/prefetch.h"
#include "core/calc.h"
#include "model/source.h"
#include "query/latency.h"
#include "query/rows.h"
#include "query/statistics.h"

// If series come and go, the rows of a sample are scattered in memory: prefetch this many rows
// ahead.
#define AHEAD 8

// Numbers are batched before they are added: as many as fit the L2 cache, but at least a few
// samples.
#define BATCH_NUMBERS 65536
#define LEAST_SAMPLES 4

// Consecutive samples of numbers with the same series, not yet added to rows.
struct batch {
	size_t n_samples;
	size_t most_samples;
	size_t n; // series of the newest sample of numbers
	uint32_t *series;
	size_t series_cap;
	double *numbers; // n per sample
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
	uint64_t n_samples; // of the stream of the newest
	struct pmon_used used;
	struct batch *batch;  // NULL if there were no numbers so far
	struct pmon_raw *raw; // of a sample that came as numbers
	size_t raw_cap;
	struct pmon_latencies latencies;
};

enum pmon_status
pmon_statistics_new(const struct pmon_schema *schema, const struct pmon_calc_options *options,
		    const struct pmon_allocator *allocator, struct pmon_statistics **out,
		    struct pmon_err *err)
{
	struct pmon_calc_options own;
	enum pmon_status status = pmon_options_read(&own, sizeof(own), options, err);

	*out = NULL;
	if (status != PMON_OK)
		return status;
	allocator = pmon_mem_allocator(allocator);
	*out = pmon_mem_alloc0(allocator, sizeof(**out));
	if (*out == NULL)
		return pmon_err_nomem(err);
	(*out)->allocator = allocator;
	(*out)->rows.allocator = allocator;
	(*out)->latencies.rates.allocator = allocator;
	(*out)->rows.schema = schema;
	(*out)->rows.paces.allocator = allocator;
	pmon_arena_init(&(*out)->rows.arena, allocator);
	(*out)->rows.options = own;
	return PMON_OK;
}

enum pmon_status
pmon_statistics_begin(const struct pmon_schema *schema,
		      const struct pmon_statistics_options *options,
		      const struct pmon_allocator *allocator, struct pmon_statistics **out,
		      struct pmon_err *err)
{
	enum pmon_status status = pmon_statistics_new(schema, options->calc, allocator, out, err);

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
	pmon_latencies_free(&statistics->latencies);
	pmon_rows_free(&statistics->rows);
	pmon_mem_free(allocator, statistics->raw, statistics->raw_cap * sizeof(*statistics->raw));
	pmon_mem_free(allocator, statistics->values,
		      statistics->values_cap * sizeof(*statistics->values));
	pmon_mem_free(allocator, statistics, sizeof(*statistics));
}

// Number k of series i, if a run cannot add it together with others.
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
			    &value); // the row exists, so this needs no memory
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
	pmon_prefetch(&rows->list[id]);
	pmon_prefetch(&rows->list[id].run.minimum_status);
	if (rows->keep == 0)
		return;
	pmon_prefetch(&rows->spreads[id]);
	pmon_prefetch(&rows->spreads[id].weight);
}

// Where the quantile of a row was, which was prefetched before, the next value is counted.
static inline void
prefetch_bins(const struct pmon_rows *rows, uint32_t id)
{
	const struct pmon_quantile_octave *bins = rows->spreads[id].quantile.bins;

	if (bins == NULL)
		return;
	pmon_prefetch(&bins->pages[0]);
	pmon_prefetch(&bins->pages[PMON_QUANTILE_PAGES / 2]);
}

static bool
make_room(struct pmon_statistics *statistics, const struct pmon_sample *sample, bool with_values)
{
	struct pmon_rows *rows = &statistics->rows;

	if (rows->n < pmon_schema_count(rows->schema) &&
	    (!pmon_rows_grow(rows) || !pmon_latencies_grow(&statistics->latencies, rows->schema)))
		return false;
	return !with_values ||
	       pmon_mem_grow(statistics->allocator, &statistics->values, &statistics->values_cap,
			     sample->n, sizeof(*statistics->values));
}

// Add a sample, each value to the row of its series. values may be NULL.
static bool
add_to_rows(struct pmon_rows *rows, const struct pmon_sample *sample, struct pmon_value *values)
{
	for (size_t i = 0; i < sample->n; i++) {
		struct pmon_value value;

		if (i + AHEAD < sample->n)
			prefetch(rows, sample->series[i + AHEAD]);
		if (rows->keep != 0 && i + AHEAD / 2 < sample->n)
			prefetch_bins(rows, sample->series[i + AHEAD / 2]);
		if (!(rows->keep == 0 ? pmon_rows_add(rows, sample, i, &value)
				      : pmon_rows_add_kept(rows, sample, i, &value)))
			return false;
		if (values != NULL)
			values[i] = value;
	}
	return true;
}

static bool
follow_pace(struct pmon_rows *rows, const struct pmon_sample *sample)
{
	rows->pace = pmon_paces_add(&rows->paces, sample);
	return rows->pace != NULL;
}

enum pmon_status
pmon_statistics_add(struct pmon_statistics *statistics, const struct pmon_sample *sample,
		    const struct pmon_value **values, struct pmon_err *err)
{
	if (values != NULL)
		*values = NULL;
	if (!make_room(statistics, sample, values != NULL))
		return pmon_err_nomem(err);
	pmon_used_add(&statistics->used, sample);
	add_batch(statistics);
	if (statistics->rows.keep != 0 && !follow_pace(&statistics->rows, sample))
		return pmon_err_nomem(err);
	if (!add_to_rows(&statistics->rows, sample, values != NULL ? statistics->values : NULL))
		return pmon_err_nomem(err);
	if (!pmon_latencies_add(&statistics->latencies, sample, NULL))
		return pmon_err_nomem(err);
	if (values != NULL)
		*values = statistics->values;
	statistics->n_samples = sample->ordinal + 1;
	return PMON_OK;
}

// ---- Samples of numbers ---------------------------------------------------------------------

// Whether the sample has the series of the last one, and comes directly after it.
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

// Record a sample, whose series are those of the next batch. False when memory is short.
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

// Add a single sample. If it comes as numbers, it may lack raw values.
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

	if (numbers == NULL || sample->n == 0 || sample->preceding ||
	    sample->time == PMON_TIME_NONE || statistics->rows.keep != 0)
		return add_alone(statistics, sample, numbers, err);
	if (batch == NULL || !is_alike(batch, sample)) {
		status = add_alone(statistics, sample, numbers, err);
		if (status == PMON_OK && !begin_batch(statistics, sample))
			return pmon_err_nomem(err);
		return status;
	}
	memcpy(batch->numbers + batch->n_samples * batch->n, numbers, batch->n * sizeof(*numbers));
	if (!pmon_latencies_add(&statistics->latencies, sample, numbers))
		return pmon_err_nomem(err);
	batch->times[batch->n_samples] = sample->time;
	batch->ordinal = sample->ordinal;
	statistics->used.samples++;
	if (++batch->n_samples == batch->most_samples)
		add_batch(statistics);
	statistics->n_samples = sample->ordinal + 1;
	return PMON_OK;
}

// ---- Samples that were used -----------------------------------------------------------------

struct pmon_used
pmon_statistics_used(const struct pmon_statistics *statistics)
{
	return statistics->used;
}

static void
use(struct pmon_statistics *statistics, const struct pmon_statistics *next)
{
	statistics->used.samples += next->used.samples;
	statistics->used.empty += next->used.empty;
}

void
pmon_statistics_unuse(struct pmon_statistics *statistics, struct pmon_used used)
{
	statistics->used.samples -= used.samples;
	statistics->used.empty -= used.empty;
}

// ---- Statistics that follow on others -------------------------------------------------------

// Times in damaged logs may have any value.
static int64_t
plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

// All jumps of a stream up to its first sample in the next statistics.
static int64_t
jumps_until(const struct pmon_statistics *statistics, const struct pmon_statistics *next,
	    uint32_t stream, bool is_whole)
{
	struct pmon_pace pace = pmon_paces_at(&statistics->rows.paces, stream);
	struct pmon_pace after = pmon_paces_at(&next->rows.paces, stream);

	return pmon_pace_jumps_until(&pace, &after, is_whole);
}

// The series begins in the next statistics: move its numbers.
static void
move_row(struct pmon_statistics *statistics, size_t to, struct pmon_statistics *next, size_t from)
{
	statistics->rows.list[to] = next->rows.list[from];
	statistics->rows.list[to].ordinal += statistics->n_samples;
	statistics->rows.first[to] = statistics->n_samples + next->rows.first[from];
	if (statistics->rows.keep != 0) {
		struct pmon_spread *spread = &statistics->rows.spreads[to];

		*spread = next->rows.spreads[from];
		spread->jumps_100ns =
			plus(spread->jumps_100ns,
			     jumps_until(statistics, next, next->rows.list[from].stream,
					 spread->is_whole));
	}
	next->rows.list[from].stats = NULL;
}

// The time that a gap or a clock change adds between the newest raw value of a row and the first
// one in the next statistics. In another log, its own usual interval defines a gap.
static int64_t
jumps_between(const struct pmon_statistics *statistics, size_t to,
	      const struct pmon_statistics *next, size_t from)
{
	const struct pmon_row *row = &statistics->rows.list[to];
	const struct pmon_row *other = &next->rows.list[from];
	struct pmon_pace last = {.samples = 0};
	struct pmon_pace after = pmon_paces_at(&next->rows.paces, other->stream);
	bool is_whole = next->rows.spreads[from].is_whole;

	if (row->stream == other->stream &&
	    pmon_paces_at(&statistics->rows.paces, row->stream).samples > 0)
		return (int64_t)pmon_raw_difference(
			jumps_until(statistics, next, row->stream, is_whole),
			statistics->rows.spreads[to].jumps_100ns);
	last.samples = 1;
	last.first = last.time = row->stats->last_raw_time;
	last.usual_100ns = after.usual_100ns;
	return last.time != PMON_TIME_NONE ? pmon_pace_jumps_until(&last, &after, is_whole) : 0;
}

// The series is in both. is_next: no sample lies between the two.
static enum pmon_status
merge_row(struct pmon_statistics *statistics, size_t to, struct pmon_statistics *next, size_t from,
	  bool is_next)
{
	struct pmon_row *row = &statistics->rows.list[to];
	struct pmon_row *other = &next->rows.list[from];
	const struct pmon_spread *spread = next->rows.keep != 0 ? &next->rows.spreads[from] : NULL;
	int64_t jumps = spread != NULL ? jumps_between(statistics, to, next, from) : 0;
	int64_t all_jumps = spread != NULL
				    ? plus(plus(statistics->rows.spreads[to].jumps_100ns, jumps),
					   spread->jumps_100ns)
				    : 0;
	enum pmon_status status = PMON_E_NOMEM;

	pmon_run_end(&row->run, row->stats);
	pmon_run_end(&other->run, other->stats);
	(void)pmon_rows_merge(&statistics->rows, to, other->stats, spread, is_next, jumps, &status);
	pmon_run_begin(&row->run, row->stats);
	if (spread != NULL)
		statistics->rows.spreads[to].jumps_100ns = all_jumps;
	return status;
}

// It was absent in between unless the samples are adjacent.
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

// *moved is set if statistics of a row move.
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

// Move all of next unchanged if there are no earlier statistics. False if its series have different
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

bool
pmon_statistics_pace_changed(const struct pmon_statistics *statistics)
{
	const struct pmon_paces *paces = &statistics->rows.paces;

	for (size_t i = 0; i < paces->n; i++)
		if (paces->list[i].has_changed)
			return true;
	return false;
}

enum pmon_status
pmon_statistics_append(struct pmon_statistics *statistics, struct pmon_statistics *next,
		       const uint32_t *map, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool is_whole;
	bool moved;

	add_batch(statistics);
	add_batch(next);
	use(statistics, next);
	moved = is_whole = statistics->n_samples == 0 && take_all(statistics, next, map);
	if (!moved && !pmon_rows_grow(&statistics->rows))
		return pmon_err_nomem(err);
	if (!moved)
		status = append_rows(statistics, next, map, &moved);
	if (moved)
		pmon_arena_take(&statistics->rows.arena, &next->rows.arena);
	if (!is_whole && !pmon_paces_append(&statistics->rows.paces, &next->rows.paces))
		return pmon_err_nomem(err);
	statistics->n_samples += next->n_samples;
	if (!pmon_latencies_append(&statistics->latencies, &next->latencies, map, true))
		return pmon_err_nomem(err);
	return status;
}

enum pmon_status
pmon_statistics_follow(struct pmon_statistics *statistics, struct pmon_statistics *next,
		       const uint32_t *map, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	add_batch(statistics);
	add_batch(next);
	use(statistics, next);
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
	if (!pmon_latencies_append(&statistics->latencies, &next->latencies, map, false))
		return pmon_err_nomem(err);
	return status;
}

// Compute the first value of a row from the pair with `started`. False when memory is short.
static bool
start_row(struct pmon_rows *rows, size_t i, const struct pmon_raw *started)
{
	struct pmon_stats *stats = rows->list[i].stats;
	struct pmon_value value = pmon_calc_value(&stats->calc, started, &stats->head);
	struct pmon_stats fresh;

	if (rows->keep != 0 && pmon_vstat_has_value(value.status) &&
	    !pmon_spread_boundary(&rows->spreads[i], &rows->arena, rows->keep, started,
				  &stats->head, value.value))
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
		statistics->batch->n = 0; // the next sample resets the row, and then a batch
	if (i < statistics->rows.n)
		statistics->rows.list[i] = (struct pmon_row){.stats = NULL};
	pmon_latencies_forget(&statistics->latencies, (uint32_t)i);
}

void
pmon_statistics_restart(struct pmon_statistics *statistics)
{
	add_batch(statistics);
	pmon_latencies_restart(&statistics->latencies);
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
		return NULL; // they belong to another series that had this number
	pmon_run_end(&row->run, row->stats);
	return row->stats;
}

bool
pmon_statistics_latency(const struct pmon_statistics *statistics, size_t i, double *seconds,
			double *operations)
{
	return pmon_schema_at(statistics->rows.schema, i)->formatted &&
	       pmon_latencies_get(&statistics->latencies, (uint32_t)i, seconds, operations);
}

struct pmon_value
pmon_statistics_average(const struct pmon_statistics *statistics, size_t i,
			enum pmon_average_kind *kind)
{
	const struct pmon_stats *stats = pmon_statistics_at(statistics, i);
	double seconds;
	double operations;

	*kind = pmon_series_average_kind(pmon_schema_at(statistics->rows.schema, i));
	if (stats != NULL && pmon_statistics_latency(statistics, i, &seconds, &operations)) {
		*kind = PMON_AVERAGE_DERIVED;
		if (operations > 0)
			return (struct pmon_value){.value = seconds / operations};
	}
	return stats != NULL ? pmon_stats_average(stats)
			     : (struct pmon_value){.status = PMON_V_NO_DATA};
}

void
pmon_statistics_explain_average(const struct pmon_statistics *statistics, size_t i,
				enum pmon_average_kind *kind, struct pmon_explanation *out)
{
	double seconds;
	double operations;

	pmon_series_explain_average(pmon_schema_at(statistics->rows.schema, i),
				    pmon_statistics_at(statistics, i), out);
	(void)pmon_statistics_average(statistics, i, kind);
	if (*kind == PMON_AVERAGE_DERIVED &&
	    pmon_statistics_latency(statistics, i, &seconds, &operations) && operations > 0)
		pmon_latency_explain(seconds, operations, out);
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
pmon_statistics_percentile(const struct pmon_statistics *statistics, size_t i, double percent)
{
	const struct pmon_stats *stats = pmon_statistics_at(statistics, i);

	if (stats == NULL || !(percent >= 0 && percent <= 100))
		return (struct pmon_value){.status = PMON_V_NO_DATA};
	return pmon_spread_percentile(pmon_statistics_spread(statistics, i), stats,
				      (uint32_t)round(percent * PMON_PERCENT));
}
