// write_catalogue.c - the entries of a log: the contents of its samples, and their order
// SPDX-License-Identifier: MIT
//
// Series that follow instances as they come and go share one entry for all instances of their
// counter. Every other series has its own entry.

#include "format/blg/write.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/pace.h"
#include "model/schema.h"

#define TAG_CATALOGUE 0x000006FFu
#define TAG_ACCESS    0x00020008u // perhaps PDH_LOG_WRITE_ACCESS | PDH_LOG_TYPE_BINARY
#define ENTRY_BYTES   0x34
#define FLAG_WILDCARD 0x01u
#define FLAG_EXPORT   0x20000000u // no known meaning; Export-Counter sets it
#define NO_STRING     UINT32_MAX

static bool
same_span(struct pmon_span a, struct pmon_span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

// ---- Entries --------------------------------------------------------------------------------

static bool
is_instance(const struct pmon_series *series)
{
	return series->wildcard && series->path.instance.ptr != NULL;
}

static uint64_t
hash_entry(const struct blg_writer *w, const struct pmon_series *s)
{
	uint64_t hash = pmon_map_mix_bytes(w->hash_seed ^ s->source ^ s->counter.type,
					   s->path.machine.ptr, s->path.machine.len);

	hash = pmon_map_mix_bytes(hash, s->path.object.ptr, s->path.object.len);
	return pmon_map_mix_bytes(hash, s->path.counter.ptr, s->path.counter.len);
}

// Windows reserves this for the logging program; blg.h describes pmon's use.
static uint32_t
user_data(const struct pmon_series *series)
{
	if (!series->formatted)
		return series->counter.size_bytes;
	return pmon_series_says_type(series) ? BLG_USER_FORMATTED | series->known_type
					     : BLG_USER_UNKNOWN;
}

static bool
is_same_counter(const struct pmon_series *a, const struct pmon_series *b)
{
	return a->source == b->source && a->counter.type == b->counter.type &&
	       a->counter.time_base == b->counter.time_base &&
	       a->counter.default_scale == b->counter.default_scale &&
	       user_data(a) == user_data(b) && same_span(a->path.machine, b->path.machine) &&
	       same_span(a->path.object, b->path.object) &&
	       same_span(a->path.counter, b->path.counter);
}

static uint32_t
find_entry(const struct blg_writer *w, const struct pmon_series *series)
{
	uint64_t hash = hash_entry(w, series);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&w->entry_map, hash, &at)) != PMON_MAP_NONE)
		if (is_same_counter(w->entries[i].series, series))
			return i;
	return BLG_NONE;
}

// The log of a source; series are in the order of their sources.
static struct blg_out_log *
log_of(struct blg_writer *w, uint32_t source)
{
	struct blg_out_log *log;

	if (w->n_logs > 0 && w->logs[w->n_logs - 1].source == source)
		return &w->logs[w->n_logs - 1];
	if (!pmon_mem_grow(w->allocator, &w->logs, &w->logs_cap, w->n_logs + 1, sizeof(*w->logs)))
		return NULL;
	log = &w->logs[w->n_logs++];
	w->n_without_perf++;
	*log = (struct blg_out_log){.source = source, .first_entry = (uint32_t)w->n_entries};
	return log;
}

// The reader's view: rates and queue lengths on the system clock.
static bool
has_clock(uint32_t type)
{
	uint32_t subtype = type & 0x000F0000u;

	return (type & 0x00300C00u) == 0x00100400u &&
	       (subtype == 0x00010000u || subtype == 0x00050000u);
}

static uint32_t
add_entry(struct blg_writer *w, const struct pmon_series *series, bool is_wildcard)
{
	struct blg_out_log *log = log_of(w, series->source);

	if (log == NULL || w->n_entries >= BLG_NONE ||
	    !pmon_mem_grow(w->allocator, &w->entries, &w->entries_cap, w->n_entries + 1,
			   sizeof(*w->entries)))
		return BLG_NONE;
	w->entries[w->n_entries] = (struct blg_out_entry){
		.series = series,
		.is_wildcard = is_wildcard,
		.log = (uint32_t)(log - w->logs),
		.head = BLG_NONE,
		.tail = BLG_NONE,
	};
	log->has_clock = log->has_clock || has_clock(series->counter.type);
	if (!log->has_perf && pmon_perf_tells(series->counter.type, series->counter.time_base)) {
		log->has_perf = true;
		w->n_without_perf--;
	}
	log->n_entries++;
	w->n_wildcards += w->entries[w->n_entries].is_wildcard;
	return (uint32_t)w->n_entries++;
}

// Create an entry for a series, or for all instances of its counter. *out is BLG_NONE if it is too
// late for a circular log.
static enum pmon_status
new_entry(struct blg_writer *w, const struct pmon_series *series, bool is_wildcard, uint32_t *out,
	  struct pmon_err *err)
{
	*out = BLG_NONE;
	if (w->begun && (!w->options.live || w->n_logs != 1))
		return pmon_err_set(err, PMON_E_STATE, 0,
				    "%s appeared after the list of counters was written",
				    series->name.ptr);
	if (w->begun && w->options.ring_bytes > 0) {
		w->n_late += w->n_late < SIZE_MAX;
		return PMON_OK;
	}
	*out = add_entry(w, series, is_wildcard);
	if (*out == BLG_NONE || (is_wildcard && !pmon_map_put(&w->entry_map, w->allocator,
							      hash_entry(w, series), *out)))
		return pmon_err_nomem(err);
	return PMON_OK;
}

static enum pmon_status
entry_of(struct blg_writer *w, const struct pmon_series *series, uint32_t *out,
	 struct pmon_err *err)
{
	*out = is_instance(series) ? find_entry(w, series) : BLG_NONE;
	return *out != BLG_NONE ? PMON_OK : new_entry(w, series, is_instance(series), out, err);
}

// ---- Instances ------------------------------------------------------------------------------

#define SUFFIX_SIZE 16 // "#2147483647"

// "parent/instance#index" as UTF-16: an item has only one name.
static bool
make_name(struct blg_writer *w, const struct pmon_path *path, struct blg_out_item *item)
{
	static const struct pmon_span slash = {"/", 1};
	size_t parent = path->parent.ptr != NULL ? pmon_blg_out_utf16(path->parent, NULL) + 2 : 0;
	size_t len = parent + pmon_blg_out_utf16(path->instance, NULL);
	char buf[SUFFIX_SIZE];
	struct pmon_text suffix = pmon_text_init(buf, sizeof(buf));
	uint8_t *name;

	if (item->index > 0) {
		pmon_text_char(&suffix, '#');
		pmon_text_u64(&suffix, item->index);
	}
	name = pmon_arena_alloc(&w->arena, len + 2 * suffix.len + 1);
	if (name == NULL)
		return false;
	if (parent > 0) {
		(void)pmon_blg_out_utf16(path->parent, name);
		(void)pmon_blg_out_utf16(slash, name + parent - 2);
	}
	(void)pmon_blg_out_utf16(path->instance, name + parent);
	item->name = name;
	item->name_len = len;
	item->full_len = len + pmon_blg_out_utf16((struct pmon_span){buf, suffix.len}, name + len);
	return true;
}

static uint64_t
hash_item(const struct blg_writer *w, const struct blg_out_item *item, uint32_t index)
{
	return pmon_map_mix_bytes(pmon_map_mix(w->hash_seed ^ item->entry, index), item->name,
				  item->name_len);
}

// The series in the same entry with the item's name and this index.
static uint32_t
find_item(const struct blg_writer *w, const struct blg_out_item *item, uint32_t index)
{
	uint64_t hash = hash_item(w, item, index);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&w->item_map, hash, &at)) != PMON_MAP_NONE) {
		const struct blg_out_item *other = &w->items[i];

		if (other->entry == item->entry && other->index == index &&
		    other->name_len == item->name_len &&
		    memcmp(other->name, item->name, item->name_len) == 0)
			return i;
	}
	return BLG_NONE;
}

static uint64_t
hash_text(const struct blg_writer *w, const struct blg_out_item *item)
{
	return pmon_map_mix_bytes(w->hash_seed ^ item->entry, item->name, item->full_len);
}

// Does another series of the entry have the same text as its name? A record cannot distinguish
// instances by anything but this text.
static bool
is_double(const struct blg_writer *w, const struct blg_out_item *item)
{
	uint64_t hash = hash_text(w, item);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&w->text_map, hash, &at)) != PMON_MAP_NONE) {
		const struct blg_out_item *other = &w->items[i];

		if (other->entry == item->entry && other->full_len == item->full_len &&
		    memcmp(other->name, item->name, item->full_len) == 0)
			return true;
	}
	return false;
}

// Find the instances of the same name with the next lower and higher index.
static bool
link_item(struct blg_writer *w, uint32_t series)
{
	struct blg_out_item *item = &w->items[series];
	uint32_t behind;

	if (!pmon_map_put(&w->text_map, w->allocator, hash_text(w, item), series))
		return false;
	if (item->index > 0)
		item->prev = find_item(w, item, item->index - 1);
	behind = find_item(w, item, item->index + 1);
	if (behind != BLG_NONE)
		w->items[behind].prev = series;
	return pmon_map_put(&w->item_map, w->allocator, hash_item(w, item, item->index), series);
}

static enum pmon_status
learn(struct blg_writer *w, const struct pmon_series *series, struct pmon_err *err)
{
	struct blg_out_item *item = &w->items[series->id];
	enum pmon_status status;

	*item = (struct blg_out_item){.prev = BLG_NONE};
	item->index = series->path.index > 0 ? (uint32_t)series->path.index : 0;
	status = entry_of(w, series, &item->entry, err);
	if (status != PMON_OK || item->entry == BLG_NONE || !w->entries[item->entry].is_wildcard)
		return status;
	if (!make_name(w, &series->path, item))
		return pmon_err_nomem(err);
	if (is_double(w, item))
		return new_entry(w, series, false, &item->entry, err);
	return link_item(w, series->id) ? PMON_OK : pmon_err_nomem(err);
}

// Process all series that exist at the beginning, in list order.
static enum pmon_status
learn_all(struct blg_writer *w, size_t n, struct pmon_err *err)
{
	const struct pmon_series **order;
	enum pmon_status status = PMON_OK;

	order = pmon_mem_alloc(w->allocator, n * sizeof(*order));
	if (order == NULL)
		return pmon_err_nomem(err);
	pmon_schema_in_order(w->schema, order);
	for (size_t i = 0; i < n && status == PMON_OK; i++)
		status = learn(w, order[i], err);
	pmon_mem_free(w->allocator, order, n * sizeof(*order));
	return status;
}

enum pmon_status
pmon_blg_out_learn(struct blg_writer *w, struct pmon_err *err)
{
	size_t n = pmon_schema_count(w->schema);
	enum pmon_status status = PMON_OK;

	if (n == w->n_items)
		return PMON_OK;
	if (!pmon_mem_grow(w->allocator, &w->items, &w->items_cap, n, sizeof(*w->items)))
		return pmon_err_nomem(err);
	if (w->n_items == 0) {
		status = learn_all(w, n, err);
		w->n_items = n;
	}
	for (; w->n_items < n && status == PMON_OK; w->n_items++)
		status = learn(w, pmon_schema_at(w->schema, w->n_items), err);
	return status;
}

// ---- The record -----------------------------------------------------------------------------

// The texts of an entry, in order. An absent machine is an empty text.
struct texts {
	struct pmon_span machine, object, instance, parent, counter;
};

static struct texts
texts_of(const struct blg_out_entry *entry)
{
	const struct pmon_path *path = &entry->series->path;
	struct texts t = {path->machine, path->object, path->instance, path->parent, path->counter};

	if (entry->is_wildcard) {
		t.instance = PMON_SPAN("*");
		t.parent = (struct pmon_span){NULL, 0};
	}
	return t;
}

static size_t
string_bytes(struct pmon_span text)
{
	return text.ptr != NULL ? pmon_blg_out_utf16(text, NULL) + 2 : 0;
}

static size_t
machine_bytes(struct pmon_span machine)
{
	return string_bytes(machine) + (machine.ptr != NULL ? 4 : 2);
}

// Write the offset of a text, and advance *at past it.
static void
put_offset(struct pmon_wr *w, struct pmon_span text, size_t *at)
{
	pmon_wr_u32(w, text.ptr != NULL ? (uint32_t)*at : NO_STRING);
	*at += string_bytes(text);
}

static void
put_string(struct pmon_wr *w, struct pmon_span text)
{
	if (text.ptr != NULL)
		pmon_blg_out_string(w, text);
}

static void
put_strings(struct pmon_wr *w, const struct texts *t)
{
	if (t->machine.ptr != NULL) {
		pmon_wr_u16(w, '\\');
		pmon_wr_u16(w, '\\');
	}
	pmon_blg_out_string(w, t->machine);
	put_string(w, t->object);
	put_string(w, t->instance);
	put_string(w, t->parent);
	put_string(w, t->counter);
}

// One entry; the fields are explained at read_entry() in catalogue.c.
static void
put_entry(struct pmon_wr *w, const struct blg_out_entry *entry, const struct texts *t, size_t len)
{
	const struct pmon_series *series = entry->series;
	size_t at = machine_bytes(t->machine);

	pmon_wr_u32(w, (uint32_t)len);
	pmon_wr_u32(w, FLAG_EXPORT | (entry->is_wildcard ? FLAG_WILDCARD : 0));
	pmon_wr_u32(w, user_data(series));
	pmon_wr_u32(w, series->counter.type);
	pmon_wr_i64(w, series->counter.time_base);
	pmon_wr_i32(w, series->counter.default_scale);
	pmon_wr_u32(w, 0);
	put_offset(w, t->object, &at);
	put_offset(w, t->instance, &at);
	put_offset(w, t->parent, &at);
	pmon_wr_i32(w, entry->is_wildcard || series->path.index < 0 ? 0 : series->path.index);
	put_offset(w, t->counter, &at);
	put_strings(w, t);
	pmon_wr_fill(w, 0, pmon_wr_left(w));
}

static bool
add_to_record(struct blg_writer *w, const struct blg_out_entry *entry)
{
	struct texts t = texts_of(entry);
	size_t len = ENTRY_BYTES + machine_bytes(t.machine) + string_bytes(t.object) +
		     string_bytes(t.instance) + string_bytes(t.parent) + string_bytes(t.counter);
	struct pmon_wr wr;

	len += blg_out_pad(len);
	if (!pmon_blg_bytes_add(&w->record, w->allocator, len, &wr))
		return false;
	put_entry(&wr, entry, &t, len);
	return true;
}

enum pmon_status
pmon_blg_out_catalogue(struct blg_writer *w, const struct blg_out_log *log, struct pmon_err *err)
{
	struct pmon_wr wr;
	bool ok;

	w->record.len = 0;
	ok = pmon_blg_bytes_add(&w->record, w->allocator, 8, &wr);
	if (ok) {
		pmon_wr_u32(&wr, TAG_CATALOGUE);
		pmon_wr_u32(&wr, TAG_ACCESS);
	}
	for (uint32_t i = 0; i < log->n_entries && ok; i++)
		ok = add_to_record(w, &w->entries[log->first_entry + i]);
	return ok ? PMON_OK : pmon_err_nomem(err);
}
