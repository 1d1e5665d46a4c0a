// batch.c - a batch on its way into PostgreSQL, as rows of binary COPY
// SPDX-License-Identifier: MIT

#include "push/postgres/postgres.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf.h"
#include "model/schema.h"

#define VALUE_SIZE  118 // of a row of COPY, at most
#define SAMPLE_SIZE 78
#define SERIES_SIZE 256 // and its texts

// ---- Cells ----------------------------------------------------------------------------------

static void
put_big(struct pmon_push_bytes *b, uint64_t number, unsigned size)
{
	for (unsigned i = size; i-- > 0;)
		b->list[b->n++] = (uint8_t)(number >> (8 * i));
}

void
pmon_pg_put_i64(struct pmon_push_bytes *b, int64_t number)
{
	put_big(b, 8, 4);
	put_big(b, (uint64_t)number, 8);
}

void
pmon_pg_put_columns(struct pmon_push_bytes *b, unsigned n)
{
	put_big(b, n, 2);
}

void
pmon_pg_put_key(struct pmon_push_bytes *b, struct pmon_hash128 key)
{
	put_big(b, 16, 4);
	put_big(b, key.high, 8);
	put_big(b, key.low, 8);
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
		pmon_pg_put_i64(b, time);
}

// Text that the server takes: no NULs, and nothing that is not UTF-8. Room is for three bytes each.
void
pmon_pg_put_text(struct pmon_push_bytes *b, struct pmon_span text)
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
		pmon_pg_put_text(b, text);
}

// ---- Rows -----------------------------------------------------------------------------------

// The number of the series, and PG_SERIES_COLUMNS.
bool
pmon_pg_batch_add_series(const struct pmon_push_sink *push, struct pg_batch *batch, size_t i)
{
	const struct pmon_series *s = pmon_schema_at(push->keys.schema, i);
	const struct pmon_push_key *key = &push->keys.list[i];
	const struct pmon_path *path = &s->path;
	struct pmon_push_bytes *b = &batch->series;

	if (!pmon_push_identity_put(&batch->identity, push->allocator, s, key->duplicate) ||
	    !pmon_push_room(push, b,
			    SERIES_SIZE + 3 * (2 * s->name.len + 64 + batch->identity.len)))
		return false;
	put_big(b, 20, 2);
	put_i32(b, (int32_t)i);
	pmon_pg_put_text(b, s->name);
	pmon_pg_put_i64(b, s->counter.type);
	pmon_pg_put_i64(b, s->counter.time_base);
	put_i32(b, s->counter.size_bytes);
	pmon_pg_put_i64(b, (int64_t)s->order);
	put_i32(b, (int32_t)s->source);
	put_i32(b, s->wildcard);
	put_i32(b, s->formatted);
	if (s->formatted && pmon_series_says_type(s))
		pmon_pg_put_i64(b, s->known_type);
	else
		put_null(b);
	put_i32(b, s->counter.default_scale);
	pmon_pg_put_text(b, path->machine);
	pmon_pg_put_text(b, path->object);
	put_text_or_null(b, path->parent);
	put_text_or_null(b, path->instance);
	put_i32(b, (int32_t)path->index);
	pmon_pg_put_text(b, path->counter);
	pmon_pg_put_i64(b, key->duplicate);
	pmon_pg_put_key(b, key->key);
	pmon_pg_put_text(
		b, (struct pmon_span){(const char *)batch->identity.text, batch->identity.len});
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
	pmon_pg_put_i64(b, id);
	put_i32(b, (int32_t)(id >> 32));
	pmon_pg_put_i64(b, (id & UINT32_MAX) + 1);
	pmon_pg_put_i64(b, (int64_t)sample->ordinal);
	pmon_pg_put_i64(b, sample->time);
	put_i32(b, sample->utc_offset_min);
	put_i32(b, sample->lead_in);
}

static void
put_value(struct pmon_push_bytes *b, uint32_t series, const struct pmon_push_row *row,
	  int64_t sample_id)
{
	put_big(b, 10, 2);
	pmon_pg_put_i64(b, series);
	pmon_pg_put_i64(b, row->time);
	put_i32(b, (int32_t)row->nth); // below 0 for rows that identify the process of a value
	pmon_pg_put_i64(b, row->raw->multi);
	pmon_pg_put_i64(b, row->raw->status);
	pmon_pg_put_i64(b, row->raw->first);
	pmon_pg_put_i64(b, row->raw->second);
	put_time(b, row->raw->time);
	pmon_pg_put_i64(b, row->absent_after);
	pmon_pg_put_i64(b, sample_id);
}

// Remember the day that a time is of. Samples come in the order of time, with few exceptions.
static bool
add_day(const struct pmon_push_sink *push, struct pg_batch *batch, pmon_time time)
{
	pmon_time day = time - time % PMON_PUSH_DAY_100NS;

	if (batch->n_days == 0 || time < batch->first)
		batch->first = time;
	if (batch->n_days == 0 || time > batch->last)
		batch->last = time;
	for (size_t i = batch->n_days; i-- > 0;)
		if (batch->days[i] == day)
			return true;
	if (!pmon_mem_grow(push->allocator, &batch->days, &batch->days_cap, batch->n_days + 1,
			   sizeof(*batch->days)))
		return false;
	batch->days[batch->n_days++] = day;
	return true;
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
	if (!sample->starts) // else the next sample has the same number
		put_sample(&batch->samples, sample, id);
	for (size_t i = 0; i < sample->n; i++) {
		if (!add_day(push, batch, rows[i].time))
			return false;
		put_value(&batch->values, sample->series[i], &rows[i], id);
	}
	return true;
}

void
pmon_pg_batch_free(const struct pmon_push_sink *push, struct pg_batch *batch)
{
	pmon_push_free(push, &batch->series);
	pmon_push_free(push, &batch->samples);
	pmon_push_free(push, &batch->values);
	pmon_mem_free(push->allocator, batch->days, batch->days_cap * sizeof(*batch->days));
	pmon_push_identity_free(&batch->identity, push->allocator);
}
