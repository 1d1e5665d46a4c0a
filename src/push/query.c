// query.c - query values and averages in an engine
// SPDX-License-Identifier: MIT

#include "push/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"

// ---- Opening --------------------------------------------------------------------------------

static enum pmon_status
look(struct pmon_query *q, struct pmon_err *err)
{
	q->engine = q->push->engine->query;
	if (q->push->engine->asked_by != NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0, "%s", q->push->engine->asked_by);
	if (q->engine == NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "this pmon cannot query the engine: it was built without "
				    "jansson, which parses the responses");
	return q->engine->check(q, err);
}

enum pmon_status
pmon_query_open(const char *url, const struct pmon_push_options *options, struct pmon_query **out,
		struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct pmon_query *q = pmon_mem_alloc0(allocator, sizeof(*q));
	struct pmon_sink *sink = NULL;
	enum pmon_status status;

	*out = NULL;
	if (q == NULL)
		return pmon_err_nomem(err);
	status = pmon_push_open(url, options, &sink, err);
	if (status != PMON_OK) {
		pmon_mem_free(allocator, q, sizeof(*q));
		return status;
	}
	q->push = (struct pmon_push_sink *)sink;
	pmon_schema_init(&q->schema, allocator);
	status = look(q, err);
	if (status == PMON_OK)
		*out = q;
	else
		pmon_query_close(q);
	return status;
}

void
pmon_query_close(struct pmon_query *q)
{
	const struct pmon_allocator *allocator;

	if (q == NULL)
		return;
	allocator = q->push->allocator;
	pmon_schema_free(&q->schema);
	pmon_map_free(&q->by_id, allocator);
	pmon_mem_free(allocator, q->ids, q->ids_cap * sizeof(*q->ids));
	pmon_mem_free(allocator, q->rows, q->rows_cap * sizeof(*q->rows));
	pmon_mem_free(allocator, q->text, q->text_size);
	pmon_sink_close(&q->push->sink);
	pmon_mem_free(allocator, q, sizeof(*q));
}

const char *
pmon_query_text(struct pmon_query *q, const struct pmon_query_ask *ask)
{
	struct pmon_text text = pmon_text_init(NULL, 0);
	char *buf;

	q->engine->put(q, ask, &text);
	buf = pmon_mem_alloc(q->push->allocator, text.len + 1);
	if (buf == NULL)
		return NULL;
	pmon_mem_free(q->push->allocator, q->text, q->text_size);
	q->text = buf;
	q->text_size = text.len + 1;
	text = pmon_text_init(q->text, q->text_size);
	q->engine->put(q, ask, &text);
	return q->text;
}

// ---- Counters -------------------------------------------------------------------------------

static uint64_t
hash_id(struct pmon_span id)
{
	return pmon_hash64(0, id.ptr, id.len);
}

static bool
is_id(const struct pmon_query *q, uint32_t i, struct pmon_span id)
{
	return strlen(q->ids[i]) == id.len && memcmp(q->ids[i], id.ptr, id.len) == 0;
}

uint32_t
pmon_query_find(const struct pmon_query *q, struct pmon_span id)
{
	uint64_t hash = hash_id(id);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&q->by_id, hash, &at)) != PMON_MAP_NONE)
		if (is_id(q, i, id))
			return i;
	return PMON_SERIES_NONE;
}

enum pmon_status
pmon_query_add(struct pmon_query *q, struct pmon_span id, const struct pmon_path *path,
	       const struct pmon_counter *counter, size_t most, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = q->push->allocator;
	enum pmon_status status;
	uint32_t i = 0;

	if (id.len >= PMON_QUERY_ID_SIZE || pmon_query_find(q, id) != PMON_SERIES_NONE)
		return PMON_OK;
	status = pmon_schema_add(&q->schema, path, counter, q->schema.n, most, &i);
	if (status != PMON_OK)
		return pmon_schema_refuse(status, most, err);
	if (counter->type == PMON_PERF_DOUBLE_RAW)
		pmon_schema_set_formatted(&q->schema, i, NULL);
	if (!pmon_mem_grow(allocator, &q->ids, &q->ids_cap, (size_t)i + 1, sizeof(*q->ids)) ||
	    !pmon_map_put(&q->by_id, allocator, hash_id(id), i))
		return pmon_err_nomem(err);
	memcpy(q->ids[i], id.ptr, id.len);
	q->ids[i][id.len] = '\0';
	return PMON_OK;
}

enum pmon_status
pmon_query_load(struct pmon_query *q, pmon_query_want_fn want, void *ctx, size_t most,
		struct pmon_err *err)
{
	return q->engine->load(q, want, ctx, most, err);
}

enum pmon_status
pmon_query_range(struct pmon_query *q, pmon_time *first, pmon_time *last, struct pmon_err *err)
{
	*first = *last = PMON_TIME_NONE;
	return q->engine->range(q, first, last, err);
}

// ---- Rows -----------------------------------------------------------------------------------

static int
by_time(const void *a, const void *b)
{
	const struct pmon_query_row *x = a;
	const struct pmon_query_row *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->nth != y->nth)
		return x->nth < y->nth ? -1 : 1;
	return x->of < y->of ? -1 : x->of > y->of;
}

struct pmon_query_row *
pmon_query_put_row(struct pmon_query *q)
{
	if (!pmon_mem_grow(q->push->allocator, &q->rows, &q->rows_cap, q->n_rows + 1,
			   sizeof(*q->rows)))
		return NULL;
	return &q->rows[q->n_rows++];
}

enum pmon_status
pmon_query_run(struct pmon_query *q, const struct pmon_query_ask *ask, struct pmon_err *err)
{
	enum pmon_status status;

	q->n_rows = 0;
	status = q->engine->run(q, ask, err);
	if (status == PMON_OK && q->n_rows > 0 && ask->top == 0)
		qsort(q->rows, q->n_rows, sizeof(*q->rows), by_time);
	return status;
}
