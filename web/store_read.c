// store_read.c - read samples and values of a store or of a time window
// SPDX-License-Identifier: MIT

#include "web/store_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/search.h"
#include "core/calc.h"
#include "os/file.h"
#include "web/block.h"

// ---- Samples --------------------------------------------------------------------------------

const struct pmon_schema *
store_schema(const struct store *store)
{
	return &store->schema;
}

uint32_t
store_begin(const struct store *store)
{
	return store->begin;
}

uint32_t
store_end(const struct store *store)
{
	return store->end;
}

const struct store_sample *
store_sample_at(const struct store *store, uint32_t at)
{
	return store_samples_at(&store->samples, at);
}

const struct store_samples *
store_samples(const struct store *store)
{
	return &store->samples;
}

int64_t
store_usual_interval(const struct store *store)
{
	return store->usual_100ns;
}

uint64_t
store_raw_values(const struct store *store)
{
	return store->raw_values;
}

// Was the series absent between two of its samples? The rule of pmon_statistics_add().
static bool
is_gap(const struct store *store, uint32_t older, uint32_t newer)
{
	const struct store_sample *a = store_sample_at(store, older);
	const struct store_sample *b = store_sample_at(store, newer);

	return a->stream == b->stream && (int32_t)(b->ordinal - a->ordinal) > 1;
}

bool
store_is_inside(const struct store *store, const struct store_window *window, uint32_t at)
{
	pmon_time time = store_sample_at(store, at)->time;

	return (window->from == PMON_TIME_NONE || time >= window->from) &&
	       (window->to == PMON_TIME_NONE || time <= window->to);
}

static bool
sample_is_before(const void *store, size_t at, uint64_t time)
{
	return store_sample_at(store, (uint32_t)at)->time < (pmon_time)time;
}

// The first sample at or after a time, if the samples are in order.
static uint32_t
first_not_before(const struct store *store, pmon_time time)
{
	return (uint32_t)pmon_search(store, store->begin, store->end, (uint64_t)time,
				     sample_is_before);
}

struct store_range
store_find(const struct store *store, const struct store_window *window)
{
	struct store_range range = {store->begin, store->end};

	if (!store->stepped) {
		if (window->from != PMON_TIME_NONE)
			range.begin = first_not_before(store, window->from);
		if (window->to != PMON_TIME_NONE)
			range.end = first_not_before(store, window->to + 1);
	} else {
		while (range.begin < range.end && !store_is_inside(store, window, range.begin))
			range.begin++;
		while (range.begin < range.end && !store_is_inside(store, window, range.end - 1))
			range.end--;
	}
	if (range.end < range.begin)
		range.end = range.begin;
	return range;
}

struct store_extent
store_extent(const struct store *store, const struct store_window *window)
{
	struct store_range range = store_find(store, window);
	struct store_extent extent = {0, PMON_TIME_NONE, PMON_TIME_NONE};

	if (!store->stepped && range.begin < range.end)
		return (struct store_extent){range.end - range.begin,
					     store_sample_at(store, range.begin)->time,
					     store_sample_at(store, range.end - 1)->time};
	for (uint32_t at = range.begin; at < range.end; at++) {
		pmon_time time = store_sample_at(store, at)->time;

		if (!store_is_inside(store, window, at))
			continue;
		if (extent.samples++ == 0)
			extent.first = extent.last = time;
		extent.first = time < extent.first ? time : extent.first;
		extent.last = time > extent.last ? time : extent.last;
	}
	return extent;
}

// ---- Values ---------------------------------------------------------------------------------

static bool
block_is_before(const void *blocks, size_t i, uint64_t at)
{
	return ((const struct block *)blocks)[i].last_at < at;
}

// The first block whose last sample is at or after `at`; n if there is none.
static size_t
find_block(const struct column *c, uint32_t at)
{
	return pmon_search(c->blocks, 0, c->n, at, block_is_before);
}

static bool
read_block(struct store_cursor *cursor, const struct block *block)
{
	const struct store *store = cursor->store;
	struct pmon_file *file = store->segments[block->segment % SEGMENTS].file;
	uint8_t bytes[BLOCK_BYTES];
	size_t got;

	cursor->n = cursor->i = 0;
	if (pmon_file_read(file, block->offset, bytes, block->length, &got, NULL) != PMON_OK ||
	    !block_decode(&store->samples, bytes, got, block->flags, block->first_at,
			  cursor->values, block->n)) {
		cursor->failed = true;
		return false;
	}
	cursor->n = block->n;
	return true;
}

static void
copy_open(struct store_cursor *cursor, const struct column *c)
{
	cursor->i = 0;
	cursor->n = c->n_open;
	if (c->n_open > 0)
		memcpy(cursor->values, c->open, c->n_open * sizeof(*c->open));
}

// Load the next values into the cursor, if there are more.
static bool
fill_block(struct store_cursor *cursor)
{
	const struct column *c = &cursor->store->columns[cursor->id];
	size_t block = find_block(c, cursor->next);

	if (block == c->n)
		copy_open(cursor, c);
	else if (!read_block(cursor, &c->blocks[block]))
		return false;
	while (cursor->i < cursor->n && cursor->values[cursor->i].at < cursor->next)
		cursor->i++;
	return cursor->i < cursor->n;
}

// Load a block; block c->n is the one still being filled.
static bool
fetch(struct store_cursor *cursor, const struct column *c, size_t block)
{
	if (block < c->n)
		return read_block(cursor, &c->blocks[block]);
	copy_open(cursor, c);
	return true;
}

// The value before the first n of a block is unusable: find the newest usable one before it,
// provided that the series was present ever since.
static void
find_usable(struct store_cursor *cursor, size_t block, size_t n, struct store_value *out)
{
	const struct store *store = cursor->store;
	uint32_t newer = out->at;

	for (;;) {
		const struct store_value *older;

		if (n == 0) {
			if (block == 0 || !fetch(cursor, &store->columns[cursor->id], --block) ||
			    cursor->n == 0)
				return;
			n = cursor->n;
		}
		older = &cursor->values[--n];
		if (older->at < store->begin || is_gap(store, older->at, newer))
			return;
		if (pmon_raw_usable(&older->raw)) {
			out->raw = older->raw;
			return;
		}
		newer = older->at;
	}
}

// The newest value before a sample.
static bool
find_before(struct store_cursor *cursor, uint32_t at, struct store_value *out)
{
	const struct column *c = &cursor->store->columns[cursor->id];
	size_t block = c->n;
	size_t n = 0;

	if (c->n_open == 0 || c->open[0].at >= at) {
		block = find_block(c, at);
		if (block == c->n || c->blocks[block].first_at >= at) {
			if (block == 0)
				return false;
			block--;
		}
	}
	if (!fetch(cursor, c, block))
		return false;
	while (n < cursor->n && cursor->values[n].at < at)
		*out = cursor->values[n++];
	if (n > 0 && !pmon_raw_usable(&out->raw))
		find_usable(cursor, block, n, out);
	return n > 0;
}

bool
store_cursor_open(struct store_cursor *cursor, const struct store *store, uint32_t id,
		  uint32_t from, struct store_value *before)
{
	bool has_before;

	cursor->store = store;
	cursor->id = id;
	cursor->failed = false;
	has_before = find_before(cursor, from, before);
	cursor->next = from;
	cursor->n = cursor->i = 0;
	return has_before;
}

bool
store_cursor_next(struct store_cursor *cursor, struct store_value *out)
{
	if (cursor->next < cursor->store->begin) {
		cursor->next = cursor->store->begin;
		cursor->n = cursor->i = 0;
	}
	if (cursor->failed || (cursor->i == cursor->n && !fill_block(cursor)))
		return false;
	*out = cursor->values[cursor->i++];
	cursor->starts = cursor->i < cursor->n && cursor->values[cursor->i].at == out->at;
	cursor->next = out->at + 1;
	return true;
}

// ---- A window -------------------------------------------------------------------------------

void
store_walk_open(struct store_walk *walk, const struct store *store, uint32_t id,
		const struct store_window *window, const struct pmon_calc_options *options)
{
	struct store_value before;
	struct pmon_calc calc;

	pmon_calc_init(&calc, &pmon_schema_at(&store->schema, id)->counter, options);
	pmon_stats_init(&walk->stats, &calc);
	walk->window = *window;
	walk->range = store_find(store, window);
	walk->gap = walk->has_lead = false;
	walk->has_last = store_cursor_open(&walk->cursor, store, id, walk->range.begin, &before);
	if (walk->has_last) {
		walk->last = before.at;
		pmon_stats_lead(&walk->stats, &before.raw);
	}
}

void
store_lead_add(const struct store *store, struct store_value *lead, bool *has_lead,
	       const struct store_value *value)
{
	bool is_kept =
		*has_lead && !pmon_raw_usable(&value->raw) && !is_gap(store, lead->at, value->at);

	if (!is_kept)
		lead->raw = value->raw;
	lead->at = value->at;
	*has_lead = true;
}

// The next value in the window, or start value.
static bool
next_inside(struct store_walk *walk, struct store_value *out)
{
	const struct store *store = walk->cursor.store;

	for (;;) {
		if (!store_cursor_next(&walk->cursor, out) || out->at >= walk->range.end)
			return false;
		if (!store->stepped || store_is_inside(store, &walk->window, out->at))
			return true;
		store_lead_add(store, &walk->lead, &walk->has_lead, out);
	}
}

static void
note_sample(struct store_walk *walk, uint32_t at)
{
	if (walk->has_last && is_gap(walk->cursor.store, walk->last, at)) {
		walk->gap = true;
		pmon_stats_gap(&walk->stats);
	}
	walk->last = at;
	walk->has_last = true;
}

// A value between two parts of the window, which the next one is computed from.
static void
take_lead(struct store_walk *walk)
{
	walk->gap = walk->has_last;
	note_sample(walk, walk->lead.at);
	pmon_stats_lead(&walk->stats, &walk->lead.raw);
	walk->has_lead = false;
}

bool
store_walk_next(struct store_walk *walk, struct store_value *out)
{
	walk->gap = false;
	while (next_inside(walk, out)) {
		if (walk->has_lead)
			take_lead(walk);
		note_sample(walk, out->at);
		if (!walk->cursor.starts)
			return true;
		pmon_stats_lead(&walk->stats, &out->raw);
	}
	return false;
}
