// tables.c - performance objects as tables, whose cells become series and samples
// SPDX-License-Identifier: MIT

#include "model/tables.h"

#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "path/split.h"

#define DEFAULT_SERIES  4000000
#define DEFAULT_STRING  ((size_t)64 << 10)
#define FEW_TABLES      256  // objects that are always allowed
#define MAX_COLUMNS     4096 // counters of one object; the largest known have a few hundred
#define MEAN_NAME_BYTES 1024 // average length of names that is allowed, after the first ...
#define FREE_NAME_BYTES ((uint64_t)16 << 20)

#define ORDER_TABLE_SHIFT 40
#define ORDER_ROW_SHIFT   16
#define ORDER_MAX_ROW     0xFFFFFFu

#define NO_COLUMN      SIZE_MAX
#define SERIES_UNASKED (PMON_SERIES_NONE - 1)

struct column {
	int64_t title;
	struct pmon_span name;
	struct pmon_counter counter;
	uint64_t stamp; // serial of the sample that used it
	size_t before;  // the previous column of the same counter, or NO_COLUMN
};

struct pmon_table {
	uint32_t number;
	struct pmon_path path; // machine and object
	uint64_t serial;       // of the sample that began it
	struct column *columns;
	size_t n_columns;
	size_t columns_cap;
	size_t expected; // where to look first for the next column
	uint32_t n_rows;
};

// An instance. The first row of a name counts how many instances of that name a sample has had.
struct pmon_table_row {
	const struct pmon_table *table;
	uint32_t ordinal;        // 0 is the first with its name
	uint32_t number;         // index in the table
	uint64_t serial;         // ordinal 0 only: the sample ...
	uint32_t count;          // ... that has had this many of the name
	struct pmon_span parent; // as given
	struct pmon_span instance;
	struct pmon_path path;
	uint32_t *series; // one per column
	size_t n_series;
};

void
pmon_tables_init(struct pmon_tables *tables)
{
	pmon_arena_init(&tables->arena, tables->allocator);
	tables->seed = pmon_hash_seed();
	if (tables->limit == 0)
		tables->limit = DEFAULT_SERIES;
	if (tables->wanted_limit == 0 || tables->wanted_limit > tables->limit)
		tables->wanted_limit = tables->limit;
	if (tables->max_name == 0)
		tables->max_name = DEFAULT_STRING;
}

void
pmon_tables_free(struct pmon_tables *tables)
{
	const struct pmon_allocator *allocator = tables->allocator;

	for (size_t i = 0; i < tables->n_tables; i++) {
		struct pmon_table *t = tables->list[i];

		pmon_mem_free(allocator, t->columns, t->columns_cap * sizeof(*t->columns));
	}
	pmon_mem_free(allocator, tables->list, tables->tables_cap * sizeof(struct pmon_table *));
	pmon_mem_free(allocator, tables->rows, tables->rows_cap * sizeof(struct pmon_table_row *));
	pmon_map_free(&tables->table_map, allocator);
	pmon_map_free(&tables->row_map, allocator);
	pmon_mem_free(allocator, tables->series, tables->series_cap * sizeof(*tables->series));
	pmon_mem_free(allocator, tables->raw, tables->raw_cap * sizeof(*tables->raw));
	pmon_arena_free(&tables->arena);
}

void
pmon_tables_begin(struct pmon_tables *tables)
{
	tables->serial++;
	tables->n = 0;
}

// Counter paths ignore case: two instances whose names differ only in case have the same name.
static bool
is_same(struct pmon_span a, struct pmon_span b)
{
	if ((a.ptr != NULL) != (b.ptr != NULL))
		return false;
	return (a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0)) ||
	       pmon_text_same(a, b);
}

// ---- Limits ---------------------------------------------------------------------------------

// A name in the input may become part of many paths. On average names are short, so memory stays in
// proportion to the input.
static bool
are_names_long(const struct pmon_tables *tables)
{
	return tables->bytes_named > FREE_NAME_BYTES &&
	       tables->bytes_named / MEAN_NAME_BYTES > tables->n_named;
}

static enum pmon_status
count_name(struct pmon_tables *tables, size_t len, struct pmon_err *err)
{
	tables->n_named++;
	tables->bytes_named += len;
	if (are_names_long(tables))
		return pmon_err_set(err, PMON_E_LIMIT, 0, "names of counters are too long");
	return PMON_OK;
}

// Is there no room for a new row with all its columns, so that it must be skipped?
static bool
is_full(const struct pmon_tables *tables, const struct pmon_table *table)
{
	return tables->leave_out &&
	       (tables->n_rows + tables->n_tables >= tables->limit ||
		tables->n_asked + table->n_columns > tables->limit || are_names_long(tables));
}

// ---- Tables ---------------------------------------------------------------------------------

static struct pmon_table *
find_table(const struct pmon_tables *tables, struct pmon_span machine, struct pmon_span object,
	   uint64_t hash)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&tables->table_map, hash, &at)) != PMON_MAP_NONE)
		if (is_same(tables->list[i]->path.machine, machine) &&
		    is_same(tables->list[i]->path.object, object))
			return tables->list[i];
	return NULL;
}

static struct pmon_table *
new_table(struct pmon_tables *tables, struct pmon_span machine, struct pmon_span object,
	  uint64_t hash)
{
	struct pmon_table *table = pmon_arena_alloc(&tables->arena, sizeof(*table));
	uint32_t number = (uint32_t)tables->n_tables;

	if (table == NULL || !pmon_arena_copy(&tables->arena, machine, &table->path.machine) ||
	    !pmon_arena_copy(&tables->arena, object, &table->path.object) ||
	    !pmon_mem_grow(tables->allocator, &tables->list, &tables->tables_cap, number + 1,
			   sizeof(struct pmon_table *)) ||
	    !pmon_map_put(&tables->table_map, tables->allocator, hash, number))
		return NULL;
	table->number = number;
	tables->list[tables->n_tables++] = table;
	return table;
}

// An object needs the memory of several series.
static size_t
max_tables(const struct pmon_tables *tables)
{
	size_t n = tables->wanted_limit / 4;

	return n > FEW_TABLES ? n : FEW_TABLES;
}

enum pmon_status
pmon_tables_find(struct pmon_tables *tables, struct pmon_span machine, struct pmon_span object,
		 struct pmon_table **out, struct pmon_err *err)
{
	uint64_t hash = pmon_map_mix_name(pmon_map_mix_name(tables->seed, machine), object);

	*out = find_table(tables, machine, object, hash);
	if (*out != NULL)
		return PMON_OK;
	if (tables->n_tables >= max_tables(tables))
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu objects in one log",
				    max_tables(tables));
	*out = new_table(tables, machine, object, hash);
	return *out != NULL ? PMON_OK : pmon_err_nomem(err);
}

bool
pmon_table_is_begun(const struct pmon_tables *tables, const struct pmon_table *table)
{
	return table->serial == tables->serial;
}

void
pmon_table_begin(struct pmon_tables *tables, struct pmon_table *table)
{
	table->serial = tables->serial;
	table->expected = 0;
}

// ---- Columns --------------------------------------------------------------------------------

static bool
is_same_counter(const struct column *c, int64_t title, const struct pmon_counter *counter)
{
	return c->title == title && c->counter.type == counter->type &&
	       c->counter.size_bytes == counter->size_bytes &&
	       c->counter.default_scale == counter->default_scale &&
	       c->counter.time_base == counter->time_base;
}

// The first column of a counter that is free in this sample; NO_COLUMN if there is none. In a
// steady log the columns come in the same order as before, which is tried first. If no column is
// free, *last_out is the last one of the counter.
static size_t
find_column(const struct pmon_table *table, int64_t title, const struct pmon_counter *counter,
	    size_t *last_out)
{
	const struct column *c = table->columns;
	size_t at = table->expected;

	*last_out = NO_COLUMN;
	if (at < table->n_columns && is_same_counter(&c[at], title, counter) &&
	    c[at].stamp != table->serial &&
	    (c[at].before == NO_COLUMN || c[c[at].before].stamp == table->serial))
		return at;
	for (size_t i = 0; i < table->n_columns; i++) {
		if (!is_same_counter(&c[i], title, counter))
			continue;
		if (c[i].stamp != table->serial)
			return i;
		*last_out = i;
	}
	return NO_COLUMN;
}

static void
use_column(struct pmon_table *table, size_t i, uint32_t *out)
{
	table->columns[i].stamp = table->serial;
	table->expected = i + 1;
	*out = (uint32_t)i;
}

enum pmon_status
pmon_table_column(struct pmon_tables *tables, struct pmon_table *table, int64_t title,
		  struct pmon_span name, const struct pmon_counter *counter, uint32_t *out,
		  struct pmon_err *err)
{
	size_t n = table->n_columns;
	struct column *column;
	size_t last;
	size_t found = find_column(table, title, counter, &last);

	*out = 0;
	if (found != NO_COLUMN) {
		use_column(table, found, out);
		return PMON_OK;
	}
	if (n >= MAX_COLUMNS)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "an object has too many counters");
	if (!pmon_mem_grow(tables->allocator, &table->columns, &table->columns_cap, n + 1,
			   sizeof(*table->columns)))
		return pmon_err_nomem(err);
	column = &table->columns[n];
	*column = (struct column){.title = title, .counter = *counter, .before = last};
	if (!pmon_arena_copy(&tables->arena, name, &column->name))
		return pmon_err_nomem(err);
	table->n_columns++;
	use_column(table, n, out);
	return PMON_OK;
}

// ---- Rows -----------------------------------------------------------------------------------

static struct pmon_table_row *
find_row(const struct pmon_tables *tables, const struct pmon_table *table, struct pmon_span parent,
	 struct pmon_span instance, uint32_t ordinal, uint64_t hash)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&tables->row_map, hash, &at)) != PMON_MAP_NONE) {
		struct pmon_table_row *r = tables->rows[i];

		if (r->table == table && r->ordinal == ordinal && is_same(r->instance, instance) &&
		    is_same(r->parent, parent))
			return r;
	}
	return NULL;
}

static struct pmon_table_row *
make_row(struct pmon_tables *tables, struct pmon_table *table, struct pmon_span parent,
	 struct pmon_span instance, uint32_t ordinal, uint64_t hash)
{
	struct pmon_table_row *row = pmon_arena_alloc(&tables->arena, sizeof(*row));

	if (row == NULL || !pmon_arena_copy(&tables->arena, parent, &row->parent) ||
	    !pmon_arena_copy(&tables->arena, instance, &row->instance))
		return NULL;
	row->table = table;
	row->ordinal = ordinal;
	row->path = table->path;
	row->path.parent = row->parent;
	row->path.instance = row->instance;
	row->path.index = ordinal <= INT32_MAX ? (int32_t)ordinal : INT32_MAX;
	pmon_path_split_instance(&row->path);
	if (!pmon_mem_grow(tables->allocator, &tables->rows, &tables->rows_cap, tables->n_rows + 1,
			   sizeof(struct pmon_table_row *)) ||
	    !pmon_map_put(&tables->row_map, tables->allocator, hash, (uint32_t)tables->n_rows))
		return NULL;
	row->number = table->n_rows++;
	tables->rows[tables->n_rows++] = row;
	return row;
}

// Find the row of the ordinal-th instance of a name, or create it. NULL if it is skipped, or out of
// memory.
static struct pmon_table_row *
find_or_make_row(struct pmon_tables *tables, struct pmon_table *table, struct pmon_span parent,
		 struct pmon_span instance, uint32_t ordinal)
{
	uint64_t hash = pmon_map_mix(pmon_map_mix(tables->seed, table->number), ordinal);
	struct pmon_table_row *row;

	hash = pmon_map_mix_name(pmon_map_mix_name(hash, parent), instance);
	row = find_row(tables, table, parent, instance, ordinal, hash);
	if (row != NULL)
		return row;
	if (is_full(tables, table)) {
		tables->has_left_out = true;
		return NULL;
	}
	return make_row(tables, table, parent, instance, ordinal, hash);
}

static enum pmon_status
no_row(const struct pmon_tables *tables, const struct pmon_table *table, struct pmon_err *err)
{
	return is_full(tables, table) ? PMON_OK : pmon_err_nomem(err);
}

static enum pmon_status
check_names(const struct pmon_tables *tables, struct pmon_span parent, struct pmon_span instance,
	    struct pmon_err *err)
{
	if (instance.len > tables->max_name || parent.len > tables->max_name)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "the name of an instance is too long");
	return PMON_OK;
}

// Count the rows that were added since there were `before`.
static enum pmon_status
count_rows(struct pmon_tables *tables, size_t before, struct pmon_span parent,
	   struct pmon_span instance, struct pmon_err *err)
{
	enum pmon_status status;

	if (tables->n_rows == before)
		return PMON_OK;
	if (tables->n_rows > tables->wanted_limit)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu instances in one log",
				    tables->wanted_limit);
	status = count_name(tables, parent.len + instance.len, err);
	return tables->leave_out ? PMON_OK : status;
}

enum pmon_status
pmon_table_row_at(struct pmon_tables *tables, struct pmon_table *table, struct pmon_span parent,
		  struct pmon_span instance, uint32_t ordinal, struct pmon_table_row **out,
		  struct pmon_err *err)
{
	enum pmon_status status = check_names(tables, parent, instance, err);
	size_t before = tables->n_rows;

	*out = NULL;
	if (status != PMON_OK)
		return status;
	*out = find_or_make_row(tables, table, parent, instance, ordinal);
	return *out == NULL ? no_row(tables, table, err)
			    : count_rows(tables, before, parent, instance, err);
}

enum pmon_status
pmon_table_row(struct pmon_tables *tables, struct pmon_table *table, struct pmon_span parent,
	       struct pmon_span instance, struct pmon_table_row **out, struct pmon_err *err)
{
	enum pmon_status status = check_names(tables, parent, instance, err);
	struct pmon_table_row *head;
	size_t before = tables->n_rows;

	*out = NULL;
	if (status != PMON_OK)
		return status;
	head = find_or_make_row(tables, table, parent, instance, 0);
	if (head == NULL)
		return no_row(tables, table, err);
	if (head->serial != tables->serial) {
		head->serial = tables->serial;
		head->count = 0;
	}
	*out = head->count == 0 ? head
				: find_or_make_row(tables, table, parent, instance, head->count);
	head->count++;
	return *out == NULL ? no_row(tables, table, err)
			    : count_rows(tables, before, parent, instance, err);
}

// ---- Values ---------------------------------------------------------------------------------

static enum pmon_status
count_asked(struct pmon_tables *tables, const struct pmon_path *path, struct pmon_err *err)
{
	if (++tables->n_asked > tables->limit)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu counters in one log",
				    tables->limit);
	return count_name(tables,
			  path->machine.len + path->object.len + path->parent.len +
				  path->instance.len + path->counter.len,
			  err);
}

static uint64_t
order_of(const struct pmon_table *table, const struct pmon_table_row *row, uint32_t column)
{
	uint32_t number = row->number < ORDER_MAX_ROW ? row->number : ORDER_MAX_ROW;

	return (uint64_t)table->number << ORDER_TABLE_SHIFT | (uint64_t)number << ORDER_ROW_SHIFT |
	       column;
}

// Ask whether the series of a cell is wanted, and add it if so.
static enum pmon_status
ask(struct pmon_tables *tables, struct pmon_table *table, const struct pmon_table_row *row,
    uint32_t column, struct pmon_err *err)
{
	const struct column *c = &table->columns[column];
	struct pmon_path path = row->path;
	enum pmon_status status;

	path.counter = c->name;
	status = count_asked(tables, &path, err);
	if (status != PMON_OK && !tables->leave_out)
		return status;
	row->series[column] = PMON_SERIES_NONE;
	if (status != PMON_OK) {
		tables->has_left_out = true;
		return PMON_OK;
	}
	if (tables->want != NULL &&
	    !pmon_schema_wants(tables->schema, tables->want, tables->want_ctx, &path))
		return PMON_OK;
	status = pmon_schema_add(tables->schema, &path, &c->counter, order_of(table, row, column),
				 tables->wanted_limit, &row->series[column]);
	if (status != PMON_OK)
		return pmon_schema_refuse(status, tables->wanted_limit, err);
	tables->schema->list[row->series[column]]->wildcard =
		tables->wildcard && path.instance.ptr != NULL;
	return PMON_OK;
}

// Make room in the row for columns that were added since.
static bool
grow_row(struct pmon_tables *tables, const struct pmon_table *table, struct pmon_table_row *row)
{
	size_t n = table->n_columns;
	uint32_t *series;

	if (row->n_series >= n)
		return true;
	if (n < row->n_series * 2)
		n = row->n_series * 2;
	series = pmon_arena_alloc(&tables->arena, n * sizeof(*series));
	if (series == NULL)
		return false;
	if (row->n_series > 0)
		memcpy(series, row->series, row->n_series * sizeof(*series));
	for (size_t i = row->n_series; i < n; i++)
		series[i] = SERIES_UNASKED;
	row->series = series;
	row->n_series = n;
	return true;
}

// Make room for one more value; there nearly always is.
static bool
make_room(struct pmon_tables *tables, const struct pmon_table *table, struct pmon_table_row *row)
{
	size_t need = tables->n + 1;

	return grow_row(tables, table, row) &&
	       pmon_mem_grow(tables->allocator, &tables->series, &tables->series_cap, need,
			     sizeof(*tables->series)) &&
	       pmon_mem_grow(tables->allocator, &tables->raw, &tables->raw_cap, need,
			     sizeof(*tables->raw));
}

enum pmon_status
pmon_table_put(struct pmon_tables *tables, struct pmon_table *table, struct pmon_table_row *row,
	       uint32_t column, const struct pmon_raw *raw, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if ((row->n_series < table->n_columns || tables->n >= tables->series_cap ||
	     tables->n >= tables->raw_cap) &&
	    !make_room(tables, table, row))
		return pmon_err_nomem(err);
	if (row->series[column] == SERIES_UNASKED)
		status = ask(tables, table, row, column, err);
	if (status != PMON_OK || row->series[column] == PMON_SERIES_NONE)
		return status;
	tables->series[tables->n] = row->series[column];
	tables->raw[tables->n++] = *raw;
	return PMON_OK;
}
