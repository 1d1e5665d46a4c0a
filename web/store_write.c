// store_write.c - the column store: opening, and adding samples
// SPDX-License-Identifier: MIT

#include "web/store_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "os/file.h"
#include "web/block.h"

#define HISTORY_PART 8 // a file covers this part of the history: an eighth
// The most values that wait in unfilled blocks. Beyond that, all blocks are written, full or not.
#define OPEN_VALUES ((size_t)1 << 20)

// ---- Opening and closing --------------------------------------------------------------------

static struct segment *
segment_at(struct store *store, uint32_t number)
{
	return &store->segments[number % SEGMENTS];
}

enum pmon_status
store_new(int64_t history_100ns, struct store **out, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);
	struct store *store = pmon_mem_alloc0(allocator, sizeof(*store));
	enum pmon_status status;

	*out = NULL;
	if (store == NULL)
		return pmon_err_nomem(err);
	store->allocator = allocator;
	store->history_100ns = history_100ns;
	status = pmon_file_temporary(NULL, allocator, &store->segments[0].file, err);
	if (status != PMON_OK) {
		pmon_mem_free(allocator, store, sizeof(*store));
		return status;
	}
	store->segments[0].start = PMON_TIME_NONE;
	pmon_schema_init(&store->schema, allocator);
	pmon_shared_lock_init(&store->lock);
	*out = store;
	return PMON_OK;
}

void
store_free(struct store *store)
{
	const struct pmon_allocator *allocator;

	if (store == NULL)
		return;
	allocator = store->allocator;
	for (size_t i = 0; i < store->n; i++) {
		struct column *c = &store->columns[i];

		pmon_mem_free(allocator, c->blocks, c->cap * sizeof(*c->blocks));
		pmon_mem_free(allocator, c->open, c->cap_open * sizeof(*c->open));
	}
	pmon_mem_free(allocator, store->columns, store->cap * sizeof(*store->columns));
	for (size_t i = 0; i < store->samples.n_chunks; i++)
		pmon_mem_free(allocator, store->samples.chunks[i],
			      STORE_CHUNK * sizeof(**store->samples.chunks));
	pmon_mem_free(allocator, store->streams, store->cap_streams * sizeof(*store->streams));
	pmon_mem_free(allocator, store->samples.chunks,
		      store->samples.cap_chunks * sizeof(*store->samples.chunks));
	pmon_mem_free(allocator, store->starts.series,
		      store->starts.cap_series * sizeof(*store->starts.series));
	pmon_mem_free(allocator, store->starts.raw,
		      store->starts.cap_raw * sizeof(*store->starts.raw));
	for (uint32_t s = store->first_segment; s <= store->segment; s++)
		pmon_file_close(segment_at(store, s)->file);
	pmon_schema_free(&store->schema);
	pmon_shared_lock_destroy(&store->lock);
	pmon_mem_free(allocator, store, sizeof(*store));
}

void
store_lock(struct store *store)
{
	pmon_shared_lock_read(&store->lock);
}

void
store_unlock(struct store *store)
{
	pmon_shared_lock_end_read(&store->lock);
}

// ---- Adding ---------------------------------------------------------------------------------

// Add columns for new series.
static enum pmon_status
grow(struct store *store, const struct pmon_schema *schema, struct pmon_err *err)
{
	size_t n = pmon_schema_count(schema);

	if (!pmon_mem_grow(store->allocator, &store->columns, &store->cap, n,
			   sizeof(*store->columns)))
		return pmon_err_nomem(err);
	for (; store->n < n; store->n++) {
		const struct pmon_series *from = pmon_schema_at(schema, store->n);
		struct pmon_series *to;
		uint32_t id;

		if (pmon_schema_add(&store->schema, &from->path, &from->counter, from->order,
				    PMON_SERIES_NONE, &id) != PMON_OK ||
		    !pmon_schema_set_names(&store->schema, id, from))
			return pmon_err_nomem(err);
		to = store->schema.list[id];
		to->wildcard = from->wildcard;
		to->formatted = from->formatted;
		to->type_known = from->type_known;
		to->type_inferred = from->type_inferred;
		to->known_type = from->known_type;
		to->ambiguous = from->ambiguous;
		pmon_schema_set_source(&store->schema, id, from->source);
		store->columns[store->n] = (struct column){.blocks = NULL};
	}
	return PMON_OK;
}

static enum pmon_status
too_many(struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_LIMIT, 0, "more samples than can be shown");
}

// The number of a stream, usually that of the previous sample.
static enum pmon_status
find_stream(struct store *store, uint32_t stream, uint16_t *out, struct pmon_err *err)
{
	size_t i = store->last_stream;

	if (i >= store->n_streams || store->streams[i] != stream)
		for (i = 0; i < store->n_streams && store->streams[i] != stream; i++)
			;
	if (i == store->n_streams) {
		if (i > UINT16_MAX)
			return too_many(err);
		if (!pmon_mem_grow(store->allocator, &store->streams, &store->cap_streams, i + 1,
				   sizeof(*store->streams)))
			return pmon_err_nomem(err);
		store->streams[store->n_streams++] = stream;
	}
	store->last_stream = i;
	*out = (uint16_t)i;
	return PMON_OK;
}

static enum pmon_status
add_sample(struct store *store, const struct pmon_sample *sample, struct pmon_err *err)
{
	size_t chunk = store->end / STORE_CHUNK;
	uint16_t stream = 0;
	enum pmon_status status = store->end < UINT32_MAX
					  ? find_stream(store, sample->stream, &stream, err)
					  : too_many(err);

	if (status != PMON_OK)
		return status;
	if (chunk == store->samples.n_chunks) {
		if (!pmon_mem_grow(store->allocator, &store->samples.chunks,
				   &store->samples.cap_chunks, chunk + 1,
				   sizeof(*store->samples.chunks)))
			return pmon_err_nomem(err);
		store->samples.chunks[chunk] = pmon_mem_alloc(
			store->allocator, STORE_CHUNK * sizeof(**store->samples.chunks));
		if (store->samples.chunks[chunk] == NULL)
			return pmon_err_nomem(err);
		store->samples.n_chunks++;
	}
	if (store->end > store->begin &&
	    sample->time < store_sample_at(store, store->end - 1)->time)
		store->stepped = true;
	store->samples.chunks[chunk][store->end % STORE_CHUNK] =
		(struct store_sample){sample->time, sample->perf_100ns, (uint32_t)sample->ordinal,
				      stream, (int16_t)sample->utc_offset_min};
	if (sample->usual_100ns > 0)
		store->usual_100ns = sample->usual_100ns;
	store->end++;
	return PMON_OK;
}

// Write a column's waiting values as a block of the newest segment.
static enum pmon_status
write_block(struct store *store, struct column *c, struct pmon_err *err)
{
	struct segment *segment = segment_at(store, store->segment);
	uint8_t bytes[BLOCK_BYTES];
	struct block block = {.offset = pmon_file_size(segment->file),
			      .segment = store->segment,
			      .first_at = c->open[0].at,
			      .last_at = c->open[c->n_open - 1].at,
			      .n = (uint16_t)c->n_open};
	enum pmon_status status;

	if (!pmon_mem_grow(store->allocator, &c->blocks, &c->cap, c->n + 1, sizeof(*c->blocks)))
		return pmon_err_nomem(err);
	block.length =
		(uint32_t)block_encode(&store->samples, c->open, c->n_open, bytes, &block.flags);
	status = pmon_file_append(segment->file, bytes, block.length, err);
	if (status != PMON_OK)
		return status;
	c->blocks[c->n++] = block;
	store->open_values -= c->n_open;
	c->n_open = 0;
	return PMON_OK;
}

static enum pmon_status
write_all(struct store *store, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < store->n; i++) {
		struct column *c = &store->columns[i];

		if (c->n_open > 0)
			status = write_block(store, c, err);
		// A series that has gone for good must not hold memory.
		pmon_mem_free(store->allocator, c->open, c->cap_open * sizeof(*c->open));
		c->open = NULL;
		c->cap_open = 0;
	}
	return status;
}

static enum pmon_status
add_value(struct store *store, uint32_t id, const struct pmon_raw *raw, struct pmon_err *err)
{
	struct column *c = &store->columns[id];

	if (!pmon_mem_grow(store->allocator, &c->open, &c->cap_open, c->n_open + 1,
			   sizeof(*c->open)))
		return pmon_err_nomem(err);
	c->open[c->n_open++] = (struct store_value){*raw, store->end - 1};
	store->open_values++;
	return c->n_open == STORE_BLOCK ? write_block(store, c, err) : PMON_OK;
}

// Start values are kept until their sample arrives, so that readers see both or neither.
static enum pmon_status
keep_starts(struct store *store, const struct pmon_sample *sample, struct pmon_err *err)
{
	struct starts *starts = &store->starts;

	if (!pmon_mem_grow(store->allocator, &starts->series, &starts->cap_series, sample->n,
			   sizeof(*starts->series)) ||
	    !pmon_mem_grow(store->allocator, &starts->raw, &starts->cap_raw, sample->n,
			   sizeof(*starts->raw)))
		return pmon_err_nomem(err);
	starts->n = sample->n;
	if (sample->n == 0) // its lists may be NULL
		return PMON_OK;
	memcpy(starts->series, sample->series, sample->n * sizeof(*starts->series));
	memcpy(starts->raw, sample->raw, sample->n * sizeof(*starts->raw));
	return PMON_OK;
}

// A start value and the value of its sample go into the same block, so that a cursor can
// distinguish them.
static enum pmon_status
add_starts(struct store *store, struct pmon_err *err)
{
	const struct starts *starts = &store->starts;
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < starts->n; i++) {
		struct column *c = &store->columns[starts->series[i]];

		if (c->n_open + 2 > STORE_BLOCK)
			status = write_block(store, c, err);
		if (status == PMON_OK)
			status = add_value(store, starts->series[i], &starts->raw[i], err);
	}
	store->starts.n = 0;
	return status;
}

static enum pmon_status
add_values(struct store *store, const struct pmon_sample *sample, struct pmon_err *err)
{
	enum pmon_status status = add_starts(store, err);

	for (size_t i = 0; status == PMON_OK && i < sample->n; i++)
		status = add_value(store, sample->series[i], &sample->raw[i], err);
	store->raw_values += sample->n;
	if (status == PMON_OK && store->open_values >= OPEN_VALUES)
		status = write_all(store, err);
	return status;
}

// ---- A history that has an end --------------------------------------------------------------

static void
drop_blocks(struct column *c, uint32_t segment)
{
	size_t old = 0;

	while (old < c->n && c->blocks[old].segment <= segment)
		old++;
	if (old == 0)
		return;
	memmove(c->blocks, c->blocks + old, (c->n - old) * sizeof(*c->blocks));
	c->n -= old;
}

static void
drop_oldest(struct store *store)
{
	struct segment *segment = segment_at(store, store->first_segment);
	size_t chunk = store->begin / STORE_CHUNK;

	pmon_file_close(segment->file);
	segment->file = NULL;
	store->begin = segment->last_at + 1;
	for (size_t i = 0; i < store->n; i++)
		drop_blocks(&store->columns[i], store->first_segment);
	for (; chunk < store->begin / STORE_CHUNK; chunk++) {
		pmon_mem_free(store->allocator, store->samples.chunks[chunk],
			      STORE_CHUNK * sizeof(**store->samples.chunks));
		store->samples.chunks[chunk] = NULL;
	}
	store->first_segment++;
}

static bool
is_forgotten(struct store *store, pmon_time now)
{
	const struct segment *oldest = segment_at(store, store->first_segment);

	if (store->first_segment == store->segment)
		return false;
	return store->segment - store->first_segment >= SEGMENTS - 1 ||
	       store_sample_at(store, oldest->last_at)->time < now - store->history_100ns;
}

// Begin a new segment if the current one, up to the sample added last, spans enough time.
static enum pmon_status
turn(struct store *store, pmon_time now, struct pmon_err *err)
{
	struct segment *segment = segment_at(store, store->segment);
	struct pmon_file *file;
	enum pmon_status status;

	if (segment->start == PMON_TIME_NONE)
		segment->start = now;
	if (store->history_100ns == 0 || now - segment->start < store->history_100ns / HISTORY_PART)
		return PMON_OK;
	status = write_all(store, err);
	if (status == PMON_OK)
		status = pmon_file_temporary(NULL, store->allocator, &file, err);
	if (status != PMON_OK)
		return status;
	segment->last_at = store->end - 1;
	while (is_forgotten(store, now))
		drop_oldest(store);
	*segment_at(store, ++store->segment) =
		(struct segment){.file = file, .start = PMON_TIME_NONE};
	return PMON_OK;
}

enum pmon_status
store_add(struct store *store, const struct pmon_schema *schema, const struct pmon_sample *sample,
	  struct pmon_err *err)
{
	enum pmon_status status;

	if (sample->preceding)
		return sample->starts ? keep_starts(store, sample, err) : PMON_OK;
	pmon_shared_lock_write(&store->lock);
	status = grow(store, schema, err);
	if (status == PMON_OK)
		status = add_sample(store, sample, err);
	if (status == PMON_OK)
		status = add_values(store, sample, err);
	if (status == PMON_OK)
		status = turn(store, sample->time, err);
	pmon_shared_lock_end_write(&store->lock);
	return status;
}
