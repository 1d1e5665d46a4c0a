// write_sample.c - record 0x22: the values at one point in time
// SPDX-License-Identifier: MIT
//
// A sample has a value record for every entry of its log: a single value, or all instances of a
// counter. Values are in any order, so first they are assigned to their entries.

#include "format/blg/write.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "core/calc.h"

#define TAG_SAMPLE   0x0003
#define HEAD_BYTES   8
#define SINGLE_BYTES 0x30
#define MULTI_BYTES  0x20 // up to the items
#define ITEM_BYTES   24

// ---- Values to their entries ----------------------------------------------------------------

static void
give(struct blg_writer *w, struct blg_out_entry *entry, uint32_t i)
{
	w->next[i] = BLG_NONE;
	if (entry->head == BLG_NONE)
		entry->head = i;
	else
		w->next[entry->tail] = i;
	entry->tail = i;
}

static bool
is_before(const void *visits, size_t at, uint64_t visit)
{
	return ((const uint64_t *)visits)[at] < visit;
}

// The index of (stream, log) in the list of visits, or where to insert it.
static size_t
find_visit(const struct blg_writer *w, uint64_t visit)
{
	return pmon_search(w->visits, 0, w->n_visits, visit, is_before);
}

static bool
note_visit(struct blg_writer *w, uint32_t stream, uint32_t log)
{
	uint64_t visit = (uint64_t)stream << 32 | log;
	size_t at = find_visit(w, visit);

	if (at < w->n_visits && w->visits[at] == visit)
		return true;
	if (!pmon_mem_grow(w->allocator, &w->visits, &w->visits_cap, w->n_visits + 1,
			   sizeof(*w->visits)))
		return false;
	memmove(w->visits + at + 1, w->visits + at, (w->n_visits - at) * sizeof(*w->visits));
	w->visits[at] = visit;
	w->n_visits++;
	return true;
}

static enum pmon_status
scatter(struct blg_writer *w, const struct pmon_sample *sample, struct pmon_err *err)
{
	if (!pmon_mem_grow(w->allocator, &w->next, &w->next_cap, sample->n, sizeof(*w->next)) ||
	    !pmon_mem_grow(w->allocator, &w->picks, &w->picks_cap, sample->n, sizeof(*w->picks)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++) {
		struct blg_out_item *item = &w->items[sample->series[i]];
		struct blg_out_entry *entry;
		struct blg_out_log *log;

		if (item->entry == BLG_NONE)
			continue;
		entry = &w->entries[item->entry];
		log = &w->logs[entry->log];
		item->seen = w->serial;
		give(w, entry, (uint32_t)i);
		if (log->touched != w->serial && !note_visit(w, sample->stream, entry->log))
			return pmon_err_nomem(err);
		log->touched = w->serial;
	}
	return PMON_OK;
}

// ---- Single values --------------------------------------------------------------------------

static void
put_value_head(struct pmon_wr *w, uint16_t form, size_t len)
{
	pmon_wr_u8(w, 'B');
	pmon_wr_u8(w, 'L');
	pmon_wr_u16(w, form);
	pmon_wr_u32(w, (uint32_t)len);
}

// Readers of the log determine changes of process and clock again.
static inline uint32_t
stored_status(uint32_t status)
{
	return pmon_raw_unmarked(status);
}

// Form 0103, a PDH_RAW_COUNTER; the fields are explained at load_single() in sample.c.
static inline void
put_single_at(uint8_t *at, const struct pmon_raw *raw, int32_t utc_offset_min)
{
	const uint64_t head = 'B' | 'L' << 8 | BLG_FORM_SINGLE << 16 | (uint64_t)SINGLE_BYTES << 32;

	pmon_put_le64(at, head);
	pmon_put_le32(at + 8, stored_status(raw->status));
	pmon_put_le64(at + 12, (uint64_t)blg_out_local(raw->time, utc_offset_min));
	pmon_put_le32(at + 20, 0);
	pmon_put_le64(at + 24, (uint64_t)raw->first);
	pmon_put_le64(at + 32, (uint64_t)raw->second);
	pmon_put_le64(at + 40, raw->multi);
}

// Write value i of a sample, or BLG_NONE for a counter that is absent from it.
static void
put_value_at(uint8_t *at, const struct pmon_sample *sample, uint32_t i)
{
	struct pmon_raw absent = {.status = BLG_OUT_ABSENT, .time = sample->time};

	put_single_at(at, i != BLG_NONE ? &sample->raw[i] : &absent, sample->utc_offset_min);
}

static bool
put_single(struct blg_writer *w, const struct blg_out_entry *entry,
	   const struct pmon_sample *sample)
{
	struct pmon_wr wr;

	if (!pmon_blg_bytes_add(&w->record, w->allocator, SINGLE_BYTES, &wr))
		return false;
	put_value_at(wr.base, sample, entry->head);
	return true;
}

// ---- All instances of a counter -------------------------------------------------------------

static bool
is_usable(uint32_t status)
{
	status = pmon_raw_unmarked(status);
	return status == PMON_RAW_VALID || status == PMON_RAW_NEW;
}

// A record has one status for all its items. If they differ, unusable items are dropped; if none is
// usable, the status of the first is used.
static uint32_t
choose_status(struct blg_writer *w, size_t *n)
{
	uint32_t status = *n > 0 ? w->picks[0].raw->status : PMON_RAW_VALID;
	size_t n_same = 0, n_usable = 0;

	for (size_t i = 0; i < *n; i++) {
		n_same += w->picks[i].raw->status == status;
		n_usable += is_usable(w->picks[i].raw->status);
	}
	if (n_same == *n || n_usable == 0)
		return status;
	n_usable = 0;
	for (size_t i = 0; i < *n; i++)
		if (is_usable(w->picks[i].raw->status))
			w->picks[n_usable++] = w->picks[i];
	*n = n_usable;
	return PMON_RAW_VALID;
}

static int
by_name_and_index(const void *a, const void *b)
{
	const struct blg_out_item *x = ((const struct blg_out_pick *)a)->item;
	const struct blg_out_item *y = ((const struct blg_out_pick *)b)->item;
	size_t n = x->name_len < y->name_len ? x->name_len : y->name_len;
	int diff = memcmp(x->name, y->name, n);

	if (diff != 0)
		return diff;
	if (x->name_len != y->name_len)
		return x->name_len < y->name_len ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

// Keep the order of the sample, unless two instances of the same name are not in the order of their
// indexes: their order determines which is #1.
static void
order_picks(struct blg_writer *w, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct blg_out_item *item = w->picks[i].item;
		const struct blg_out_item *prev =
			item->prev != BLG_NONE ? &w->items[item->prev] : NULL;

		if (prev != NULL && prev->seen == w->serial && prev->placed != w->serial) {
			qsort(w->picks, n, sizeof(*w->picks), by_name_and_index);
			return;
		}
		item->placed = w->serial;
	}
}

// Does the index of the item follow from the names before it? Otherwise it must be written.
static bool
has_plain_name(const struct blg_writer *w, const struct blg_out_item *item)
{
	return item->index == 0 ||
	       (item->prev != BLG_NONE && w->items[item->prev].plain == w->serial);
}

static size_t
name_len(const struct blg_writer *w, const struct blg_out_item *item)
{
	return item->plain == w->serial ? item->name_len : item->full_len;
}

// The size of the names, and which of them need no index.
static size_t
measure_names(struct blg_writer *w, size_t n)
{
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++) {
		struct blg_out_item *item = w->picks[i].item;

		if (has_plain_name(w, item))
			item->plain = w->serial;
		bytes += name_len(w, item) + 2;
	}
	return bytes;
}

// Write items and names, whose offsets count from the end of the record's header.
static void
put_items(const struct blg_writer *w, struct pmon_wr *wr, size_t n)
{
	size_t name_at = MULTI_BYTES + n * ITEM_BYTES;

	for (size_t i = 0; i < n; i++) {
		const struct blg_out_item *item = w->picks[i].item;
		const struct pmon_raw *raw = w->picks[i].raw;

		pmon_wr_seek(wr, name_at);
		pmon_wr_copy(wr, item->name, name_len(w, item));
		pmon_wr_u16(wr, 0);
		pmon_put_le32(wr->base + MULTI_BYTES + i * ITEM_BYTES,
			      (uint32_t)(name_at - HEAD_BYTES));
		name_at = pmon_wr_pos(wr);
		pmon_wr_seek(wr, MULTI_BYTES + i * ITEM_BYTES + 4);
		pmon_wr_u32(wr, raw->multi);
		pmon_wr_i64(wr, raw->first);
		pmon_wr_i64(wr, raw->second);
	}
	pmon_wr_seek(wr, name_at);
	pmon_wr_fill(wr, 0, pmon_wr_left(wr));
}

static size_t
pick(struct blg_writer *w, const struct blg_out_entry *entry, const struct pmon_sample *sample)
{
	size_t n = 0;

	for (uint32_t i = entry->head; i != BLG_NONE; i = w->next[i])
		w->picks[n++] =
			(struct blg_out_pick){&w->items[sample->series[i]], &sample->raw[i]};
	return n;
}

// Form 0203; the fields are explained at load_multi() in sample.c.
static bool
put_multi(struct blg_writer *w, const struct blg_out_entry *entry, const struct pmon_sample *sample)
{
	size_t n = pick(w, entry, sample);
	uint32_t status = choose_status(w, &n);
	pmon_time time = n > 0 ? w->picks[0].raw->time : sample->time;
	struct pmon_wr wr;
	size_t len;

	order_picks(w, n);
	len = MULTI_BYTES + n * ITEM_BYTES + measure_names(w, n);
	len += blg_out_pad(len);
	if (!pmon_blg_bytes_add(&w->record, w->allocator, len, &wr))
		return false;
	put_value_head(&wr, BLG_FORM_MULTI, len);
	pmon_wr_u32(&wr, (uint32_t)(len - HEAD_BYTES));
	pmon_wr_u32(&wr, (uint32_t)n);
	pmon_wr_u32(&wr, stored_status(status));
	pmon_wr_u32(&wr, 0);
	pmon_wr_i64(&wr, blg_out_local(time, sample->utc_offset_min));
	put_items(w, &wr, n);
	return true;
}

// ---- Samples that list what the one before them did -----------------------------------------

// In a log of single counters, all of which have a fixed offset in the record, such a sample can be
// written directly: its values go where those of the preceding sample went.
static bool
is_as_before(const struct blg_writer *w, const struct pmon_sample *sample)
{
	return w->n_plan > 0 && w->n_plan == w->n_entries && sample->n > 0 &&
	       w->n_planned == sample->n &&
	       memcmp(w->planned, sample->series, sample->n * sizeof(*sample->series)) == 0;
}

// Record where the values of this sample went. If out of memory, there is no plan.
static void
make_plan(struct blg_writer *w, const struct pmon_sample *sample)
{
	w->n_plan = 0;
	if (w->n_logs != 1 || w->n_wildcards > 0 || sample->n == 0 ||
	    !pmon_mem_grow(w->allocator, &w->plan, &w->plan_cap, w->n_entries, sizeof(*w->plan)) ||
	    !pmon_mem_grow(w->allocator, &w->planned, &w->planned_cap, sample->n,
			   sizeof(*w->planned)))
		return;
	for (size_t i = 0; i < w->n_entries; i++)
		w->plan[i] = w->entries[i].head;
	memcpy(w->planned, sample->series, sample->n * sizeof(*sample->series));
	w->n_plan = w->n_entries;
	w->n_planned = sample->n;
}

// Values of a sample that are written by the plan.
struct planned {
	const uint32_t *plan;
	const struct pmon_sample *sample;
	struct pmon_raw absent;
	size_t len; // of the record
};

static void
put_planned_at(uint8_t *at, const struct planned *planned, size_t from, size_t n)
{
	const struct pmon_raw *raw = planned->sample->raw;
	const uint32_t *plan = planned->plan + from;
	int32_t offset_min = planned->sample->utc_offset_min;

	for (size_t k = 0; k < n; k++) {
		const struct pmon_raw *value =
			plan[k] != BLG_NONE ? &raw[plan[k]] : &planned->absent;

		put_single_at(at + k * SINGLE_BYTES, value, offset_min);
	}
}

// Copy a piece of value k, from its byte `from` on.
static void
put_piece(uint8_t *at, const struct planned *planned, size_t k, size_t from, size_t len)
{
	uint8_t value[SINGLE_BYTES];

	put_planned_at(value, planned, k, 1);
	memcpy(at, value + from, len);
}

// Produce the bytes of the record, including its header, from `from` on.
static void
make_planned(void *ctx, size_t from, size_t len, uint8_t *out)
{
	const struct planned *planned = ctx;
	size_t end = from + len;
	size_t n;

	if (from == 0) {
		struct pmon_wr wr = pmon_wr_init(out, HEAD_BYTES);

		put_value_head(&wr, TAG_SAMPLE, planned->len);
		from = HEAD_BYTES;
		out += HEAD_BYTES;
	}
	for (; from < end; from += n, out += n) {
		size_t k = (from - HEAD_BYTES) / SINGLE_BYTES;
		size_t into = (from - HEAD_BYTES) % SINGLE_BYTES;

		n = (end - from) / SINGLE_BYTES * SINGLE_BYTES;
		if (into == 0 && n > 0) {
			put_planned_at(out, planned, k, n / SINGLE_BYTES);
			continue;
		}
		n = end - from < SINGLE_BYTES - into ? end - from : SINGLE_BYTES - into;
		put_piece(out, planned, k, into, n);
	}
}

// ---- Samples --------------------------------------------------------------------------------

// Write the values that were assigned to entries; the entries are empty afterwards.
static bool
build_by_entries(struct blg_writer *w, const struct blg_out_log *log,
		 const struct pmon_sample *sample)
{
	bool ok = true;

	for (uint32_t i = 0; i < log->n_entries && ok; i++) {
		struct blg_out_entry *entry = &w->entries[log->first_entry + i];

		ok = entry->is_wildcard ? put_multi(w, entry, sample)
					: put_single(w, entry, sample);
		entry->head = BLG_NONE;
		entry->tail = BLG_NONE;
	}
	return ok;
}

// Build the record of a sample for one log.
static bool
build(struct blg_writer *w, const struct blg_out_log *log, const struct pmon_sample *sample)
{
	struct pmon_wr wr;

	w->record.len = 0;
	if (!pmon_blg_bytes_add(&w->record, w->allocator, HEAD_BYTES, &wr) ||
	    !build_by_entries(w, log, sample))
		return false;
	wr = pmon_wr_init(w->record.ptr, HEAD_BYTES);
	put_value_head(&wr, TAG_SAMPLE, w->record.len);
	return true;
}

// The zone in the header is that of the first log. A log in another zone keeps its own clock if its
// data has the offset; else it must use the clock of the first log, or its moments would be lost.
static int32_t
offset_in(const struct blg_writer *w, const struct blg_out_log *log,
	  const struct pmon_sample *sample)
{
	return log == w->logs || log->has_clock ? sample->utc_offset_min : w->zone.last_min;
}

static enum pmon_status
put_by_plan(struct blg_writer *w, struct blg_out_record *record, const struct pmon_sample *sample,
	    struct pmon_err *err)
{
	struct planned planned = {
		.plan = w->plan,
		.sample = sample,
		.absent = {.status = BLG_OUT_ABSENT, .time = sample->time},
		.len = HEAD_BYTES + w->n_plan * SINGLE_BYTES,
	};

	record->make = make_planned;
	record->ctx = &planned;
	record->len = planned.len;
	return pmon_blg_out_put(&w->out, record, err);
}

static enum pmon_status
put_sample(struct blg_writer *w, const struct blg_out_log *log, const struct pmon_sample *given,
	   struct pmon_err *err)
{
	struct pmon_sample moved = *given;
	struct blg_out_record record = {
		.type = BLG_SAMPLE,
		.log_id = log->id,
		.utc = given->time,
	};

	moved.utc_offset_min = offset_in(w, log, given);
	record.local = blg_out_local(moved.time, moved.utc_offset_min);
	record.offset_min = moved.utc_offset_min;
	if (w->by_plan)
		return put_by_plan(w, &record, &moved, err);
	if (!build(w, log, &moved))
		return pmon_err_nomem(err);
	record.bytes = w->record.ptr;
	record.len = w->record.len;
	return pmon_blg_out_put(&w->out, &record, err);
}

enum pmon_status
pmon_blg_out_sample(struct blg_writer *w, const struct pmon_sample *sample, struct pmon_err *err)
{
	uint64_t stream = (uint64_t)sample->stream << 32;
	enum pmon_status status;

	w->serial++;
	w->by_plan = is_as_before(w, sample);
	status = w->by_plan ? PMON_OK : scatter(w, sample, err);
	if (status != PMON_OK)
		return status;
	if (!w->by_plan)
		make_plan(w, sample);
	if (w->n_logs == 1)
		return put_sample(w, &w->logs[0], sample, err);
	// Write it also to logs that this stream was in before: all of their counters are absent
	// now.
	for (size_t i = find_visit(w, stream); i < w->n_visits && status == PMON_OK; i++) {
		if (w->visits[i] >> 32 != sample->stream)
			break;
		status = put_sample(w, &w->logs[(uint32_t)w->visits[i]], sample, err);
	}
	return status;
}
