// counters.c - the counters of a database, and their series
// SPDX-License-Identifier: MIT

#include "format/sqlite/sqlite.h"
#include "format/sqlite/sql.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

// The columns of both queries; pmon's own columns are NULL in the second.
enum column {
	C_ID,
	C_MACHINE,
	C_OBJECT,
	C_COUNTER,
	C_INSTANCE,
	C_INDEX,
	C_PARENT,
	C_TYPE,
	C_SCALE,
	C_TIME_BASE_A,
	C_TIME_BASE_B,
	C_SIZE,
	C_LISTED,
	C_SOURCE,
	C_WILDCARD,
	C_FORMATTED,
	C_KNOWN_TYPE,
};

// ---- Rows -----------------------------------------------------------------------------------

// A text as a span into the row; NULL is absent.
static struct pmon_span
text_at(sqlite3_stmt *row, enum column column)
{
	const unsigned char *text = sqlite3_column_text(row, (int)column);

	return (struct pmon_span){(const char *)text,
				  (size_t)sqlite3_column_bytes(row, (int)column)};
}

static struct pmon_span
without_slashes(struct pmon_span machine)
{
	while (machine.len > 0 && machine.ptr[0] == '\\') {
		machine.ptr++;
		machine.len--;
	}
	return machine.len > 0 ? machine : (struct pmon_span){NULL, 0};
}

static int32_t
index_at(sqlite3_stmt *row)
{
	int64_t index = sqlite3_column_int64(row, C_INDEX);

	return index >= 0 && index <= INT32_MAX ? (int32_t)index : 0;
}

static void
take_path(sqlite3_stmt *row, struct pmon_path *path)
{
	*path = (struct pmon_path){
		.machine = without_slashes(text_at(row, C_MACHINE)),
		.object = text_at(row, C_OBJECT),
		.parent = text_at(row, C_PARENT),
		.instance = text_at(row, C_INSTANCE),
		.index = index_at(row),
		.counter = text_at(row, C_COUNTER),
	};
	if (path->instance.ptr == NULL) {
		path->parent = (struct pmon_span){NULL, 0};
		path->index = 0;
	}
}

static void
take_counter(sqlite3_stmt *row, struct sqlog_counter *c)
{
	uint64_t a = (uint32_t)sqlite3_column_int64(row, C_TIME_BASE_A);
	uint64_t b = (uint32_t)sqlite3_column_int64(row, C_TIME_BASE_B);
	int64_t size = sqlite3_column_int64(row, C_SIZE);

	*c = (struct sqlog_counter){
		.id = sqlite3_column_int64(row, C_ID),
		.counter = {.type = (uint32_t)sqlite3_column_int64(row, C_TYPE),
			    .size_bytes = size == 4 || size == 8 ? (uint8_t)size : 0,
			    .default_scale = sqlite3_column_int(row, C_SCALE),
			    .time_base = (int64_t)(b << 32 | a)},
		.order = (uint64_t)sqlite3_column_int64(row, C_LISTED),
		.source = (uint32_t)sqlite3_column_int64(row, C_SOURCE),
		.wildcard = sqlite3_column_int(row, C_WILDCARD) != 0,
		.formatted = sqlite3_column_int(row, C_FORMATTED) != 0,
		.type_known = sqlite3_column_type(row, C_KNOWN_TYPE) != SQLITE_NULL,
		.known_type = (uint32_t)sqlite3_column_int64(row, C_KNOWN_TYPE),
	};
	take_path(row, &c->path);
}

static bool
is_too_long(const struct sqlog *log, const struct pmon_path *path)
{
	return path->machine.len > log->string_limit || path->object.len > log->string_limit ||
	       path->parent.len > log->string_limit || path->instance.len > log->string_limit ||
	       path->counter.len > log->string_limit;
}

// ---- Series ---------------------------------------------------------------------------------

static enum pmon_status
add_series(struct sqlog *log, const struct sqlog_counter *c, uint32_t *series_out,
	   struct pmon_err *err)
{
	struct pmon_schema *schema = &log->source.schema;
	enum pmon_status status;

	*series_out = PMON_SERIES_NONE;
	if (log->want != NULL && !log->want(log->want_ctx, &c->path))
		return PMON_OK;
	status = pmon_schema_add(schema, &c->path, &c->counter, c->order, log->wanted_limit,
				 series_out);
	if (status != PMON_OK)
		return pmon_schema_refuse(status, log->wanted_limit, err);
	schema->list[*series_out]->wildcard = c->wildcard;
	schema->list[*series_out]->source = c->source;
	if (c->formatted)
		pmon_schema_set_formatted(schema, *series_out,
					  c->type_known ? &c->known_type : NULL);
	return PMON_OK;
}

static uint64_t
hash_of(const struct sqlog *log, uint32_t stream, int64_t id)
{
	return pmon_map_mix(pmon_map_mix(log->seed, stream), (uint64_t)id);
}

static const struct sqlog_known *
find_known(const struct sqlog *log, uint32_t stream, int64_t id)
{
	uint64_t hash = hash_of(log, stream, id);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&log->known_map, hash, &at)) != PMON_MAP_NONE)
		if (log->known[i].id == id && log->known[i].stream == stream)
			return &log->known[i];
	return NULL;
}

static enum pmon_status
remember(struct sqlog *log, const struct sqlog_known *known, struct pmon_err *err)
{
	if (log->n_known >= log->series_limit)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu counters in one log",
				    log->series_limit);
	if (!pmon_mem_grow(log->allocator, &log->known, &log->known_cap, log->n_known + 1,
			   sizeof(*log->known)) ||
	    !pmon_map_put(&log->known_map, log->allocator, hash_of(log, known->stream, known->id),
			  (uint32_t)log->n_known))
		return pmon_err_nomem(err);
	log->known[log->n_known++] = *known;
	return PMON_OK;
}

static bool
copy_path(struct pmon_arena *arena, struct pmon_path *path)
{
	return pmon_arena_copy(arena, path->machine, &path->machine) &&
	       pmon_arena_copy(arena, path->object, &path->object) &&
	       pmon_arena_copy(arena, path->parent, &path->parent) &&
	       pmon_arena_copy(arena, path->instance, &path->instance) &&
	       pmon_arena_copy(arena, path->counter, &path->counter);
}

// With only PDH's tables a counter may be in several log sets, and then is several series, so it is
// kept until its values are read.
static enum pmon_status
keep_counter(struct sqlog *log, const struct sqlog_counter *c, struct pmon_err *err)
{
	struct sqlog_counter *kept;

	// They are ordered by number; if a number is repeated, the first counts.
	if (log->n_counters > 0 && log->counters[log->n_counters - 1].id == c->id)
		return PMON_OK;
	if (log->n_counters >= log->series_limit)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu counters in one log",
				    log->series_limit);
	if (!pmon_mem_grow(log->allocator, &log->counters, &log->counters_cap, log->n_counters + 1,
			   sizeof(*log->counters)))
		return pmon_err_nomem(err);
	kept = &log->counters[log->n_counters];
	*kept = *c;
	kept->order = log->n_counters;
	if (!copy_path(&log->arena, &kept->path))
		return pmon_err_nomem(err);
	log->n_counters++;
	return PMON_OK;
}

// Rows of a table may share the pages of their long texts, so a short file can contain very long
// names.
static enum pmon_status
count_path(struct sqlog *log, const struct pmon_path *path, struct pmon_err *err)
{
	uint64_t bytes = (uint64_t)path->machine.len + path->object.len + path->parent.len +
			 path->instance.len + path->counter.len;

	if (bytes > log->path_bytes_left)
		return pmon_err_set(err, PMON_E_LIMIT, 0,
				    "the counter paths are too long for a database of this size");
	log->path_bytes_left -= bytes;
	return PMON_OK;
}

static enum pmon_status
take_row(struct sqlog *log, sqlite3_stmt *row, struct pmon_err *err)
{
	struct sqlog_counter c;
	enum pmon_status status;
	struct sqlog_known known = {.stream = 0};

	take_counter(row, &c);
	if (is_too_long(log, &c.path)) {
		pmon_report_loss(&log->report, 0, 0,
				 "CounterDetails, counter %lld: a name exceeds %zu bytes",
				 (long long)c.id, log->string_limit);
		return PMON_OK;
	}
	status = count_path(log, &c.path, err);
	if (status != PMON_OK)
		return status;
	if (!log->exact)
		return keep_counter(log, &c, err);
	known.id = c.id;
	status = add_series(log, &c, &known.series, err);
	return status == PMON_OK ? remember(log, &known, err) : status;
}

enum pmon_status
pmon_sqlite_counters_load(struct sqlog *log, struct pmon_err *err)
{
	sqlite3_stmt *rows;
	enum pmon_status status = pmon_sqlite_prepare(
		log, log->exact ? pmon_sqlite_sql_counters : pmon_sqlite_sql_counters_pdh, &rows,
		err);
	int rc = SQLITE_ROW;

	if (status != PMON_OK)
		return status;
	while (status == PMON_OK && (rc = sqlite3_step(rows)) == SQLITE_ROW)
		status = take_row(log, rows, err);
	if (status == PMON_OK && rc != SQLITE_DONE)
		status = pmon_sqlite_failure(log, rc, err);
	(void)sqlite3_finalize(rows);
	return status;
}

static int
by_id(const void *key, const void *element)
{
	int64_t id = *(const int64_t *)key;
	const struct sqlog_counter *counter = element;

	return (id > counter->id) - (id < counter->id);
}

static const struct sqlog_counter *
find_counter(const struct sqlog *log, int64_t id)
{
	return log->n_counters == 0 ? NULL
				    : bsearch(&id, log->counters, log->n_counters,
					      sizeof(*log->counters), by_id);
}

// The first value of a counter without a name.
static void
lose_unnamed(struct sqlog *log, int64_t id)
{
	if (log->unnamed.n_counters++ == 0)
		log->unnamed.first = id;
	log->unnamed.n++;
}

enum pmon_status
pmon_sqlite_series(struct sqlog *log, uint32_t stream, int64_t id, uint32_t *series_out,
		   struct pmon_err *err)
{
	struct sqlog_known known = {.id = id, .stream = log->exact ? 0 : stream};
	const struct sqlog_known *found = find_known(log, known.stream, id);
	const struct sqlog_counter *c;
	enum pmon_status status = PMON_OK;

	*series_out = PMON_SERIES_NONE;
	if (found != NULL) {
		*series_out = found->series;
		log->unnamed.n += found->unnamed;
		return PMON_OK;
	}
	c = log->exact ? NULL : find_counter(log, id);
	if (c == NULL)
		lose_unnamed(log, id);
	else
		status = add_series(log, c, series_out, err);
	known.series = *series_out;
	known.unnamed = c == NULL;
	return status == PMON_OK ? remember(log, &known, err) : status;
}
