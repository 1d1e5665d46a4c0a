// batch.c - raw values on their way into ClickHouse
// SPDX-License-Identifier: MIT

#include "push/clickhouse/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/wr.h"

#define MAX_DAYS   64 // partitions in a batch: servers refuse more than 100
#define EPOCH_1970 INT64_C(116444736000000000)
#define DAY_100NS  (24 * 60 * PMON_TIME_PER_MIN)

void
pmon_ch_batch_init(struct ch_batch *batch, const struct pmon_allocator *allocator)
{
	*batch = (struct ch_batch){.allocator = allocator};
}

void
pmon_ch_batch_free(struct ch_batch *batch)
{
	const struct pmon_allocator *allocator = batch->allocator;

	pmon_mem_free(allocator, batch->rows, batch->rows_cap * CH_RAW_SIZE);
	pmon_mem_free(allocator, batch->series, batch->series_cap * sizeof(*batch->series));
	pmon_mem_free(allocator, batch->sorted, batch->sorted_cap * CH_RAW_SIZE);
	pmon_mem_free(allocator, batch->ranks, batch->ranks_cap * sizeof(*batch->ranks));
	pmon_mem_free(allocator, batch->starts, batch->starts_cap * sizeof(*batch->starts));
}

void
pmon_ch_batch_clear(struct ch_batch *batch)
{
	batch->n = 0;
	batch->n_days = 0;
}

// ---- Filling --------------------------------------------------------------------------------

// The day of a moment since 1970, as far as ClickHouse has them.
static uint16_t
day_of(pmon_time t)
{
	int64_t days = t < EPOCH_1970 ? 0 : (t - EPOCH_1970) / DAY_100NS;

	return days < UINT16_MAX ? (uint16_t)days : UINT16_MAX;
}

bool
pmon_ch_batch_is_full(const struct ch_batch *batch, const struct pmon_sample *sample)
{
	return batch->n > 0 && batch->n_days == MAX_DAYS && day_of(sample->time) != batch->day;
}

void
pmon_ch_put_key(struct pmon_wr *w, struct pmon_hash128 key)
{
	pmon_wr_u64(w, key.high);
	pmon_wr_u64(w, key.low);
}

// There is room for it.
static void
put_row(struct ch_batch *batch, const struct pmon_push_row *row, const struct pmon_series *series,
	uint16_t day)
{
	const struct pmon_raw *raw = row->raw;
	const struct pmon_counter *counter = &series->counter;
	struct pmon_wr w = pmon_wr_init(batch->rows + batch->n * CH_RAW_SIZE, CH_RAW_SIZE);

	pmon_ch_put_key(&w, row->series);
	pmon_wr_i64(&w, row->time);
	pmon_wr_u32(&w, row->nth);
	pmon_wr_u16(&w, day);
	pmon_wr_i64(&w, raw->time);
	pmon_wr_i64(&w, raw->first);
	pmon_wr_i64(&w, raw->second);
	pmon_wr_u32(&w, raw->multi);
	pmon_wr_u32(&w, raw->status);
	pmon_wr_i64(&w, row->absent_after);
	pmon_wr_u32(&w, counter->type);
	pmon_wr_i64(&w, counter->time_base);
	pmon_wr_u8(&w, counter->size_bytes);
	batch->series[batch->n++] = series->id;
}

static void
note_day(struct ch_batch *batch, uint16_t day)
{
	batch->n_days += batch->n_days == 0 || day != batch->day;
	batch->day = day;
}

enum pmon_status
pmon_ch_batch_add(struct ch_batch *batch, const struct pmon_schema *schema,
		  const struct pmon_sample *sample, const struct pmon_push_row *rows,
		  struct pmon_err *err)
{
	size_t n = batch->n + sample->n;

	if (!pmon_mem_grow(batch->allocator, &batch->rows, &batch->rows_cap, n, CH_RAW_SIZE) ||
	    !pmon_mem_grow(batch->allocator, &batch->series, &batch->series_cap, n,
			   sizeof(*batch->series)))
		return pmon_err_nomem(err);
	note_day(batch, day_of(sample->time));
	for (size_t i = 0; i < sample->n; i++)
		put_row(batch, &rows[i], pmon_schema_at(schema, sample->series[i]),
			sample->starts ? day_of(rows[i].time) : batch->day);
	return PMON_OK;
}

// ---- Sorting --------------------------------------------------------------------------------

// A series by its shard and its key.
struct place {
	size_t shard;
	struct pmon_hash128 key;
	uint32_t series;
};

size_t
pmon_ch_shard_of(const struct ch_shards *shards, struct pmon_hash128 key)
{
	uint64_t slot = shards->n > 1 ? key.high % shards->ends[shards->n - 1] : 0;
	size_t shard = 0;

	while (shard + 1 < shards->n && slot >= shards->ends[shard])
		shard++;
	return shard;
}

// As ClickHouse sorts UUIDs: by their second half first.
static int
compare(const void *a, const void *b)
{
	const struct place *x = a;
	const struct place *y = b;

	if (x->shard != y->shard)
		return x->shard < y->shard ? -1 : 1;
	if (x->key.low != y->key.low)
		return x->key.low < y->key.low ? -1 : 1;
	return pmon_hash128_compare(x->key, y->key);
}

// Rank all series by their keys, when there are new ones.
static bool
rank(struct ch_batch *batch, const struct pmon_push_keys *keys, const struct ch_shards *shards)
{
	size_t n = keys->n;
	struct place *places;

	if (batch->n_ranked == n)
		return true;
	places = pmon_mem_alloc(batch->allocator, n * sizeof(*places));
	if (places == NULL ||
	    !pmon_mem_grow(batch->allocator, &batch->ranks, &batch->ranks_cap, n,
			   sizeof(*batch->ranks)) ||
	    !pmon_mem_grow(batch->allocator, &batch->starts, &batch->starts_cap, n,
			   sizeof(*batch->starts))) {
		pmon_mem_free(batch->allocator, places, n * sizeof(*places));
		return false;
	}
	for (size_t i = 0; i < n; i++)
		places[i] = (struct place){pmon_ch_shard_of(shards, keys->list[i].key),
					   keys->list[i].key, (uint32_t)i};
	qsort(places, n, sizeof(*places), compare);
	for (size_t i = 0; i < n; i++)
		batch->ranks[places[i].series] = (uint32_t)i;
	pmon_mem_free(batch->allocator, places, n * sizeof(*places));
	batch->n_ranked = n;
	return true;
}

// Where the rows of each series begin, in the order of keys.
static void
count_starts(struct ch_batch *batch)
{
	size_t at = 0;

	memset(batch->starts, 0, batch->n_ranked * sizeof(*batch->starts));
	for (size_t i = 0; i < batch->n; i++)
		batch->starts[batch->ranks[batch->series[i]]]++;
	for (size_t i = 0; i < batch->n_ranked; i++) {
		size_t n = batch->starts[i];

		batch->starts[i] = at;
		at += n;
	}
}

static void
count_shards(struct ch_batch *batch, const struct pmon_push_keys *keys,
	     const struct ch_shards *shards)
{
	memset(batch->rows_of, 0, sizeof(batch->rows_of));
	for (size_t i = 0; i < batch->n; i++)
		batch->rows_of[pmon_ch_shard_of(shards, keys->list[batch->series[i]].key)]++;
}

const uint8_t *
pmon_ch_batch_sort(struct ch_batch *batch, const struct pmon_push_keys *keys,
		   const struct ch_shards *shards)
{
	if (!rank(batch, keys, shards) || !pmon_mem_grow(batch->allocator, &batch->sorted,
							 &batch->sorted_cap, batch->n, CH_RAW_SIZE))
		return NULL;
	count_starts(batch);
	count_shards(batch, keys, shards);
	for (size_t i = 0; i < batch->n; i++) {
		size_t to = batch->starts[batch->ranks[batch->series[i]]]++;

		memcpy(batch->sorted + to * CH_RAW_SIZE, batch->rows + i * CH_RAW_SIZE,
		       CH_RAW_SIZE);
	}
	return batch->sorted;
}
