// write.c - write a log in Arrow's IPC format, as a file or a stream: one row for each raw value
// SPDX-License-Identifier: MIT
//
// A group of rows (query/rowgroup.h) is written as a record batch. Texts have dictionaries, to which each batch adds what is
// new in it, so memory grows with the names in the log and not with its length.

#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "format/arrow/arrow.h"
#include "format/format.h"
#include "os/outfile.h"
#include "query/rowgroup.h"

#define MAGIC        "ARROW1"
#define VERSION      4 // of the metadata: V5
#define CONTINUATION UINT64_C(0xFFFFFFFF)

enum kind {
	KIND_TIME,
	KIND_TEXT,
	KIND_INTEGER,
	KIND_REAL,
};

static const struct column {
	enum kind kind;
	bool is_optional;
} columns[PMON_TIDY_COLUMNS] = {
	[PMON_TIDY_TIME] = {KIND_TIME, false},
	[PMON_TIDY_MACHINE] = {KIND_TEXT, true},
	[PMON_TIDY_OBJECT] = {KIND_TEXT, false},
	[PMON_TIDY_INSTANCE] = {KIND_TEXT, true},
	[PMON_TIDY_PARENT] = {KIND_TEXT, true},
	[PMON_TIDY_COUNTER] = {KIND_TEXT, false},
	[PMON_TIDY_PATH] = {KIND_TEXT, false},
	[PMON_TIDY_PID] = {KIND_INTEGER, true},
	[PMON_TIDY_PROCESS_START] = {KIND_TIME, true},
	[PMON_TIDY_TYPE] = {KIND_TEXT, true},
	[PMON_TIDY_VALUE] = {KIND_REAL, true},
	[PMON_TIDY_STATUS] = {KIND_TEXT, false},
	[PMON_TIDY_N] = {KIND_REAL, false},
	[PMON_TIDY_D] = {KIND_INTEGER, false},
	[PMON_TIDY_ADD] = {KIND_REAL, false},
	[PMON_TIDY_MUL] = {KIND_REAL, false},
};

#define BUFFERS_MOST (2 * PMON_TIDY_COLUMNS)

// The texts of a column, numbered as they came.
struct dictionary {
	struct pmon_map map;
	struct ar_bytes text;
	size_t *ends; // where each ends in `text`
	size_t n;
	size_t cap;
	size_t n_written;
	bool is_begun; // the first batch of it was written
};

// The place of a message in the file.
struct block {
	uint64_t offset;
	uint32_t metadata_bytes; // with its head
	uint64_t body_bytes;
};

struct blocks {
	struct block *list;
	size_t n;
	size_t cap;
};

struct writer {
	struct pmon_sink sink; // must be first
	const struct pmon_allocator *allocator;
	struct pmon_outfile *file;
	const struct pmon_source_info *info;
	bool is_stream;
	struct pmon_rowgroup group;
	struct dictionary dictionaries[PMON_TIDY_COLUMNS];
	uint64_t seed; // of their hashes
	// The batch, and the column of it that is filled
	struct ar_bytes body;
	struct ar_bytes nodes;   // struct FieldNode
	struct ar_bytes buffers; // struct Buffer
	size_t n_nodes;
	size_t n_buffers;
	enum pmon_tidy_column column;
	struct ar_bytes valid; // a bit for each cell
	size_t n_cells;
	size_t n_nulls;
	struct ar_bytes cells;
	struct ar_bytes message;
	struct blocks dictionary_blocks;
	struct blocks batch_blocks;
	uint64_t checked;
	bool failed; // out of memory
};

// ---- Cells ----------------------------------------------------------------------------------

static void
mark(struct writer *w, bool is_valid, uint32_t times)
{
	for (uint32_t i = 0; i < times; i++, w->n_cells++) {
		if (w->n_cells % 8 == 0)
			pmon_ar_le(&w->valid, 0, 1);
		if (is_valid && !w->valid.failed)
			w->valid.list[w->n_cells / 8] |= (uint8_t)(1U << (w->n_cells % 8));
	}
	w->n_nulls += is_valid ? 0 : times;
}

static void
add_number(struct writer *w, uint64_t number, unsigned size, uint32_t times)
{
	for (uint32_t i = 0; i < times; i++)
		pmon_ar_le(&w->cells, number, size);
}

static struct pmon_span
text_at(const struct dictionary *dictionary, size_t i)
{
	size_t begin = i > 0 ? dictionary->ends[i - 1] : 0;

	return (struct pmon_span){(const char *)dictionary->text.list + begin,
				  dictionary->ends[i] - begin};
}

// The number of a text, which is added if it is new.
static uint32_t
number_of(struct writer *w, struct dictionary *dictionary, struct pmon_span text)
{
	uint64_t hash = pmon_map_mix_bytes(w->seed, text.ptr, text.len);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&dictionary->map, hash, &at)) != PMON_MAP_NONE) {
		struct pmon_span known = text_at(dictionary, i);

		if (known.len == text.len && memcmp(known.ptr, text.ptr, text.len) == 0)
			return i;
	}
	i = (uint32_t)dictionary->n;
	pmon_ar_put(&dictionary->text, text.ptr, text.len);
	if (dictionary->text.failed ||
	    !pmon_mem_grow(w->allocator, &dictionary->ends, &dictionary->cap, dictionary->n + 1,
			   sizeof(*dictionary->ends)) ||
	    !pmon_map_put(&dictionary->map, w->allocator, hash, i)) {
		w->failed = true;
		return 0;
	}
	dictionary->ends[dictionary->n++] = dictionary->text.n;
	return i;
}

static void
add_text(void *ctx, struct pmon_span text, uint32_t times)
{
	struct writer *w = ctx;

	mark(w, true, times);
	add_number(w, number_of(w, &w->dictionaries[w->column], text), 4, times);
}

static void
add_integer(void *ctx, int64_t number, uint32_t times)
{
	mark(ctx, true, times);
	add_number(ctx, (uint64_t)number, 8, times);
}

static void
add_real(void *ctx, double number, uint32_t times)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	mark(ctx, true, times);
	add_number(ctx, bits, 8, times);
}

static void
add_null(void *ctx, uint32_t times)
{
	struct writer *w = ctx;

	mark(w, false, times);
	add_number(w, 0, columns[w->column].kind == KIND_TEXT ? 4 : 8, times);
}

// ---- Batches --------------------------------------------------------------------------------

static void
begin_batch(struct writer *w)
{
	w->body.n = w->nodes.n = w->buffers.n = 0;
	w->n_nodes = w->n_buffers = 0;
}

static void
add_node(struct writer *w, size_t n, size_t n_nulls)
{
	pmon_ar_le(&w->nodes, n, 8);
	pmon_ar_le(&w->nodes, n_nulls, 8);
	w->n_nodes++;
}

static void
add_buffer(struct writer *w, const void *bytes, size_t n)
{
	pmon_ar_le(&w->buffers, w->body.n, 8);
	pmon_ar_le(&w->buffers, n, 8);
	w->n_buffers++;
	pmon_ar_put(&w->body, bytes, n);
	pmon_ar_pad(&w->body);
}

// The head of a message, the bytes of its FlatBuffer, and the body.
static void
write_message(struct writer *w, struct ar_flat *flat, size_t root, struct blocks *blocks)
{
	struct ar_bytes *out = &w->message;
	struct block block = {.offset = pmon_outfile_size(w->file)};

	out->n = 0;
	pmon_ar_le(out, CONTINUATION, 4);
	pmon_ar_le(out, 0, 4);
	pmon_ar_flat_finish(flat, root, out);
	if (out->failed || w->body.failed) {
		w->failed = true;
		return;
	}
	for (size_t i = 0; i < 4; i++)
		out->list[4 + i] = (uint8_t)((out->n - 8) >> (8 * i));
	pmon_outfile_write(w->file, out->list, out->n);
	pmon_outfile_write(w->file, w->body.list, w->body.n);
	block.metadata_bytes = (uint32_t)out->n;
	block.body_bytes = w->body.n;
	if (blocks == NULL || w->is_stream)
		return;
	if (pmon_mem_grow(w->allocator, &blocks->list, &blocks->cap, blocks->n + 1, sizeof(block)))
		blocks->list[blocks->n++] = block;
	else
		w->failed = true;
}

enum header {
	HEADER_SCHEMA = 1,
	HEADER_DICTIONARY = 2,
	HEADER_BATCH = 3,
};

static size_t
put_message(struct ar_flat *flat, enum header type, size_t header, size_t body_bytes)
{
	pmon_ar_flat_table(flat);
	pmon_ar_flat_number(flat, 3, body_bytes, 8);
	pmon_ar_flat_refer(flat, 2, header);
	pmon_ar_flat_number(flat, 0, VERSION, 2);
	pmon_ar_flat_number(flat, 1, (uint64_t)type, 1);
	return pmon_ar_flat_end(flat);
}

static size_t
put_batch(struct writer *w, struct ar_flat *flat, size_t n)
{
	bool is_whole = !w->buffers.failed && !w->nodes.failed; // or memory is short
	size_t buffers =
		pmon_ar_flat_structs(flat, w->buffers.list, is_whole ? w->n_buffers : 0, 16);
	size_t nodes = pmon_ar_flat_structs(flat, w->nodes.list, is_whole ? w->n_nodes : 0, 16);

	w->failed |= !is_whole;
	pmon_ar_flat_table(flat);
	pmon_ar_flat_number(flat, 0, n, 8);
	pmon_ar_flat_refer(flat, 1, nodes);
	pmon_ar_flat_refer(flat, 2, buffers);
	return pmon_ar_flat_end(flat);
}

static bool
fill_column(struct writer *w, enum pmon_tidy_column column)
{
	const struct pmon_rowgroup_cells cells = {add_text, add_integer, add_real, add_null, w};

	w->column = column;
	w->valid.n = w->cells.n = w->n_cells = w->n_nulls = 0;
	if (!pmon_rowgroup_fill(&w->group, column, &cells) || w->valid.failed || w->cells.failed)
		return false;
	add_node(w, w->n_cells, w->n_nulls);
	add_buffer(w, w->valid.list, w->n_nulls > 0 ? w->valid.n : 0);
	add_buffer(w, w->cells.list, w->cells.n);
	return true;
}

// The texts of a column that are new. Its buffers are written in place of those of the batch, which are kept.
static void
write_dictionary(struct writer *w, enum pmon_tidy_column column)
{
	struct dictionary *dictionary = &w->dictionaries[column];
	size_t first = dictionary->n_written;
	size_t begin = first > 0 ? dictionary->ends[first - 1] : 0;
	struct ar_bytes offsets = {.allocator = w->allocator};
	struct ar_flat flat;
	size_t batch;

	begin_batch(w);
	pmon_ar_le(&offsets, 0, 4);
	for (size_t i = first; i < dictionary->n; i++)
		pmon_ar_le(&offsets, dictionary->ends[i] - begin, 4);
	add_node(w, dictionary->n - first, 0);
	add_buffer(w, NULL, 0);
	add_buffer(w, offsets.list, offsets.n);
	add_buffer(w, dictionary->text.list + begin, dictionary->text.n - begin);
	w->failed |= offsets.failed;
	pmon_ar_free(&offsets);
	pmon_ar_flat_begin(&flat, w->allocator);
	batch = put_batch(w, &flat, dictionary->n - first);
	pmon_ar_flat_table(&flat);
	pmon_ar_flat_number(&flat, 0, (uint64_t)column, 8);
	pmon_ar_flat_refer(&flat, 1, batch);
	pmon_ar_flat_number(&flat, 2, dictionary->is_begun, 1); // adds to what was written
	write_message(w, &flat,
		      put_message(&flat, HEADER_DICTIONARY, pmon_ar_flat_end(&flat), w->body.n),
		      &w->dictionary_blocks);
	dictionary->n_written = dictionary->n;
	dictionary->is_begun = true;
}

static void
swap(struct ar_bytes *a, struct ar_bytes *b)
{
	struct ar_bytes kept = *a;

	*a = *b;
	*b = kept;
}

// Dictionaries come before the batch that uses them.
static void
write_dictionaries(struct writer *w)
{
	struct ar_bytes kept[3] = {{.allocator = w->allocator},
				   {.allocator = w->allocator},
				   {.allocator = w->allocator}};
	size_t n_nodes = w->n_nodes;
	size_t n_buffers = w->n_buffers;

	swap(&kept[0], &w->body);
	swap(&kept[1], &w->nodes);
	swap(&kept[2], &w->buffers);
	for (enum pmon_tidy_column i = PMON_TIDY_TIME; i < PMON_TIDY_COLUMNS; i++)
		if (columns[i].kind == KIND_TEXT &&
		    (w->dictionaries[i].n > w->dictionaries[i].n_written ||
		     !w->dictionaries[i].is_begun))
			write_dictionary(w, i);
	swap(&kept[0], &w->body);
	swap(&kept[1], &w->nodes);
	swap(&kept[2], &w->buffers);
	for (size_t i = 0; i < 3; i++) {
		w->failed |= kept[i].failed;
		pmon_ar_free(&kept[i]);
	}
	w->n_nodes = n_nodes;
	w->n_buffers = n_buffers;
}

// Write the rows so far. false: out of memory.
static bool
end_group(struct writer *w)
{
	struct ar_flat flat;
	size_t batch;

	if (w->group.n == 0)
		return true;
	if (!pmon_rowgroup_sort(&w->group))
		return false;
	begin_batch(w);
	for (enum pmon_tidy_column i = PMON_TIDY_TIME; i < PMON_TIDY_COLUMNS; i++)
		if (!fill_column(w, i))
			return false;
	if (w->body.failed || w->nodes.failed || w->buffers.failed)
		return false;
	write_dictionaries(w);
	pmon_ar_flat_begin(&flat, w->allocator);
	batch = put_batch(w, &flat, w->group.n);
	write_message(w, &flat, put_message(&flat, HEADER_BATCH, batch, w->body.n),
		      &w->batch_blocks);
	pmon_rowgroup_clear(&w->group);
	return !w->failed;
}

// ---- The schema -----------------------------------------------------------------------------

enum type {
	TYPE_INT = 2,
	TYPE_FLOATING_POINT = 3,
	TYPE_UTF8 = 5,
	TYPE_TIMESTAMP = 10,
};

#define NANOSECONDS 3
#define DOUBLE      2

static size_t
put_int(struct ar_flat *flat, unsigned bits)
{
	pmon_ar_flat_table(flat);
	pmon_ar_flat_number(flat, 0, bits, 4);
	pmon_ar_flat_number(flat, 1, true, 1); // signed
	return pmon_ar_flat_end(flat);
}

static size_t
put_type(struct ar_flat *flat, enum kind kind, enum type *type)
{
	size_t zone;

	switch (kind) {
	case KIND_TIME:
		*type = TYPE_TIMESTAMP;
		zone = pmon_ar_flat_text(flat, "UTC");
		pmon_ar_flat_table(flat);
		pmon_ar_flat_number(flat, 0, NANOSECONDS, 2);
		pmon_ar_flat_refer(flat, 1, zone);
		return pmon_ar_flat_end(flat);
	case KIND_TEXT:
		*type = TYPE_UTF8;
		pmon_ar_flat_table(flat);
		return pmon_ar_flat_end(flat);
	case KIND_INTEGER:
		*type = TYPE_INT;
		return put_int(flat, 64);
	case KIND_REAL:
		break;
	}
	*type = TYPE_FLOATING_POINT;
	pmon_ar_flat_table(flat);
	pmon_ar_flat_number(flat, 0, DOUBLE, 2);
	return pmon_ar_flat_end(flat);
}

static size_t
put_encoding(struct ar_flat *flat, enum pmon_tidy_column column)
{
	size_t index = put_int(flat, 32);

	pmon_ar_flat_table(flat);
	pmon_ar_flat_number(flat, 0, (uint64_t)column, 8);
	pmon_ar_flat_refer(flat, 1, index);
	return pmon_ar_flat_end(flat);
}

// Readers expect the list of children, which is empty.
static size_t
put_field(struct ar_flat *flat, enum pmon_tidy_column column)
{
	const struct column *about = &columns[column];
	bool is_text = about->kind == KIND_TEXT;
	size_t name = pmon_ar_flat_text(flat, pmon_tidy_name(column));
	size_t children = pmon_ar_flat_list(flat, NULL, 0);
	size_t encoding = is_text ? put_encoding(flat, column) : 0;
	enum type type;
	size_t of_type = put_type(flat, about->kind, &type);

	pmon_ar_flat_table(flat);
	pmon_ar_flat_refer(flat, 0, name);
	pmon_ar_flat_refer(flat, 3, of_type);
	if (is_text)
		pmon_ar_flat_refer(flat, 4, encoding);
	pmon_ar_flat_refer(flat, 5, children);
	pmon_ar_flat_number(flat, 1, about->is_optional, 1);
	pmon_ar_flat_number(flat, 2, (uint64_t)type, 1);
	return pmon_ar_flat_end(flat);
}

static size_t
put_pair(struct ar_flat *flat, const char *key, const char *value)
{
	size_t of_value = pmon_ar_flat_text(flat, value);
	size_t of_key = pmon_ar_flat_text(flat, key);

	pmon_ar_flat_table(flat);
	pmon_ar_flat_refer(flat, 0, of_key);
	pmon_ar_flat_refer(flat, 1, of_value);
	return pmon_ar_flat_end(flat);
}

static size_t
put_schema(const struct writer *w, struct ar_flat *flat)
{
	size_t fields[PMON_TIDY_COLUMNS];
	size_t pairs[] = {
		put_pair(flat, "pmon.average", "add + mul * sum(n) / sum(d)"),
		put_pair(flat, "pmon.source.format", w->info->format),
		put_pair(flat, "pmon.source.writer", w->info->writer),
		put_pair(flat, "pmon.source.machine", w->info->machine),
		put_pair(flat, "pmon.source.zone", w->info->zone),
	};
	size_t list;
	size_t metadata;

	for (enum pmon_tidy_column i = PMON_TIDY_TIME; i < PMON_TIDY_COLUMNS; i++)
		fields[i] = put_field(flat, i);
	list = pmon_ar_flat_list(flat, fields, PMON_TIDY_COLUMNS);
	metadata = pmon_ar_flat_list(flat, pairs, sizeof(pairs) / sizeof(pairs[0]));
	pmon_ar_flat_table(flat);
	pmon_ar_flat_refer(flat, 1, list);
	pmon_ar_flat_refer(flat, 2, metadata);
	pmon_ar_flat_number(flat, 0, 0, 2); // little-endian
	return pmon_ar_flat_end(flat);
}

// ---- The end --------------------------------------------------------------------------------

static size_t
put_blocks(struct writer *w, struct ar_flat *flat, const struct blocks *blocks)
{
	struct ar_bytes list = {.allocator = w->allocator};
	size_t place;

	for (size_t i = 0; i < blocks->n; i++) {
		pmon_ar_le(&list, blocks->list[i].offset, 8);
		pmon_ar_le(&list, blocks->list[i].metadata_bytes, 8); // 4 bytes, and 4 to align
		pmon_ar_le(&list, blocks->list[i].body_bytes, 8);
	}
	w->failed |= list.failed;
	place = pmon_ar_flat_structs(flat, list.list, list.failed ? 0 : blocks->n, 24);
	pmon_ar_free(&list);
	return place;
}

static void
write_footer(struct writer *w)
{
	struct ar_bytes *out = &w->message;
	struct ar_flat flat;
	size_t schema;
	size_t dictionaries;
	size_t batches;

	pmon_ar_flat_begin(&flat, w->allocator);
	schema = put_schema(w, &flat);
	dictionaries = put_blocks(w, &flat, &w->dictionary_blocks);
	batches = put_blocks(w, &flat, &w->batch_blocks);
	pmon_ar_flat_table(&flat);
	pmon_ar_flat_refer(&flat, 1, schema);
	pmon_ar_flat_refer(&flat, 2, dictionaries);
	pmon_ar_flat_refer(&flat, 3, batches);
	pmon_ar_flat_number(&flat, 0, VERSION, 2);
	out->n = 0;
	pmon_ar_flat_finish(&flat, pmon_ar_flat_end(&flat), out);
	pmon_ar_le(out, out->n, 4);
	pmon_ar_put(out, MAGIC, strlen(MAGIC));
	w->failed |= out->failed;
	if (!w->failed)
		pmon_outfile_write(w->file, out->list, out->n);
}

static enum pmon_status
arrow_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	static const uint8_t end[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0};
	struct writer *w = (struct writer *)sink;

	if (!end_group(w))
		return pmon_err_nomem(err);
	pmon_outfile_write(w->file, end, sizeof(end));
	if (!w->is_stream)
		write_footer(w);
	return w->failed ? pmon_err_nomem(err) : pmon_outfile_commit(w->file, err);
}

// ---- The sink -------------------------------------------------------------------------------

static enum pmon_status
arrow_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	    const struct pmon_source_info *info, struct pmon_err *err)
{
	static const char magic[8] = MAGIC;
	struct writer *w = (struct writer *)sink;
	struct ar_flat flat;
	size_t of_schema;

	w->info = info;
	pmon_rowgroup_begin(&w->group, schema, w->allocator);
	if (!w->is_stream)
		pmon_outfile_write(w->file, magic, sizeof(magic));
	pmon_ar_flat_begin(&flat, w->allocator);
	of_schema = put_schema(w, &flat);
	write_message(w, &flat, put_message(&flat, HEADER_SCHEMA, of_schema, 0), NULL);
	return w->failed ? pmon_err_nomem(err) : PMON_OK;
}

static enum pmon_status
arrow_add(struct pmon_sink *sink, const struct pmon_sample *sample, const struct pmon_value *values,
	  struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;
	enum pmon_status status;

	if (pmon_rowgroup_is_full(&w->group) && !end_group(w))
		return pmon_err_nomem(err);
	status = pmon_rowgroup_add(&w->group, sample, values, err);
	return status == PMON_OK ? pmon_format_check(w->file, &w->checked, err) : status;
}

static void
free_blocks(struct writer *w, struct blocks *blocks)
{
	pmon_mem_free(w->allocator, blocks->list, blocks->cap * sizeof(*blocks->list));
}

static void
arrow_close(struct pmon_sink *sink)
{
	struct writer *w = (struct writer *)sink;
	struct ar_bytes *all[] = {&w->body,  &w->nodes, &w->buffers,
				  &w->valid, &w->cells, &w->message};

	pmon_outfile_close(w->file);
	pmon_rowgroup_free(&w->group);
	for (size_t i = 0; i < PMON_TIDY_COLUMNS; i++) {
		struct dictionary *dictionary = &w->dictionaries[i];

		pmon_map_free(&dictionary->map, w->allocator);
		pmon_ar_free(&dictionary->text);
		pmon_mem_free(w->allocator, dictionary->ends,
			      dictionary->cap * sizeof(*dictionary->ends));
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		pmon_ar_free(all[i]);
	free_blocks(w, &w->dictionary_blocks);
	free_blocks(w, &w->batch_blocks);
	pmon_mem_free(w->allocator, w, sizeof(*w));
}

static const struct pmon_sink_ops ops = {
	.needs = PMON_SINK_VALUES | PMON_SINK_STARTS,
	.begin = arrow_begin,
	.add = arrow_add,
	.finish = arrow_finish,
	.close = arrow_close,
};

static enum pmon_status
arrow_open(struct pmon_sink *sink, const struct pmon_writer *writer, const char *path,
	   const struct pmon_create_options *options, struct pmon_err *err)
{
	struct writer *w = (struct writer *)sink;
	struct ar_bytes *all[] = {&w->body,  &w->nodes, &w->buffers,
				  &w->valid, &w->cells, &w->message};

	w->allocator = pmon_mem_allocator(options->allocator);
	w->seed = pmon_hash_seed();
	w->is_stream = strcmp(writer->name, "arrows") == 0;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		all[i]->allocator = w->allocator;
	for (size_t i = 0; i < PMON_TIDY_COLUMNS; i++)
		w->dictionaries[i].text.allocator = w->allocator;
	return pmon_format_outfile(path, options, &w->file, err);
}

static const struct pmon_writer writers[] = {
	{
		.name = "arrow",
		.endings = {"arrow", "feather"},
		.open = arrow_open,
		.sink_bytes = sizeof(struct writer),
		.ops = &ops,
		.can_name = pmon_names_are_text,
		.raw = true,
	},
	{
		.name = "arrows", // a stream
		.endings = {"arrows"},
		.open = arrow_open,
		.sink_bytes = sizeof(struct writer),
		.ops = &ops,
		.can_name = pmon_names_are_text,
		.raw = true,
	},
};

const struct pmon_format pmon_format_arrow = {
	.name = "Arrow", .writers = writers, .n_writers = sizeof(writers) / sizeof(writers[0])};
