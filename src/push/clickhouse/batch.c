// batch.c - facts on their way into ClickHouse
// SPDX-License-Identifier: MIT

#include "push/clickhouse/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/wr.h"

// A partition is a month, and servers refuse more than 100 in a batch.
#define MAX_SPAN (90 * 28 * 24 * 60 * PMON_TIME_PER_MIN)

void
pmon_ch_batch_init(struct ch_batch *batch, const struct pmon_allocator *allocator)
{
	*batch = (struct ch_batch){.allocator = allocator};
}

void
pmon_ch_batch_free(struct ch_batch *batch)
{
	const struct pmon_allocator *allocator = batch->allocator;
	struct ch_machines *machines = &batch->machines;

	pmon_mem_free(allocator, machines->text, machines->cap);
	pmon_mem_free(allocator, machines->of, machines->of_cap * sizeof(*machines->of));
	pmon_mem_free(allocator, batch->rows, batch->rows_cap * CH_FACT_SIZE);
	pmon_mem_free(allocator, batch->series, batch->series_cap * sizeof(*batch->series));
	pmon_push_seams_free(&batch->firsts, allocator);
	pmon_mem_free(allocator, batch->sorted, batch->sorted_cap);
	pmon_mem_free(allocator, batch->ranks, batch->ranks_cap * sizeof(*batch->ranks));
	pmon_mem_free(allocator, batch->starts, batch->starts_cap * sizeof(*batch->starts));
}

void
pmon_ch_batch_clear(struct ch_batch *batch)
{
	batch->n = 0;
	batch->firsts.n = 0;
	batch->n_taken = 0;
}

// ---- Machines -------------------------------------------------------------------------------

void
pmon_ch_put_text(struct pmon_wr *w, struct pmon_span text)
{
	size_t left = text.len;

	for (; left >= 128; left >>= 7)
		pmon_wr_u8(w, (uint8_t)(left | 128));
	pmon_wr_u8(w, (uint8_t)left);
	pmon_wr_copy(w, text.ptr, text.len);
}

// Most series have the machine of the series before.
bool
pmon_ch_batch_add_machine(struct ch_batch *batch, struct pmon_span machine)
{
	struct ch_machines *m = &batch->machines;
	size_t most = machine.len + 10;
	struct pmon_wr w;

	if (!pmon_mem_grow(batch->allocator, &m->of, &m->of_cap, m->n + 1, sizeof(*m->of)) ||
	    !pmon_mem_grow(batch->allocator, &m->text, &m->cap, m->len + most, 1))
		return false;
	w = pmon_wr_init(m->text + m->len, most);
	pmon_ch_put_text(&w, machine);
	m->of[m->n] = (struct ch_machine){m->len, pmon_wr_pos(&w)};
	if (m->n > 0 && m->of[m->n - 1].len == m->of[m->n].len &&
	    memcmp(m->text + m->of[m->n - 1].at, m->text + m->len, m->of[m->n].len) == 0)
		m->of[m->n] = m->of[m->n - 1];
	else
		m->len += m->of[m->n].len;
	m->n++;
	return true;
}

// ---- Filling --------------------------------------------------------------------------------

bool
pmon_ch_batch_is_full(const struct ch_batch *batch, const struct pmon_sample *sample)
{
	return batch->n > 0 &&
	       (sample->time < batch->to - MAX_SPAN || sample->time > batch->from + MAX_SPAN);
}

void
pmon_ch_put_key(struct pmon_wr *w, struct pmon_hash128 key)
{
	pmon_wr_u64(w, key.high);
	pmon_wr_u64(w, key.low);
}

void
pmon_ch_put_owner(struct pmon_wr *w, const struct pmon_push_owner *owner)
{
	pmon_wr_i64(w, owner->id);
	pmon_wr_i64(w, owner->start);
	pmon_wr_u8(w, (uint8_t)owner->known);
}

void
pmon_ch_put_fact(struct pmon_wr *w, const struct pmon_push_fact *fact, uint64_t version)
{
	const struct pmon_increment *row = &fact->row;
	uint64_t x;

	memcpy(&x, &row->x, sizeof(x));
	pmon_ch_put_key(w, fact->series);
	pmon_wr_i64(w, fact->time - CH_EPOCH);
	pmon_wr_u32(w, fact->nth);
	pmon_wr_i64(w, row->n);
	pmon_wr_i64(w, row->d);
	pmon_wr_i64(w, row->b);
	pmon_wr_u64(w, x);
	pmon_wr_i64(w, fact->span);
	pmon_wr_i64(w, row->time - fact->time);
	pmon_wr_u32(w, row->multi);
	pmon_wr_u32(w, row->raw_status);
	pmon_ch_put_owner(w, &fact->owner);
	pmon_wr_u8(w, (uint8_t)row->wrapped);
	pmon_wr_u8(w, (uint8_t)row->kind);
	pmon_wr_u8(w, (uint8_t)row->status);
	pmon_wr_u64(w, version);
}

void
pmon_ch_batch_mend(struct ch_batch *batch, const struct pmon_push_first *first)
{
	struct pmon_wr w = pmon_wr_init(batch->rows + first->at * CH_FACT_SIZE, CH_FACT_SIZE);

	pmon_ch_put_fact(&w, &first->fact, pmon_push_version(&first->fact));
}

// There is room for it.
static void
put_row(struct ch_batch *batch, const struct pmon_push_fact *fact, uint32_t series)
{
	struct pmon_wr w = pmon_wr_init(batch->rows + batch->n * CH_FACT_SIZE, CH_FACT_SIZE);

	pmon_ch_put_fact(&w, fact, pmon_push_version(fact));
	if (batch->n == 0 || fact->time < batch->from)
		batch->from = fact->time;
	if (batch->n == 0 || fact->time > batch->to)
		batch->to = fact->time;
	batch->series[batch->n++] = series;
}

enum pmon_status
pmon_ch_batch_add(struct ch_batch *batch, struct pmon_push_states *states,
		  const struct pmon_sample *sample, const struct pmon_push_row *rows,
		  struct pmon_err *err)
{
	size_t n = batch->n + sample->n;

	if (!pmon_mem_grow(batch->allocator, &batch->rows, &batch->rows_cap, n, CH_FACT_SIZE) ||
	    !pmon_mem_grow(batch->allocator, &batch->series, &batch->series_cap, n,
			   sizeof(*batch->series)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++) {
		uint32_t series = sample->series[i];
		struct pmon_push_fact fact;
		bool is_fact;
		bool is_first;

		if (!pmon_push_seams_take(&batch->firsts, states, series, &rows[i], batch->n, &fact,
					  &is_fact, &is_first))
			return pmon_err_nomem(err);
		if (is_fact)
			put_row(batch, &fact, series);
	}
	batch->n_taken += sample->n;
	return PMON_OK;
}

// ---- Sorting --------------------------------------------------------------------------------

// A series by its key.
struct place {
	struct pmon_hash128 key;
	uint32_t series;
};

// As ClickHouse sorts UUIDs: by their second half first.
static int
compare(const void *a, const void *b)
{
	const struct place *x = a;
	const struct place *y = b;

	if (x->key.low != y->key.low)
		return x->key.low < y->key.low ? -1 : 1;
	return pmon_hash128_compare(x->key, y->key);
}

// Rank all series by their keys, when there are new ones.
static bool
rank(struct ch_batch *batch, const struct pmon_push_keys *keys)
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
		places[i] = (struct place){keys->list[i].key, (uint32_t)i};
	qsort(places, n, sizeof(*places), compare);
	for (size_t i = 0; i < n; i++)
		batch->ranks[places[i].series] = (uint32_t)i;
	pmon_mem_free(batch->allocator, places, n * sizeof(*places));
	batch->n_ranked = n;
	return true;
}

// Bytes of a row of a series.
static size_t
row_size(const struct ch_batch *batch, uint32_t series)
{
	return batch->machines.of[series].len + CH_FACT_SIZE;
}

// Where the rows of each series begin, in the order of keys. Returns where the last ends.
static size_t
find_starts(struct ch_batch *batch)
{
	size_t at = 0;

	memset(batch->starts, 0, batch->n_ranked * sizeof(*batch->starts));
	for (size_t i = 0; i < batch->n; i++)
		batch->starts[batch->ranks[batch->series[i]]] += row_size(batch, batch->series[i]);
	for (size_t i = 0; i < batch->n_ranked; i++) {
		size_t n = batch->starts[i];

		batch->starts[i] = at;
		at += n;
	}
	return at;
}

const uint8_t *
pmon_ch_batch_sort(struct ch_batch *batch, const struct pmon_push_keys *keys)
{
	const struct ch_machines *machines = &batch->machines;

	if (!rank(batch, keys))
		return NULL;
	batch->bytes = find_starts(batch);
	if (!pmon_mem_grow(batch->allocator, &batch->sorted, &batch->sorted_cap, batch->bytes, 1))
		return NULL;
	for (size_t i = 0; i < batch->n; i++) {
		const struct ch_machine *machine = &machines->of[batch->series[i]];
		size_t *start = &batch->starts[batch->ranks[batch->series[i]]];

		memcpy(batch->sorted + *start, machines->text + machine->at, machine->len);
		memcpy(batch->sorted + *start + machine->len, batch->rows + i * CH_FACT_SIZE,
		       CH_FACT_SIZE);
		*start += machine->len + CH_FACT_SIZE;
	}
	return batch->sorted;
}
