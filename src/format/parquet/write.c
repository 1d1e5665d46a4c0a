// write.c - write a log as a Parquet file: one row for each raw value
// SPDX-License-Identifier: MIT
//
// A group of rows (query/rowgroup.h) is written as a row group. A reader that wants a time skips the other groups.

#include "format/parquet/parquet.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "format/format.h"
#include "query/rowgroup.h"

#define MAGIC "PAR1"

static const struct pq_column columns[PMON_TIDY_COLUMNS] = {
	[PMON_TIDY_TIME] = {"time", PQ_INT64, .is_time = true},
	[PMON_TIDY_MACHINE] = {"machine", PQ_TEXT, .is_optional = true, .is_dictionary = true},
	[PMON_TIDY_OBJECT] = {"object", PQ_TEXT, .is_dictionary = true},
	[PMON_TIDY_INSTANCE] = {"instance", PQ_TEXT, .is_optional = true, .is_dictionary = true},
	[PMON_TIDY_PARENT] = {"parent", PQ_TEXT, .is_optional = true, .is_dictionary = true},
	[PMON_TIDY_COUNTER] = {"counter", PQ_TEXT, .is_dictionary = true},
	[PMON_TIDY_PATH] = {"path", PQ_TEXT, .is_dictionary = true},
	[PMON_TIDY_PID] = {"pid", PQ_INT64, .is_optional = true, .is_dictionary = true},
	[PMON_TIDY_PROCESS_START] = {"process_start", PQ_INT64, .is_time = true,
				     .is_optional = true, .is_dictionary = true},
	[PMON_TIDY_TYPE] = {"type", PQ_TEXT, .is_optional = true, .is_dictionary = true},
	[PMON_TIDY_VALUE] = {"value", PQ_DOUBLE, .is_optional = true},
	[PMON_TIDY_STATUS] = {"status", PQ_TEXT, .is_dictionary = true},
	[PMON_TIDY_N] = {.name = "n", .type = PQ_DOUBLE},
	[PMON_TIDY_D] = {.name = "d", .type = PQ_INT64},
	[PMON_TIDY_ADD] = {"add", PQ_DOUBLE, .is_dictionary = true},
	[PMON_TIDY_MUL] = {"mul", PQ_DOUBLE, .is_dictionary = true},
};

struct writer {
	struct pmon_sink sink; // must be first
	const struct pmon_allocator *allocator;
	struct pmon_outfile *file;
	const struct pmon_source_info *info;
	struct pmon_rowgroup group;
	struct pq_chunk chunk;
	struct pq_bytes groups; // metadata
	size_t n_groups;
	int64_t n_rows;
	uint64_t checked;
};

// ---- Cells ----------------------------------------------------------------------------------

static void
add_i64(void *ctx, int64_t number, uint32_t times)
{
	struct pq_chunk *chunk = ctx;
	uint8_t bytes[8];

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)((uint64_t)number >> (8 * i));
	pmon_pq_chunk_add(chunk, bytes, sizeof(bytes), times);
}

static void
add_double(void *ctx, double number, uint32_t times)
{
	int64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	add_i64(ctx, bits, times);
}

static void
add_null(void *ctx, uint32_t times)
{
	struct pq_chunk *chunk = ctx;

	pmon_pq_chunk_add(chunk, NULL, 0, times);
}

static void
add_text(void *ctx, struct pmon_span text, uint32_t times)
{
	struct pq_chunk *chunk = ctx;

	pmon_pq_chunk_add(chunk, text.ptr, text.len, times);
}

static bool
fill_column(struct writer *w, enum pmon_tidy_column column)
{
	const struct pmon_rowgroup_cells cells = {add_text, add_i64, add_double, add_null,
						  &w->chunk};

	pmon_pq_chunk_begin(&w->chunk, &columns[column]);
	return pmon_rowgroup_fill(&w->group, column, &cells);
}

// ---- Row groups -----------------------------------------------------------------------------

// Write the rows so far. false: out of memory.
static bool
end_group(struct writer *w)
{
	int64_t begin = (int64_t)pmon_outfile_size(w->file);
	struct pq_fields group = {0};
	int64_t plain_bytes = 0;
	int64_t file_bytes = 0;

	if (w->group.n == 0)
		return true;
	if (!pmon_rowgroup_sort(&w->group))
		return false;
	pmon_pq_list(&w->groups, &group, 1, PQ_WIRE_STRUCT, PMON_TIDY_COLUMNS);
	for (enum pmon_tidy_column i = PMON_TIDY_TIME; i < PMON_TIDY_COLUMNS; i++)
		if (!fill_column(w, i) ||
		    !pmon_pq_chunk_end(&w->chunk, w->file, &w->groups, &plain_bytes, &file_bytes))
			return false;
	pmon_pq_i64(&w->groups, &group, 2, plain_bytes);
	pmon_pq_i64(&w->groups, &group, 3, (int64_t)w->group.n);
	pmon_pq_i64(&w->groups, &group, 5, begin);
	pmon_pq_i64(&w->groups, &group, 6, file_bytes);
	pmon_pq_end(&w->groups);
	w->n_groups++;
	w->n_rows += (int64_t)w->group.n;
	pmon_rowgroup_clear(&w->group);
	return !w->groups.failed;
}

// ---- Samples --------------------------------------------------------------------------------

static enum pmon_status
parquet_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	    const struct pmon_value *values, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;
	enum pmon_status status;

	if (pmon_rowgroup_is_full(&w->group) && !end_group(w))
		return pmon_err_nomem(err);
	status = pmon_rowgroup_add(&w->group, sample, values, err);
	return status == PMON_OK ? pmon_format_check(w->file, &w->checked, err) : status;
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

	pmon_pq_list(out, footer, 2, PQ_WIRE_STRUCT, PMON_TIDY_COLUMNS + 1);
	pmon_pq_str(out, &root, 4, "tidy");
	pmon_pq_i32(out, &root, 5, PMON_TIDY_COLUMNS);
	pmon_pq_end(out);
	for (enum pmon_tidy_column i = PMON_TIDY_TIME; i < PMON_TIDY_COLUMNS; i++)
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
	pmon_pq_list(out, footer, 7, PQ_WIRE_STRUCT, PMON_TIDY_COLUMNS);
	for (enum pmon_tidy_column i = PMON_TIDY_TIME; i < PMON_TIDY_COLUMNS; i++) {
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
	w->info = info;
	pmon_rowgroup_begin(&w->group, schema, w->allocator);
	pmon_outfile_write(w->file, MAGIC, strlen(MAGIC));
	return PMON_OK;
}

static void
parquet_close(struct pmon_sink *sink)
{
	struct writer *w = (struct writer *)sink;

	pmon_outfile_close(w->file);
	pmon_rowgroup_free(&w->group);
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
