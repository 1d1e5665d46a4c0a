// multi.c - value records of form 0203: one counter of all instances
// SPDX-License-Identifier: MIT
//
// Nearly all instances are at the same position as in the previous record. So there are three
// methods, each for items that the previous one cannot handle: by the position among the same
// names, by the name at the position, and by looking up the instance.

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"

#define HEAD_BYTES  8
#define ITEM_BYTES  24
#define ITEM_SECOND 0x10 // offset of its second raw value

// The items of a record, and the names after them.
struct items {
	const struct pmon_rd *r; // the record
	const uint8_t *bytes;
	uint32_t n;
	uint32_t i;        // index of the next item
	uint32_t names_at; // offset of the names, which items count from 0x08 of the record
	struct pmon_raw raw;
};

// The name of an item ends at its NUL; its window is the rest of the record. It must be after the
// items.
static bool
item_name(const struct pmon_rd *r, uint32_t names_at, uint32_t at, struct pmon_perf_name *out)
{
	size_t start = HEAD_BYTES + (size_t)at;

	if (at < names_at || at > r->len || start > r->len)
		return false;
	*out = (struct pmon_perf_name){.ptr = r->base + start, .len = r->len - start, .unit = 2};
	return true;
}

static inline void
read_item(const uint8_t *p, struct pmon_raw *raw)
{
	raw->multi = pmon_le32(p + 0x04);
	raw->first = (int64_t)pmon_le64(p + 0x08);
	raw->second = (int64_t)pmon_le64(p + ITEM_SECOND);
}

// Record the series of the instance at a position.
static enum pmon_status
list_instance(struct blg *blg, struct blg_many *many, size_t position, uint32_t number,
	      struct pmon_err *err)
{
	if (!pmon_mem_grow(blg->allocator, &many->listed, &many->listed_cap, position + 1,
			   sizeof(*many->listed)))
		return pmon_err_nomem(err);
	// The positions in between were skipped.
	for (; many->n_listed <= position; many->n_listed++)
		many->listed[many->n_listed] = (struct blg_listed){.number = BLG_NONE};
	many->listed[position].number = number;
	many->listed[position].series = many->roll->list[number].series[many->column];
	return PMON_OK;
}

static void
add_item(struct blg *blg, uint32_t series, const struct pmon_raw *raw)
{
	if (series != PMON_SERIES_NONE)
		pmon_blg_sample_add(blg, series, raw);
}

// An item of form 0203
//	0x00  u32  offset of the name, from 0x08 of the record
//	0x04  u32  number of units (MultiCount)
//	0x08  i64  first value
//	0x10  i64  second value
static enum pmon_status
load_item(struct blg *blg, struct blg_entry *entry, struct items *items, struct pmon_err *err)
{
	static const struct pmon_perf_name no_parent = {.unit = 2};
	struct blg_instances *set = entry->many->instances;
	const uint8_t *p = items->bytes + (size_t)items->i++ * ITEM_BYTES;
	struct pmon_raw *raw = &items->raw;
	struct pmon_perf_name name;
	struct blg_instance *instance;
	enum pmon_status status;

	if (!item_name(items->r, items->names_at, pmon_le32(p), &name))
		return pmon_blg_sample_damaged(blg,
					       "the name of an instance is outside of its record");
	set->next_at = items->i < items->n ? pmon_le32(p + ITEM_BYTES) - items->names_at : BLG_NONE;
	status = pmon_blg_instances_next(blg, entry, &name, &no_parent, &instance, err);
	if (status != PMON_OK)
		return status;
	pmon_blg_places_settle(set, instance, pmon_le32(p) - items->names_at);
	read_item(p, raw);
	if (entry->has_clock && blg_is_usable(raw->status))
		pmon_blg_sample_clock(blg, raw->time, raw->second);
	add_item(blg, instance->series[entry->many->column], raw);
	return list_instance(blg, entry->many, set->position - 1,
			     (uint32_t)(instance - set->roll->list), err);
}

// Load an item of an instance that is known at this position, but was not in the previous record of
// this entry.
static enum pmon_status
load_newcomer(struct blg *blg, struct blg_entry *entry, struct items *items, uint32_t number,
	      struct pmon_err *err)
{
	struct blg_many *many = entry->many;
	struct blg_instance *instance = &many->roll->list[number];
	enum pmon_status status = pmon_blg_instance_complete(blg, entry, instance, err);

	if (status != PMON_OK)
		return status;
	read_item(items->bytes + (size_t)items->i++ * ITEM_BYTES, &items->raw);
	add_item(blg, instance->series[many->column], &items->raw);
	return list_instance(blg, many, many->instances->position - 1, number, err);
}

// The fastest path, for instances that were in the previous record at the same position among the
// same names, and in the previous record of this entry: up to the first that was not. There is room
// for a value of each.
static void
load_same_items(struct blg *blg, const struct blg_many *many, struct items *items)
{
	struct blg_instances *set = many->instances;
	size_t most = set->n_places < many->n_listed ? set->n_places : many->n_listed;
	size_t left = items->n - items->i;
	const struct blg_listed *listed;
	const struct blg_place *place;
	struct pmon_raw *raw;
	uint32_t *series;
	const uint8_t *p;
	size_t k;

	if (most <= set->position || left == 0)
		return;
	if (left > most - set->position)
		left = most - set->position;
	listed = many->listed + set->position;
	place = set->places + set->position;
	series = blg->series + blg->sample.n;
	raw = blg->raw + blg->sample.n;
	p = items->bytes + (size_t)items->i * ITEM_BYTES;
	for (k = 0; k < left; k++, p += ITEM_BYTES) {
		if (pmon_le32(p) - items->names_at != place[k].at || place[k].at == BLG_NONE ||
		    place[k].number != listed[k].number || set->budget < place[k].len)
			break;
		set->budget -= place[k].len;
		*series = listed[k].series;
		*raw = items->raw;
		read_item(p, raw);
		raw += *series != PMON_SERIES_NONE;
		series += *series != PMON_SERIES_NONE;
	}
	blg->sample.n = (size_t)(series - blg->series);
	items->i += (uint32_t)k;
	set->position += k;
}

// Load the next item, if the instance was in the previous record. Otherwise *found_out is false,
// and nothing changes.
static enum pmon_status
load_known_item(struct blg *blg, struct blg_entry *entry, struct items *items, bool *found_out,
		struct pmon_err *err)
{
	struct blg_many *many = entry->many;
	const uint8_t *p = items->bytes + (size_t)items->i * ITEM_BYTES;
	size_t position = many->instances->position;
	uint32_t number;

	*found_out = blg_places_find(many->instances, pmon_le32(p) - items->names_at, &number);
	if (!*found_out)
		return PMON_OK;
	if (position >= many->n_listed || many->listed[position].number != number)
		return load_newcomer(blg, entry, items, number, err);
	read_item(p, &items->raw);
	add_item(blg, many->listed[position].series, &items->raw);
	items->i++;
	return PMON_OK;
}

// The fast path, for items of instances that were in the previous record: up to the first that was
// not. There is room for a value of each.
static enum pmon_status
load_known_items(struct blg *blg, struct blg_entry *entry, struct items *items,
		 struct pmon_err *err)
{
	const struct blg_instances *set = entry->many->instances;
	enum pmon_status status = PMON_OK;
	bool found = !entry->has_clock || blg->has_offset;

	while (status == PMON_OK && found && items->i < items->n) {
		if (set->is_same && !set->is_mixed)
			load_same_items(blg, entry->many, items);
		if (items->i < items->n)
			status = load_known_item(blg, entry, items, &found, err);
	}
	return status;
}

// Begin a record. If the entry does not list the same instances as the one before it, it has its
// own state from now on.
static void
begin_items(struct blg_many *many, const struct items *items)
{
	const uint8_t *names = items->r->base + HEAD_BYTES + items->names_at;
	size_t len = items->r->len - HEAD_BYTES - items->names_at;
	bool is_same = pmon_blg_places_are_same(many->instances, names, len);

	if (!is_same && many->instances != &many->own_instances)
		many->instances = &many->own_instances;
	pmon_blg_instances_begin(many->instances, items->r->len);
	pmon_blg_places_begin(many->instances, names, len, is_same);
}

static enum pmon_status
load_items(struct blg *blg, struct blg_entry *entry, struct items *items, struct pmon_err *err)
{
	enum pmon_status status = pmon_blg_sample_reserve(blg, items->n, err);

	begin_items(entry->many, items);
	while (status == PMON_OK) {
		status = load_known_items(blg, entry, items, err);
		if (status == PMON_OK && items->i == items->n)
			return pmon_blg_places_end(blg, entry->many->instances, err);
		if (status == PMON_OK)
			status = load_item(blg, entry, items, err);
	}
	return status;
}

// Whether the record contains more than n items and their names. The first name comes right after
// the items; zeros may follow the last one.
static bool
holds_more(const struct pmon_rd *r, uint32_t n)
{
	const uint8_t *items = r->base + r->pos;
	size_t len = pmon_rd_left(r);
	size_t next_end =
		r->pos - HEAD_BYTES + ((size_t)n + 1) * ITEM_BYTES; // if there is one more item
	size_t first_name = SIZE_MAX;

	if (n == 0) // a damaged number, even if the items are zeros too
		return len >= ITEM_BYTES || !pmon_is_zero(items, len);
	for (uint32_t i = 0; i < n && first_name >= next_end; i++)
		first_name = pmon_le32(items + (size_t)i * ITEM_BYTES);
	return first_name >= next_end && first_name < r->len - HEAD_BYTES;
}

// Form 0203, one counter of all instances
//	0x08  u32      bytes that follow
//	0x0C  u32      number of instances
//	0x10  u32      status (inferred: 0 in all files)
//	0x18  FILETIME time, local
//	0x20           items, then their names
enum pmon_status
pmon_blg_multi_load(struct blg *blg, struct blg_entry *entry, struct blg_value *value,
		    struct pmon_err *err)
{
	struct pmon_rd *r = &value->rd;
	struct items items = {.r = r};

	pmon_rd_skip(r, 4);
	items.n = pmon_rd_u32(r);
	items.raw.status = pmon_rd_u32(r);
	pmon_rd_skip(r, 4);
	items.raw.time = blg_value_time(blg, pmon_rd_i64(r));
	if (!pmon_rd_ok(r) || items.n > pmon_rd_left(r) / ITEM_BYTES)
		return pmon_blg_sample_damaged(blg, "more instances than its record can hold");
	if (holds_more(r, items.n))
		return pmon_blg_sample_damaged(blg, "fewer instances than its record holds");
	items.bytes = r->base + r->pos;
	items.names_at = (uint32_t)(r->pos + items.n * ITEM_BYTES - HEAD_BYTES);
	if (items.n > 0)
		pmon_blg_sample_perf(blg, entry, items.raw.status,
				     (int64_t)pmon_le64(items.bytes + ITEM_SECOND),
				     entry->columns[0].counter.time_base);
	return load_items(blg, entry, &items, err);
}
