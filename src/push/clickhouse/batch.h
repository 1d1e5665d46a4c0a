// batch.h - raw values on their way into ClickHouse
// SPDX-License-Identifier: MIT
//
// Rows come in the order of time and go out in the order of the table, by series: that costs the server
// far more than it costs here. On a cluster the rows of each shard are sent to it.

#ifndef PMON_PUSH_CLICKHOUSE_BATCH_H
#define PMON_PUSH_CLICKHOUSE_BATCH_H

#include "base/wr.h"
#include "push/push.h"

#define CH_RAW_SIZE 83 // of a row of pmon_raw as RowBinary
#define CH_RAW_COLUMNS                                                                             \
	"series, time, nth, day, raw_time, first, second, multi, status, absent_after, type, "     \
	"time_base, size"

// How series are distributed over shards: by the hash modulo the sum of all weights, see engine.h.
struct ch_shards {
	size_t n;                       // 1 without a cluster
	uint64_t ends[PMON_PUSH_HOSTS]; // the sums of the weights up to each
	uint64_t hosts
		[PMON_PUSH_HOSTS]; // of the URL that are in it, a bit for each; 0: none is known
};

struct ch_batch {
	const struct pmon_allocator *allocator;
	uint8_t *rows; // in the order in which they came
	size_t rows_cap;
	uint32_t *series; // of each
	size_t series_cap;
	size_t n;
	uint8_t *sorted; // by series; made by ch_batch_sort()
	size_t sorted_cap;
	uint32_t *ranks; // of the series, by the order of their keys
	size_t ranks_cap;
	size_t n_ranked;
	size_t *starts; // by position in the order of keys: where its next row goes
	size_t starts_cap;
	size_t rows_of[PMON_PUSH_HOSTS]; // of each shard; made by ch_batch_sort()
	unsigned n_days;                 // that its samples are of
	uint16_t day;                    // of the newest
};

// A key as a UUID of RowBinary.
void pmon_ch_put_key(struct pmon_wr *w, struct pmon_hash128 key);

void pmon_ch_batch_init(struct ch_batch *batch, const struct pmon_allocator *allocator);
void pmon_ch_batch_free(struct ch_batch *batch);

// Nothing is in it, and its memory stays.
void pmon_ch_batch_clear(struct ch_batch *batch);

// Would the sample make it of too many days?
bool pmon_ch_batch_is_full(const struct ch_batch *batch, const struct pmon_sample *sample);

// Add a sample of a schema, whose raw values are these rows.
PMON_NODISCARD enum pmon_status pmon_ch_batch_add(struct ch_batch *batch,
						  const struct pmon_schema *schema,
						  const struct pmon_sample *sample,
						  const struct pmon_push_row *rows,
						  struct pmon_err *err);

// The shard of a key, from 0.
size_t pmon_ch_shard_of(const struct ch_shards *shards, struct pmon_hash128 key);

// The rows as they are sent, by shard: n * CH_RAW_SIZE bytes, valid until the batch changes. NULL: no
// memory.
const uint8_t *pmon_ch_batch_sort(struct ch_batch *batch, const struct pmon_push_keys *keys,
				  const struct ch_shards *shards);

#endif
