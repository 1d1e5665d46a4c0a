// batch.c - a batch on its way into PostgreSQL, as rows of binary COPY
// SPDX-License-Identifier: MIT

#include "push/postgres/postgres.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf.h"

#define VALUE_SIZE  118 // of a row of COPY, at most
#define SAMPLE_SIZE 78
#define SERIES_SIZE 220 // and its texts

// ---- Cells ----------------------------------------------------------------------------------

static void
put_big(struct pmon_push_bytes *b, uint64_t number, unsigned size)
{
	for (unsigned i = size; i-- > 0;)
		b->list[b->n++] = (uint8_t)(number >> (8 * i));
}

static void
put_i64(struct pmon_push_bytes *b, int64_t number)
{
	put_big(b, 8, 4);
	put_big(b, (uint64_t)number, 8);
}

static void
put_i32(struct pmon_push_bytes *b, int32_t number)
{
	put_big(b, 4, 4);
	put_big(b, (uint32_t)number, 4);
}

static void
put_null(struct pmon_push_bytes *b)
{
	put_big(b, UINT32_MAX, 4);
}

static void
put_time(struct pmon_push_bytes *b, pmon_time time)
{
	if (time == PMON_TIME_NONE)
		put_null(b);
	else
		put_i64(b, time);
}

// Text that the server takes: no NULs, and nothing that is not UTF-8. Room is for three bytes each.
static void
put_text(struct pmon_push_bytes *b, struct pmon_span text)
{
	size_t at = b->n;

	put_big(b, 0, 4);
	for (size_t pos = 0; pos < text.len;) {
		size_t begin = pos;
		uint32_t c = pmon_utf8_next(text, &pos);

		if (c == 0 || (c >= 0xD800 && c < 0xE000)) {
			memcpy(b->list + b->n, "\xEF\xBF\xBD", 3);
			b->n += 3;
		} else {
			memcpy(b->list + b->n, text.ptr + begin, pos - begin);
			b->n += pos - begin;
		}
	}
	for (unsigned i = 0; i < 4; i++)
		b->list[at + i] = (uint8_t)((b->n - at - 4) >> (24 - 8 * i));
}

static void
put_text_or_null(struct pmon_push_bytes *b, struct pmon_span text)
{
	if (text.ptr == NULL)
		put_null(b);
	else
		put_text(b, text);
}

// ---- Rows -----------------------------------------------------------------------------------

// The columns of pmon_series, in their order.
bool
pmon_pg_batch_add_series(const struct pmon_push_sink *push, struct pg_batch *batch, size_t i)
{
	const struct pmon_series *s = pmon_schema_at(push->keys.schema, i);
	const struct pmon_push_key *key = &push->keys.list[i];
	const struct pmon_path *path = &s->path;
	struct pmon_push_bytes *b = &batch->series;

	if (!pmon_push_room(push, b, SERIES_SIZE + 3 * (2 * s->name.len + 64)))
		return false;
	put_big(b, 18, 2);
	put_i64(b, (int64_t)key->key);
	put_text(b, s->name);
	put_i64(b, s->counter.type);
	put_i64(b, s->counter.time_base);
	put_i32(b, s->counter.size_bytes);
	put_i64(b, (int64_t)s->order);
	put_i32(b, (int32_t)s->source);
	put_i32(b, s->wildcard);
	put_i32(b, s->formatted);
	if (s->formatted && s->type_known)
		put_i64(b, s->known_type);
	else
		put_null(b);
	put_i32(b, s->counter.default_scale);
	put_text(b, path->machine);
	put_text(b, path->object);
	put_text_or_null(b, path->parent);
	put_text_or_null(b, path->instance);
	put_i32(b, (int32_t)path->index);
	put_text(b, path->counter);
	put_i64(b, key->twin);
	return true;
}

// Samples have the numbers of the log that they are of, and of their place in it.
static int64_t
sample_id(const struct pmon_push_sink *push, int64_t stream)
{
	return stream << 32 | (int64_t)(push->counts.samples & UINT32_MAX);
}

static void
put_sample(struct pmon_push_bytes *b, const struct pmon_sample *sample, int64_t id)
{
	put_big(b, 7, 2);
	put_i64(b, id);
	put_i32(b, (int32_t)(id >> 32));
	put_i64(b, (id & UINT32_MAX) + 1);
	put_i64(b, (int64_t)sample->ordinal);
	put_i64(b, sample->time);
	put_i32(b, sample->utc_offset_min);
	put_i32(b, sample->lead_in);
}

static void
put_value(struct pmon_push_bytes *b, const struct pmon_push_row *row, int64_t sample_id)
{
	put_big(b, 10, 2);
	put_i64(b, (int64_t)row->series);
	put_i64(b, row->time);
	put_i32(b, (int32_t)row->nth);
	put_i64(b, row->raw->multi);
	put_i64(b, row->raw->status);
	put_i64(b, row->raw->first);
	put_i64(b, row->raw->second);
	put_time(b, row->raw->time);
	put_i64(b, row->absent_after);
	put_i64(b, sample_id);
}

bool
pmon_pg_batch_add(const struct pmon_push_sink *push, struct pg_batch *batch,
		  const struct pmon_sample *sample, const struct pmon_push_row *rows,
		  int64_t stream)
{
	int64_t id = sample_id(push, stream);
	size_t size;

	if (!pmon_mul(sample->n, VALUE_SIZE, &size) ||
	    !pmon_push_room(push, &batch->values, size) ||
	    !pmon_push_room(push, &batch->samples, SAMPLE_SIZE))
		return false;
	put_sample(&batch->samples, sample, id);
	for (size_t i = 0; i < sample->n; i++)
		put_value(&batch->values, &rows[i], id);
	return true;
}

void
pmon_pg_batch_free(const struct pmon_push_sink *push, struct pg_batch *batch)
{
	pmon_push_free(push, &batch->series);
	pmon_push_free(push, &batch->samples);
	pmon_push_free(push, &batch->values);
}
