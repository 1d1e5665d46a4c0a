// write.c - write a log as a Parquet file: one row for each raw value
// SPDX-License-Identifier: MIT
//
// The row of docs/reference/tidy.md. Rows are collected up to ROWS_A_GROUP, and written as a row group: sorted by
// series, those of a series in the order of the log. So memory does not grow with the log, and a reader
// that wants a time skips the other groups.

#include "format/parquet/parquet.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "model/schema.h"
#include "path/print.h"
#include "query/intervals.h"

#define MAGIC         "PAR1"
#define EPOCH         INT64_C(116444736000000000) // 1970 in 100 ns since 1601
#define ROWS_A_GROUP  ((size_t)1 << 18)
#define NAMES_A_GROUP ((size_t)1 << 26) // bytes of the paths of its series

enum column {
	TIME,
	MACHINE,
	OBJECT,
	INSTANCE,
	PARENT,
	COUNTER,
	PATH,
	PID,
	PROCESS_START,
	TYPE,
	VALUE,
	STATUS,
	N,
	D,
	ADD,
	MUL,
	N_COLUMNS
};

static const struct pq_column columns[N_COLUMNS] = {
	[TIME] = {"time", PQ_INT64, .is_time = true},
	[MACHINE] = {"machine", PQ_TEXT, .is_optional = true, .is_dictionary = true},
	[OBJECT] = {"object", PQ_TEXT, .is_dictionary = true},
	[INSTANCE] = {"instance", PQ_TEXT, .is_optional = true, .is_dictionary = true},
	[PARENT] = {"parent", PQ_TEXT, .is_optional = true, .is_dictionary = true},
	[COUNTER] = {"counter", PQ_TEXT, .is_dictionary = true},
	[PATH] = {"path", PQ_TEXT, .is_dictionary = true},
	[PID] = {"pid", PQ_INT64, .is_optional = true, .is_dictionary = true},
	[PROCESS_START] = {"process_start", PQ_INT64, .is_time = true, .is_optional = true,
			   .is_dictionary = true},
	[TYPE] = {"type", PQ_TEXT, .is_optional = true, .is_dictionary = true},
	[VALUE] = {"value", PQ_DOUBLE, .is_optional = true},
	[STATUS] = {"status", PQ_TEXT, .is_dictionary = true},
	[N] = {.name = "n", .type = PQ_DOUBLE},
	[D] = {.name = "d", .type = PQ_INT64},
	[ADD] = {"add", PQ_DOUBLE, .is_dictionary = true},
	[MUL] = {"mul", PQ_DOUBLE, .is_dictionary = true},
};

// The process that has an instance.
struct owner {
	int64_t pid;
	pmon_time start;
	bool has_pid;
	bool has_start;
};

struct row {
	pmon_time time;
	double value;
	double n;
	int64_t d;
	struct owner owner;
	uint32_t series;
	enum pmon_vstat status;
};

// A series in the group.
struct of_series {
	struct pmon_increment_form form;
	struct owner owner;
	uint32_t n;  // its rows
	uint32_t at; // where they begin
};

struct writer {
	struct pmon_sink sink; // must be first
	const struct pmon_allocator *allocator;
	struct pmon_outfile *file;
	const struct pmon_schema *schema;
	const struct pmon_source_info *info;
	struct pmon_intervals intervals;
	struct row *rows;
	size_t n;
	size_t cap;
	struct of_series *series; // by number
	size_t n_series;
	size_t series_cap;
	uint32_t *present; // series of the group, sorted by path
	size_t n_present;
	size_t present_cap;
	size_t names;    // bytes of their paths
	uint32_t *order; // rows by series
	size_t order_cap;
	struct pq_chunk chunk;
	struct pq_bytes groups; // metadata
	size_t n_groups;
	int64_t n_rows;
	char *text; // a name that is put together
	size_t text_cap;
	uint64_t checked;
};

// ---- Cells ----------------------------------------------------------------------------------

static void
add_i64(struct pq_chunk *chunk, int64_t number, uint32_t times)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)((uint64_t)number >> (8 * i));
	pmon_pq_chunk_add(chunk, bytes, sizeof(bytes), times);
}

static void
add_double(struct pq_chunk *chunk, double number, uint32_t times)
{
	int64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	add_i64(chunk, bits, times);
}

static void
add_null(struct pq_chunk *chunk, uint32_t times)
{
	pmon_pq_chunk_add(chunk, NULL, 0, times);
}

// Nanoseconds reach to 2262.
static bool
fits(pmon_time time)
{
	return time >= EPOCH && time - EPOCH <= INT64_MAX / 100;
}

static void
add_time(struct pq_chunk *chunk, pmon_time time)
{
	add_i64(chunk, (time - EPOCH) * 100, 1);
}

static void
add_text(struct pq_chunk *chunk, struct pmon_span text, uint32_t times)
{
	pmon_pq_chunk_add(chunk, text.ptr, text.len, times);
}

static void
add_str(struct pq_chunk *chunk, const char *text, uint32_t times)
{
	add_text(chunk, (struct pmon_span){text, strlen(text)}, times);
}

static void
add_type(struct pq_chunk *chunk, const struct pmon_series *series, uint32_t times)
{
	uint32_t word = series->formatted ? series->known_type : series->counter.type;
	const struct pmon_counter_type *type = pmon_type_by_word(word);
	char hex[16];
	struct pmon_text text = pmon_text_init(hex, sizeof(hex));

	if (series->formatted && !series->type_known) {
		add_null(chunk, times);
		return;
	}
	pmon_text_hex32(&text, word);
	add_str(chunk, type != NULL ? type->name : pmon_text_get(&text), times);
}

static bool
make_room(struct writer *w, size_t size)
{
	return pmon_mem_grow(w->allocator, &w->text, &w->text_cap, size, 1);
}

// The path, or the instance with its number.
static bool
add_printed(struct writer *w, size_t (*print)(const struct pmon_path *, char *, size_t),
	    const struct pmon_path *path, uint32_t times)
{
	size_t len = print(path, NULL, 0);

	if (!make_room(w, len + 1))
		return false;
	(void)print(path, w->text, w->text_cap);
	add_text(&w->chunk, (struct pmon_span){w->text, len}, times);
	return true;
}

// ---- Columns --------------------------------------------------------------------------------

static void
add_cell(struct pq_chunk *chunk, enum column column, const struct row *row)
{
	switch (column) {
	case TIME:
		add_time(chunk, row->time);
		break;
	case PID:
		if (row->owner.has_pid)
			add_i64(chunk, row->owner.pid, 1);
		else
			add_null(chunk, 1);
		break;
	case PROCESS_START:
		if (row->owner.has_start)
			add_time(chunk, row->owner.start);
		else
			add_null(chunk, 1);
		break;
	case VALUE:
		if (pmon_vstat_has_value(row->status))
			add_double(chunk, row->value, 1);
		else
			add_null(chunk, 1);
		break;
	case STATUS:
		add_str(chunk, pmon_vstat_name(row->status), 1);
		break;
	case N:
		add_double(chunk, row->n, 1);
		break;
	default:
		add_i64(chunk, row->d, 1);
		break;
	}
}

// Add what all rows of a series have. false: out of memory.
static bool
add_constant(struct writer *w, enum column column, const struct pmon_series *series,
	     const struct of_series *of)
{
	const struct pmon_path *path = pmon_series_english(series);
	struct pq_chunk *chunk = &w->chunk;

	switch (column) {
	case MACHINE:
		add_text(chunk, path->machine, of->n);
		return true;
	case OBJECT:
		add_text(chunk, path->object, of->n);
		return true;
	case INSTANCE:
		if (path->instance.ptr != NULL)
			return add_printed(w, pmon_path_instance, path, of->n);
		add_null(chunk, of->n);
		return true;
	case PARENT:
		add_text(chunk, path->parent, of->n);
		return true;
	case COUNTER:
		add_text(chunk, path->counter, of->n);
		return true;
	case PATH:
		return add_printed(w, pmon_path_format, path, of->n);
	case TYPE:
		add_type(chunk, series, of->n);
		return true;
	default:
		add_double(chunk, column == ADD ? of->form.add : of->form.mul, of->n);
		return true;
	}
}

static bool
is_constant(enum column column)
{
	return (column >= MACHINE && column <= PATH) || column == TYPE || column >= ADD;
}

static bool
fill_column(struct writer *w, enum column column)
{
	pmon_pq_chunk_begin(&w->chunk, &columns[column]);
	for (size_t i = 0; i < w->n_present; i++) {
		const struct of_series *of = &w->series[w->present[i]];

		if (is_constant(column)) {
			if (!add_constant(w, column, pmon_schema_at(w->schema, w->present[i]), of))
				return false;
			continue;
		}
		for (uint32_t k = of->at; k < of->at + of->n; k++)
			add_cell(&w->chunk, column, &w->rows[w->order[k]]);
	}
	return true;
}

// ---- Row groups -----------------------------------------------------------------------------

static int
by_path(const void *a, const void *b)
{
	const struct pmon_series *x = *(const struct pmon_series *const *)a;
	const struct pmon_series *y = *(const struct pmon_series *const *)b;
	int order = strcmp(x->name.ptr, y->name.ptr);

	return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

static bool
sort_series(struct writer *w)
{
	size_t size = w->n_present * sizeof(const struct pmon_series *);
	const struct pmon_series **list = pmon_mem_alloc(w->allocator, size);

	if (list == NULL)
		return false;
	for (size_t i = 0; i < w->n_present; i++)
		list[i] = pmon_schema_at(w->schema, w->present[i]);
	qsort(list, w->n_present, sizeof(*list), by_path);
	for (size_t i = 0; i < w->n_present; i++)
		w->present[i] = list[i]->id;
	pmon_mem_free(w->allocator, list, size);
	return true;
}

// Rows by series, those of a series in their order.
static bool
sort_rows(struct writer *w)
{
	uint32_t at = 0;

	if (!sort_series(w) ||
	    !pmon_mem_grow(w->allocator, &w->order, &w->order_cap, w->n, sizeof(*w->order)))
		return false;
	for (size_t i = 0; i < w->n_present; i++) {
		w->series[w->present[i]].at = at;
		at += w->series[w->present[i]].n;
	}
	for (size_t i = 0; i < w->n; i++)
		w->order[w->series[w->rows[i].series].at++] = (uint32_t)i;
	for (size_t i = 0; i < w->n_present; i++)
		w->series[w->present[i]].at -= w->series[w->present[i]].n;
	return true;
}

static void
begin_group(struct writer *w)
{
	for (size_t i = 0; i < w->n_present; i++)
		w->series[w->present[i]].n = 0;
	w->n = w->n_present = w->names = 0;
}

// Write the rows so far. false: out of memory.
static bool
end_group(struct writer *w)
{
	int64_t begin = (int64_t)pmon_outfile_size(w->file);
	struct pq_fields group = {0};
	int64_t plain_bytes = 0;
	int64_t file_bytes = 0;

	if (w->n == 0)
		return true;
	if (!sort_rows(w))
		return false;
	pmon_pq_list(&w->groups, &group, 1, PQ_WIRE_STRUCT, N_COLUMNS);
	for (enum column i = TIME; i < N_COLUMNS; i++)
		if (!fill_column(w, i) ||
		    !pmon_pq_chunk_end(&w->chunk, w->file, &w->groups, &plain_bytes, &file_bytes))
			return false;
	pmon_pq_i64(&w->groups, &group, 2, plain_bytes);
	pmon_pq_i64(&w->groups, &group, 3, (int64_t)w->n);
	pmon_pq_i64(&w->groups, &group, 5, begin);
	pmon_pq_i64(&w->groups, &group, 6, file_bytes);
	pmon_pq_end(&w->groups);
	w->n_groups++;
	w->n_rows += (int64_t)w->n;
	begin_group(w);
	return !w->groups.failed;
}

// ---- Samples --------------------------------------------------------------------------------

static bool
grow(struct writer *w, size_t rows)
{
	size_t n = pmon_schema_count(w->schema);

	if (!pmon_mem_grow(w->allocator, &w->series, &w->series_cap, n, sizeof(*w->series)) ||
	    !pmon_mem_grow(w->allocator, &w->present, &w->present_cap, n, sizeof(*w->present)) ||
	    !pmon_mem_grow(w->allocator, &w->rows, &w->cap, w->n + rows, sizeof(*w->rows)))
		return false;
	for (; w->n_series < n; w->n_series++)
		w->series[w->n_series] = (struct of_series){.n = 0};
	return true;
}

static void
note_owners(struct writer *w, const struct pmon_sample *owners)
{
	for (size_t i = 0; i < owners->n; i++) {
		const struct pmon_raw *raw = &owners->raw[i];
		bool is_thread = (raw->multi & PMON_OWNER_THREAD) != 0;

		w->series[owners->series[i]].owner = (struct owner){
			.has_pid = (raw->multi & PMON_OWNER_PROCESS) != 0,
			.pid = is_thread ? (int64_t)((uint64_t)raw->first >> 32) : raw->first,
			.has_start = (raw->multi & PMON_OWNER_START) != 0 && fits(raw->second),
			.start = raw->second};
	}
}

static void
add_row(struct writer *w, const struct pmon_sample *sample, size_t i,
	const struct pmon_value *value, const struct pmon_increment *increment)
{
	uint32_t id = sample->series[i];
	struct of_series *of = &w->series[id];
	bool counts = increment->kind == PMON_INCREMENT_PAIR;

	if (of->n++ == 0) {
		w->present[w->n_present++] = id;
		w->names += pmon_schema_at(w->schema, id)->name.len;
	}
	w->rows[w->n++] = (struct row){.time = sample->time,
				       .value = value->value,
				       .status = value->status,
				       .n = !counts            ? 0
					    : of->form.is_real ? increment->x
							       : (double)increment->n,
				       .d = counts ? increment->d : 0,
				       .owner = of->owner,
				       .series = id};
}

static enum pmon_status
parquet_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	    const struct pmon_value *values, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;
	struct pmon_increment increment;

	if (!sample->preceding && !fits(sample->time))
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "a sample is before 1970 or after 2262; Parquet files have "
				    "nanoseconds from 1970 to 2262");
	if ((w->n >= ROWS_A_GROUP || w->names >= NAMES_A_GROUP) && !end_group(w))
		return pmon_err_nomem(err);
	if (!grow(w, sample->n))
		return pmon_err_nomem(err);
	if (sample->owners != NULL)
		note_owners(w, sample->owners);
	for (size_t i = 0; i < sample->n; i++) {
		struct of_series *of = &w->series[sample->series[i]];

		if (!pmon_intervals_next(&w->intervals, sample, i, &increment, &of->form))
			return pmon_err_nomem(err);
		if (!sample->preceding)
			add_row(w, sample, i, &values[i], &increment);
	}
	return pmon_format_check(w->file, &w->checked, err);
}

// ---- The footer -----------------------------------------------------------------------------

static void
put_element(struct pq_bytes *out, const struct pq_column *column)
{
	struct pq_fields element = {0};
	struct pq_fields logical = {0};
	struct pq_fields time = {0};
	struct pq_fields unit = {0};

	pmon_pq_i32(out, &element, 1, (int32_t)column->type);
	pmon_pq_i32(out, &element, 3, column->is_optional);
	pmon_pq_str(out, &element, 4, column->name);
	if (column->type == PQ_TEXT) {
		pmon_pq_i32(out, &element, 6, 0); // UTF8
		pmon_pq_field(out, &element, 10, PQ_WIRE_STRUCT);
		pmon_pq_field(out, &logical, 1, PQ_WIRE_STRUCT); // STRING
		pmon_pq_end(out);
		pmon_pq_end(out);
	} else if (column->is_time) {
		pmon_pq_field(out, &element, 10, PQ_WIRE_STRUCT);
		pmon_pq_field(out, &logical, 8, PQ_WIRE_STRUCT); // TIMESTAMP
		pmon_pq_field(out, &time, 1, PQ_WIRE_TRUE);      // UTC
		pmon_pq_field(out, &time, 2, PQ_WIRE_STRUCT);
		pmon_pq_field(out, &unit, 3, PQ_WIRE_STRUCT); // NANOS
		pmon_pq_end(out);
		pmon_pq_end(out);
		pmon_pq_end(out);
		pmon_pq_end(out);
	}
	pmon_pq_end(out);
}

static void
put_schema(struct pq_bytes *out, struct pq_fields *footer)
{
	struct pq_fields root = {0};

	pmon_pq_list(out, footer, 2, PQ_WIRE_STRUCT, N_COLUMNS + 1);
	pmon_pq_str(out, &root, 4, "tidy");
	pmon_pq_i32(out, &root, 5, N_COLUMNS);
	pmon_pq_end(out);
	for (enum column i = TIME; i < N_COLUMNS; i++)
		put_element(out, &columns[i]);
}

static void
put_pair(struct pq_bytes *out, const char *key, const char *value)
{
	struct pq_fields pair = {0};

	pmon_pq_str(out, &pair, 1, key);
	pmon_pq_str(out, &pair, 2, value);
	pmon_pq_end(out);
}

static void
put_key_values(const struct writer *w, struct pq_bytes *out, struct pq_fields *footer)
{
	pmon_pq_list(out, footer, 5, PQ_WIRE_STRUCT, 5);
	put_pair(out, "pmon.average", "add + mul * sum(n) / sum(d)");
	put_pair(out, "pmon.source.format", w->info->format);
	put_pair(out, "pmon.source.writer", w->info->writer);
	put_pair(out, "pmon.source.machine", w->info->machine);
	put_pair(out, "pmon.source.zone", w->info->zone);
}

// Without column orders readers ignore the statistics.
static void
put_orders(struct pq_bytes *out, struct pq_fields *footer)
{
	pmon_pq_list(out, footer, 7, PQ_WIRE_STRUCT, N_COLUMNS);
	for (enum column i = TIME; i < N_COLUMNS; i++) {
		struct pq_fields order = {0};

		pmon_pq_field(out, &order, 1, PQ_WIRE_STRUCT); // by type
		pmon_pq_end(out);
		pmon_pq_end(out);
	}
}

static void
put_footer(const struct writer *w, struct pq_bytes *out)
{
	struct pq_fields footer = {0};

	pmon_pq_i32(out, &footer, 1, 2);
	put_schema(out, &footer);
	pmon_pq_i64(out, &footer, 3, w->n_rows);
	pmon_pq_list(out, &footer, 4, PQ_WIRE_STRUCT, w->n_groups);
	pmon_pq_put(out, w->groups.list, w->groups.n);
	put_key_values(w, out, &footer);
	pmon_pq_str(out, &footer, 6, "pmon version " PMON_VERSION_TEXT);
	put_orders(out, &footer);
	pmon_pq_end(out);
}

static enum pmon_status
parquet_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;
	struct pq_bytes footer = {.allocator = w->allocator};
	bool is_done = end_group(w);

	if (is_done) {
		put_footer(w, &footer);
		pmon_pq_le(&footer, footer.n, 4);
		pmon_pq_put(&footer, MAGIC, strlen(MAGIC));
		is_done = !footer.failed;
	}
	if (is_done)
		pmon_outfile_write(w->file, footer.list, footer.n);
	pmon_pq_bytes_free(&footer);
	return is_done ? pmon_outfile_commit(w->file, err) : pmon_err_nomem(err);
}

// ---- Beginning and end ----------------------------------------------------------------------

static enum pmon_status
parquet_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	      const struct pmon_source_info *info, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;

	(void)err;
	w->schema = schema;
	w->info = info;
	pmon_intervals_init(&w->intervals, schema, NULL, w->allocator);
	pmon_outfile_write(w->file, MAGIC, strlen(MAGIC));
	return PMON_OK;
}

static void
parquet_close(struct pmon_sink *sink)
{
	struct writer *w = (struct writer *)sink;

	pmon_outfile_close(w->file);
	pmon_intervals_free(&w->intervals);
	pmon_mem_free(w->allocator, w->rows, w->cap * sizeof(*w->rows));
	pmon_mem_free(w->allocator, w->series, w->series_cap * sizeof(*w->series));
	pmon_mem_free(w->allocator, w->present, w->present_cap * sizeof(*w->present));
	pmon_mem_free(w->allocator, w->order, w->order_cap * sizeof(*w->order));
	pmon_mem_free(w->allocator, w->text, w->text_cap);
	pmon_pq_chunk_free(&w->chunk);
	pmon_pq_bytes_free(&w->groups);
	pmon_mem_free(w->allocator, w, sizeof(*w));
}

static const struct pmon_sink_ops ops = {
	.needs = PMON_SINK_VALUES | PMON_SINK_STARTS,
	.begin = parquet_begin,
	.add = parquet_add,
	.finish = parquet_finish,
	.close = parquet_close,
};

static enum pmon_status
parquet_open(struct pmon_sink *sink, const struct pmon_writer *writer, const char *path,
	     const struct pmon_create_options *options, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;

	(void)writer;
	w->allocator = pmon_mem_allocator(options->allocator);
	w->groups.allocator = w->allocator;
	pmon_pq_chunk_init(&w->chunk, w->allocator);
	return pmon_format_outfile(path, options, &w->file, err);
}

static const struct pmon_writer writer = {
	.name = "parquet",
	.endings = {"parquet"},
	.open = parquet_open,
	.sink_bytes = sizeof(struct writer),
	.ops = &ops,
	.can_name = pmon_names_are_text,
	.raw = true,
};

const struct pmon_format pmon_format_parquet = {
	.name = "Parquet", .writers = &writer, .n_writers = 1};
