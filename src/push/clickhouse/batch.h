// batch.h - facts on their way into ClickHouse
// SPDX-License-Identifier: MIT
//
// Rows come in the order of time and go out in the order of the table, by series: that costs the server
// far more than it costs here.

#ifndef PMON_PUSH_CLICKHOUSE_BATCH_H
#define PMON_PUSH_CLICKHOUSE_BATCH_H

#include "base/wr.h"
#include "push/facts.h"
#include "push/push.h"
#include "push/seams.h"

#define CH_EPOCH INT64_C(116444736000000000) // 1970, where DateTime64 begins

#define CH_FACT_SIZE 112 // bytes of a pmon_fact row in RowBinary, without the machine
#define CH_FACT_COLUMNS                                                                            \
	"machine, series, time, nth, n, d, b, x, span, lag, multi, raw_status, owner, "            \
	"owner_start, owner_known, wrapped, kind, status, version"

// The machines of series, each with its length in front as RowBinary has it.
struct ch_machines {
	uint8_t *text;
	size_t len;
	size_t cap;
	struct ch_machine {
		size_t at;
		size_t len;
	} * of; // by the numbers of series
	size_t n;
	size_t of_cap;
};

struct ch_batch {
	const struct pmon_allocator *allocator;
	struct ch_machines machines;
	uint8_t *rows; // in order of arrival
	size_t rows_cap;
	uint32_t *series; // of each
	size_t series_cap;
	size_t n;
	struct pmon_push_seams firsts;
	uint8_t *sorted; // by series; made by pmon_ch_batch_sort()
	size_t sorted_cap;
	uint32_t *ranks; // of the series, by the order of their keys
	size_t ranks_cap;
	size_t n_ranked;
	size_t *starts; // by position in the order of keys: where its next row goes
	size_t starts_cap;
	size_t bytes;   // of the rows that are sorted
	size_t n_taken; // rows, with those that are no facts
	pmon_time from; // of its facts
	pmon_time to;
};

// A key as a UUID of RowBinary, and a text with its length in front.
void pmon_ch_put_key(struct pmon_wr *w, struct pmon_hash128 key);
void pmon_ch_put_text(struct pmon_wr *w, struct pmon_span text);
void pmon_ch_put_owner(struct pmon_wr *w, const struct pmon_push_owner *owner);

void pmon_ch_batch_init(struct ch_batch *batch, const struct pmon_allocator *allocator);
void pmon_ch_batch_free(struct ch_batch *batch);

// Empty the batch but keep its memory.
void pmon_ch_batch_clear(struct ch_batch *batch);

// The machine of the next series. false: out of memory.
bool pmon_ch_batch_add_machine(struct ch_batch *batch, struct pmon_span machine);

// Would the sample make it span too many partitions?
bool pmon_ch_batch_is_full(const struct ch_batch *batch, const struct pmon_sample *sample);

// Add a sample, whose raw values are these rows.
PMON_NODISCARD enum pmon_status pmon_ch_batch_add(struct ch_batch *batch,
						  struct pmon_push_states *states,
						  const struct pmon_sample *sample,
						  const struct pmon_push_row *rows,
						  struct pmon_err *err);

// A fact as RowBinary, without its machine.
void pmon_ch_put_fact(struct pmon_wr *w, const struct pmon_push_fact *fact, uint64_t version);

// Write the fact of a first row again.
void pmon_ch_batch_mend(struct ch_batch *batch, const struct pmon_push_first *first);

// The rows in the order to send, batch->bytes, valid until the batch changes. NULL if out of memory.
const uint8_t *pmon_ch_batch_sort(struct ch_batch *batch, const struct pmon_push_keys *keys);

#endif
