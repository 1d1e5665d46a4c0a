// batch.c - a batch on its way into PostgreSQL, as rows of binary COPY
// SPDX-License-Identifier: MIT

#include "push/postgres/postgres.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf.h"
#include "core/sql.h"
#include "model/schema.h"

#define FACT_SIZE   ((size_t)256) // of a row of COPY, at most
#define FIRST_SIZE  ((size_t)64)
#define TAIL_SIZE   ((size_t)128)
#define SERIES_SIZE ((size_t)512) // and its texts
// Labels as JSON, at the most.
#define LABELS_SIZE ((size_t)PMON_LABELS * (PMON_LABEL_NAME + 2 * PMON_LABEL_VALUE + 6) + 3)

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
put_key(struct pmon_push_bytes *b, struct pmon_hash128 key)
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
put_i16(struct pmon_push_bytes *b, int number)
{
	put_big(b, 2, 4);
	put_big(b, (uint16_t)number, 2);
}

static void
put_bool(struct pmon_push_bytes *b, bool flag)
{
	put_big(b, 1, 4);
	put_big(b, flag, 1);
}

static void
put_double(struct pmon_push_bytes *b, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	put_big(b, 8, 4);
	put_big(b, bits, 8);
}

static void
put_null(struct pmon_push_bytes *b)
{
	put_big(b, UINT32_MAX, 4);
}

static void
put_unless_0(struct pmon_push_bytes *b, int64_t number)
{
	if (number == 0)
		put_null(b);
	else
		put_i64(b, number);
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
put_str(struct pmon_push_bytes *b, const char *text)
{
	put_text(b, (struct pmon_span){text, strlen(text)});
}

// ---- Series ---------------------------------------------------------------------------------

// The constants of averages: add, mul, is_real, by_base, has_average.
static void
put_form(struct pmon_push_bytes *b, const struct pmon_counter *counter)
{
	struct pmon_push_form form = pmon_push_form(counter);

	put_double(b, form.add);
	put_double(b, form.mul);
	put_bool(b, form.is_real);
	put_bool(b, form.by_base);
	put_bool(b, form.has_average);
}

// The columns from `key` to `path`.
static void
put_names(struct pmon_push_bytes *b, const struct pmon_series *s, const struct pmon_push_key *key,
	  const struct pmon_push_identity *identity)
{
	const struct pmon_path *path = &s->path;
	const char *text = (const char *)identity->text;
	const char *tab = memchr(text, '\t', identity->len);

	put_key(b, key->key);
	put_text(b, (struct pmon_span){text, (size_t)(tab - text)});
	put_text(b, path->machine);
	put_text(b, (struct pmon_span){text, identity->len});
	put_text(b, path->object);
	put_text(b, path->parent);
	put_text(b, path->instance);
	put_bool(b, path->instance.ptr != NULL);
	put_i32(b, (int32_t)path->index);
	put_text(b, path->counter);
	put_text(b, s->name);
}

// As binary jsonb, version 1.
static void
put_labels(struct pmon_push_bytes *b, const struct pmon_labels *labels)
{
	char buf[LABELS_SIZE];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	pmon_text_char(&text, '{');
	for (size_t i = 0; i < labels->n; i++) {
		pmon_text_str(&text, i > 0 ? ",\"" : "\"");
		pmon_text_str(&text, labels->list[i].name);
		pmon_text_str(&text, "\":\"");
		for (const char *c = labels->list[i].value; *c != '\0'; c++) {
			if (*c == '"' || *c == '\\')
				pmon_text_char(&text, '\\');
			pmon_text_char(&text, *c);
		}
		pmon_text_char(&text, '"');
	}
	pmon_text_char(&text, '}');
	put_big(b, text.len + 1, 4);
	put_big(b, 1, 1);
	memcpy(b->list + b->n, buf, text.len);
	b->n += text.len;
}

bool
pmon_pg_batch_add_series(const struct pmon_push_sink *push, struct pg_batch *batch, size_t i)
{
	const struct pmon_series *s = pmon_schema_at(push->keys.schema, i);
	const struct pmon_counter_type *type = pmon_type_by_word(s->counter.type);
	const struct pmon_push_key *key = &push->keys.list[i];
	struct pmon_push_bytes *b = &batch->series;

	if (!pmon_push_identity_put(&batch->identity, push->allocator, s, &push->labels,
				    key->duplicate) ||
	    !pmon_push_room(push, b,
			    SERIES_SIZE + LABELS_SIZE + 6 * (s->name.len + batch->identity.len)))
		return false;
	put_big(b, 26, 2);
	put_i32(b, (int32_t)i);
	put_names(b, s, key, &batch->identity);
	put_i64(b, s->counter.type);
	put_str(b, type != NULL ? type->name : "");
	put_str(b, pmon_sql_formula_name(type != NULL ? type->formula : PMON_FORMULA_NONE));
	put_str(b, type != NULL ? type->unit : "");
	put_i64(b, s->counter.time_base);
	put_i32(b, s->counter.default_scale);
	put_i32(b, s->counter.size_bytes);
	put_i64(b, key->duplicate);
	put_form(b, &s->counter);
	put_labels(b, &push->labels);
	return true;
}

// ---- Facts ----------------------------------------------------------------------------------

// Only where it is not that of the row before: most rows have none.
static void
put_owner(struct pmon_push_bytes *b, const struct pmon_push_fact *fact)
{
	bool is_start = fact->row.kind == PMON_INCREMENT_START;

	if (fact->row.kind == PMON_INCREMENT_NONE || (fact->same_owner && !is_start) ||
	    (is_start && fact->owner.known == 0)) {
		put_null(b);
		put_null(b);
		put_null(b);
		return;
	}
	put_i64(b, fact->owner.id);
	put_i64(b, fact->owner.start);
	put_i16(b, (int)fact->owner.known);
}

bool
pmon_pg_put_fact(const struct pmon_push_sink *push, struct pmon_push_bytes *b, uint32_t series,
		 const struct pmon_push_fact *fact, bool is_real)
{
	const struct pmon_increment *row = &fact->row;

	if (!pmon_push_room(push, b, FACT_SIZE))
		return false;
	put_big(b, 17, 2);
	put_i32(b, (int32_t)series);
	put_i64(b, fact->time);
	put_i64(b, row->n);
	put_i64(b, row->d);
	put_i64(b, fact->span);
	put_i32(b, (int32_t)fact->nth);
	put_str(b, pmon_increment_kind_name(row->kind));
	put_str(b, pmon_vstat_name(row->status));
	if (is_real && row->kind == PMON_INCREMENT_PAIR)
		put_double(b, row->x);
	else
		put_null(b);
	put_unless_0(b, row->b);
	put_unless_0(b, row->time - fact->time);
	put_unless_0(b, row->multi);
	put_unless_0(b, row->raw_status);
	put_owner(b, fact);
	if (row->wrapped != 0)
		put_i16(b, (int)row->wrapped);
	else
		put_null(b);
	return true;
}

bool
pmon_pg_put_first(const struct pmon_push_sink *push, struct pmon_push_bytes *b, size_t at,
		  const struct pmon_push_first *first)
{
	if (!pmon_push_room(push, b, FIRST_SIZE))
		return false;
	put_big(b, 3, 2);
	put_i64(b, (int64_t)at);
	put_i32(b, (int32_t)first->series);
	put_i64(b, first->fact.time);
	return true;
}

bool
pmon_pg_put_tail(const struct pmon_push_sink *push, struct pmon_push_bytes *b, uint32_t series,
		 const struct pmon_push_state *state)
{
	const struct pmon_raw *raw = &state->rows.tail;

	if (!pmon_push_room(push, b, TAIL_SIZE))
		return false;
	put_big(b, 9, 2);
	put_i32(b, (int32_t)series);
	put_i64(b, state->time);
	put_i64(b, raw->first);
	put_i64(b, raw->second);
	put_i64(b, raw->multi);
	put_i64(b, raw->status);
	put_i64(b, state->owner.id);
	put_i64(b, state->owner.start);
	put_i16(b, (int)state->owner.known);
	return true;
}

// ---- Days -----------------------------------------------------------------------------------

// Samples come in the order of time, with few exceptions.
bool
pmon_pg_add_day(const struct pmon_push_sink *push, pmon_time **days, size_t *n, size_t *cap,
		pmon_time day)
{
	for (size_t i = *n; i-- > 0;)
		if ((*days)[i] == day)
			return true;
	if (!pmon_mem_grow(push->allocator, days, cap, *n + 1, sizeof(**days)))
		return false;
	(*days)[(*n)++] = day;
	return true;
}

static bool
add_time(const struct pmon_push_sink *push, struct pg_batch *batch, pmon_time time)
{
	if (batch->n == 0 || time < batch->first)
		batch->first = time;
	if (batch->n == 0 || time > batch->last)
		batch->last = time;
	batch->n++;
	return pmon_pg_add_day(push, &batch->days, &batch->n_days, &batch->days_cap,
			       time - time % PMON_PUSH_DAY_100NS);
}

// ---- Batches --------------------------------------------------------------------------------

bool
pmon_pg_batch_add(const struct pmon_push_sink *push, struct pg_batch *batch,
		  struct pmon_push_states *states, const struct pmon_sample *sample,
		  const struct pmon_push_row *rows)
{
	for (size_t i = 0; i < sample->n; i++) {
		uint32_t series = sample->series[i];
		struct pmon_push_fact fact;
		bool is_fact;
		bool is_first;

		if (!pmon_push_seams_take(&batch->firsts, states, series, &rows[i], 0, &fact,
					  &is_fact, &is_first))
			return false;
		if (!is_fact)
			continue;
		if (!add_time(push, batch, fact.time) ||
		    (!is_first && !pmon_pg_put_fact(push, &batch->facts, series, &fact,
						    states->list[series].is_real)))
			return false;
	}
	batch->n_taken += sample->n;
	batch->len = batch->facts.n;
	return true;
}

bool
pmon_pg_batch_put_firsts(const struct pmon_push_sink *push, struct pg_batch *batch)
{
	batch->facts.n = batch->len;
	for (size_t i = 0; i < batch->firsts.n; i++) {
		const struct pmon_push_first *first = &batch->firsts.list[i];

		if (!pmon_pg_put_fact(push, &batch->facts, first->series, &first->fact, false))
			return false;
	}
	return true;
}

void
pmon_pg_batch_clear(struct pg_batch *batch)
{
	batch->facts.n = batch->len = 0;
	batch->firsts.n = 0;
	batch->is_joined = false;
	batch->n = batch->n_taken = 0;
	batch->n_days = 0;
}

void
pmon_pg_batch_free(const struct pmon_push_sink *push, struct pg_batch *batch)
{
	pmon_push_free(push, &batch->series);
	pmon_push_free(push, &batch->facts);
	pmon_push_seams_free(&batch->firsts, push->allocator);
	pmon_mem_free(push->allocator, batch->days, batch->days_cap * sizeof(*batch->days));
	pmon_push_identity_free(&batch->identity, push->allocator);
}
