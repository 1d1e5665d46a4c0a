// query.c - ask an engine for values and averages of what was pushed
// SPDX-License-Identifier: MIT

#include "push/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/num.h"
#include "push/rollup.h"

#define WHERE_SIZE ((size_t)64 << 10) // of a condition on counters, that is worth sending

// The cells of a counter.
enum {
	CELL_ID,
	CELL_MACHINE,
	CELL_OBJECT,
	CELL_PARENT,
	CELL_INSTANCE,
	CELL_INDEX,
	CELL_COUNTER,
	CELL_TYPE,
	CELL_TIME_BASE,
	CELL_SCALE,
	CELL_SIZE,
	SERIES_CELLS
};

// ---- Opening --------------------------------------------------------------------------------

static enum pmon_status
look(struct pmon_query *q, struct pmon_err *err)
{
	q->engine = q->push->engine->query;
	if (q->engine == NULL)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "this pmon cannot query the engine: it was built without "
				    "jansson, which reads the answers");
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
	pmon_mem_free(allocator, q->cells.list, q->cells.cap * sizeof(*q->cells.list));
	pmon_mem_free(allocator, q->rows, q->rows_cap * sizeof(*q->rows));
	pmon_mem_free(allocator, q->sql, q->sql_size);
	pmon_sink_close(&q->push->sink);
	pmon_mem_free(allocator, q, sizeof(*q));
}

// ---- Statements -----------------------------------------------------------------------------

typedef void (*put_fn)(const struct pmon_query *q, const void *what, struct pmon_text *sql);

// Write a statement into memory of its length.
static bool
write_sql(struct pmon_query *q, put_fn put, const void *what)
{
	struct pmon_text sql = pmon_text_init(NULL, 0);
	char *text;

	put(q, what, &sql);
	text = pmon_mem_alloc(q->push->allocator, sql.len + 1);
	if (text == NULL)
		return false;
	pmon_mem_free(q->push->allocator, q->sql, q->sql_size);
	q->sql = text;
	q->sql_size = sql.len + 1;
	sql = pmon_text_init(q->sql, q->sql_size);
	put(q, what, &sql);
	return true;
}

static void
put_names(const struct pmon_query *q, const void *what, struct pmon_text *sql)
{
	(void)what;
	q->engine->put_names(q, sql);
}

static void
put_range(const struct pmon_query *q, const void *what, struct pmon_text *sql)
{
	(void)what;
	q->engine->put_range(q, sql);
}

static void
put_series(const struct pmon_query *q, const void *what, struct pmon_text *sql)
{
	q->engine->put_series(q, what, sql);
}

static void
put_ask(const struct pmon_query *q, const void *what, struct pmon_text *sql)
{
	q->engine->put(q, what, sql);
}

static enum pmon_status
ask(struct pmon_query *q, put_fn put, const void *what, size_t n_columns, struct pmon_err *err)
{
	enum pmon_status status =
		write_sql(q, put, what) ? q->engine->ask(q, q->sql, err) : pmon_err_nomem(err);

	if (status == PMON_OK && q->cells.n_rows > 0 && q->cells.n_columns != n_columns)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "the answer of the engine has %zu columns in place of %zu",
				    q->cells.n_columns, n_columns);
	return status;
}

static void
put_hours_end(const struct pmon_query *q, const void *what, struct pmon_text *sql)
{
	(void)what;
	q->engine->put_hours_end(q, sql);
}

const char *
pmon_query_text(struct pmon_query *q, const struct pmon_query_ask *what)
{
	return write_sql(q, put_ask, what) ? q->sql : NULL;
}

// ---- Cells ----------------------------------------------------------------------------------

static struct pmon_span
cell(const struct pmon_query *q, size_t row, size_t column)
{
	return q->cells.list[row * q->cells.n_columns + column];
}

static int64_t
number(const struct pmon_query *q, size_t row, size_t column)
{
	int64_t n = 0;

	return pmon_num_parse_i64(cell(q, row, column), &n) ? n : 0;
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

static enum pmon_status
add_series(struct pmon_query *q, size_t row, size_t most, struct pmon_err *err)
{
	struct pmon_path path = {.machine = cell(q, row, CELL_MACHINE),
				 .object = cell(q, row, CELL_OBJECT),
				 .parent = cell(q, row, CELL_PARENT),
				 .instance = cell(q, row, CELL_INSTANCE),
				 .index = (int32_t)number(q, row, CELL_INDEX),
				 .counter = cell(q, row, CELL_COUNTER)};
	struct pmon_counter counter = {.type = (uint32_t)number(q, row, CELL_TYPE),
				       .time_base = number(q, row, CELL_TIME_BASE),
				       .default_scale = (int32_t)number(q, row, CELL_SCALE),
				       .size_bytes = (uint8_t)number(q, row, CELL_SIZE)};

	if (path.machine.len == 0)
		path.machine.ptr = NULL;
	if (path.parent.len == 0)
		path.parent.ptr = NULL;
	return pmon_query_add(q, cell(q, row, CELL_ID), &path, &counter, most, err);
}

// The condition for those that are wanted, "" for all: then fewer would make it no shorter. False: none is.
static bool
put_condition(struct pmon_query *q, pmon_query_want_fn want, void *ctx, char *buf, size_t size)
{
	struct pmon_text where = pmon_text_init(buf, size);
	size_t n = 0;

	for (size_t i = 0; i < q->cells.n_rows; i++) {
		if (!want(ctx, cell(q, i, 0), cell(q, i, 1)))
			continue;
		pmon_text_str(&where, n++ > 0 ? ", (" : "WHERE (object, counter) IN ((");
		q->engine->put_quoted(&where, cell(q, i, 0));
		pmon_text_str(&where, ", ");
		q->engine->put_quoted(&where, cell(q, i, 1));
		pmon_text_char(&where, ')');
	}
	pmon_text_char(&where, ')');
	if (n == 0 || n == q->cells.n_rows || where.len >= size)
		buf[0] = '\0';
	return n > 0;
}

enum pmon_status
pmon_query_load(struct pmon_query *q, pmon_query_want_fn want, void *ctx, size_t most,
		struct pmon_err *err)
{
	enum pmon_status status;
	bool any = true;
	char *where;

	if (q->engine->load != NULL)
		return q->engine->load(q, want, ctx, most, err);
	where = pmon_mem_alloc0(q->push->allocator, WHERE_SIZE);
	status = where != NULL ? PMON_OK : pmon_err_nomem(err);
	if (status == PMON_OK && want != NULL) {
		status = ask(q, put_names, NULL, 2, err);
		any = status == PMON_OK && put_condition(q, want, ctx, where, WHERE_SIZE);
	}
	if (status == PMON_OK && any)
		status = ask(q, put_series, where, SERIES_CELLS, err);
	for (size_t i = 0; status == PMON_OK && any && i < q->cells.n_rows; i++)
		status = add_series(q, i, most, err);
	if (where != NULL)
		pmon_mem_free(q->push->allocator, where, WHERE_SIZE);
	return status;
}

enum pmon_status
pmon_query_range(struct pmon_query *q, pmon_time *first, pmon_time *last, struct pmon_err *err)
{
	enum pmon_status status;

	*first = *last = PMON_TIME_NONE;
	if (q->engine->range != NULL)
		return q->engine->range(q, first, last, err);
	status = ask(q, put_range, NULL, 2, err);
	if (status == PMON_OK && q->cells.n_rows > 0 && cell(q, 0, 0).len > 0) {
		*first = number(q, 0, 0);
		*last = number(q, 0, 1);
	}
	return status;
}

// Without a beginning all hours are taken that there are.
void
pmon_query_find_hours(struct pmon_query *q, struct pmon_query_ask *what)
{
	struct pmon_err err;
	pmon_time end = 0;

	what->hours_from = what->hours_to = 0;
	if (what->what != PMON_QUERY_AVERAGES || q->engine->put_hours_end == NULL)
		return;
	if (ask(q, put_hours_end, NULL, 1, &err) == PMON_OK && q->cells.n_rows > 0)
		end = number(q, 0, 0);
	if (what->to != PMON_TIME_NONE && what->to < end)
		end = what->to + 1;
	end -= end % PMON_HOUR_100NS;
	if (what->from != PMON_TIME_NONE && what->from > 0)
		what->hours_from =
			(what->from - 1) / PMON_HOUR_100NS * PMON_HOUR_100NS + PMON_HOUR_100NS;
	what->hours_to = end;
	if (what->hours_from >= what->hours_to)
		what->hours_from = what->hours_to = 0;
}

// ---- Rows -----------------------------------------------------------------------------------

static enum pmon_vstat
status_of(struct pmon_span name)
{
	for (int i = 0; i < PMON_V_COUNT; i++) {
		const char *text = pmon_vstat_name((enum pmon_vstat)i);

		if (strlen(text) == name.len && memcmp(text, name.ptr, name.len) == 0)
			return (enum pmon_vstat)i;
	}
	return PMON_V_NO_DATA;
}

static struct pmon_value
value_of(const struct pmon_query *q, size_t row, size_t column)
{
	struct pmon_span text = cell(q, row, column);
	struct pmon_value value = {.status = status_of(cell(q, row, column + 1))};

	if (pmon_vstat_has_value(value.status) &&
	    (text.ptr == NULL || !pmon_num_parse_double(text, &value.value)))
		value.status = PMON_V_NOT_FINITE;
	return value;
}

// id, nth, time, raw_time, value, status; or id, path, average, status, unit, samples, pairs
#define VALUE_CELLS   6
#define AVERAGE_CELLS 7

static void
take_row(const struct pmon_query *q, const struct pmon_query_ask *what, size_t i,
	 struct pmon_query_row *row)
{
	bool in_groups = what->groups != NULL;

	*row = (struct pmon_query_row){.of = in_groups ? (uint32_t)number(q, i, 0) - 1
						       : pmon_query_find(q, cell(q, i, 0))};
	if (what->what == PMON_QUERY_VALUES) {
		row->nth = (uint32_t)number(q, i, 1);
		row->time = number(q, i, 2);
		row->raw_time = cell(q, i, 3).ptr != NULL ? number(q, i, 3) : PMON_TIME_NONE;
		row->value = value_of(q, i, 4);
		return;
	}
	row->value = value_of(q, i, 2);
	row->samples = (uint64_t)number(q, i, 5);
	row->pairs = (uint64_t)number(q, i, 6);
}

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

static enum pmon_status
run_statement(struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_err *err)
{
	bool has_values = what->what == PMON_QUERY_VALUES;
	size_t most = what->groups != NULL ? what->n_groups : q->schema.n;
	enum pmon_status status =
		ask(q, put_ask, what, has_values ? VALUE_CELLS : AVERAGE_CELLS, err);

	if (status != PMON_OK)
		return status;
	if (!pmon_mem_grow(q->push->allocator, &q->rows, &q->rows_cap, q->cells.n_rows,
			   sizeof(*q->rows)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < q->cells.n_rows; i++) {
		take_row(q, what, i, &q->rows[q->n_rows]);
		q->n_rows +=
			q->rows[q->n_rows].of < most &&
			(what->top == 0 || pmon_vstat_has_value(q->rows[q->n_rows].value.status));
	}
	return PMON_OK;
}

enum pmon_status
pmon_query_run(struct pmon_query *q, const struct pmon_query_ask *what, struct pmon_err *err)
{
	enum pmon_status status;

	q->n_rows = 0;
	status =
		q->engine->run != NULL ? q->engine->run(q, what, err) : run_statement(q, what, err);
	if (status == PMON_OK && q->n_rows > 0 && what->top == 0)
		qsort(q->rows, q->n_rows, sizeof(*q->rows), by_time);
	return status;
}
