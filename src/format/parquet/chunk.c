// chunk.c - a column of a row group: a dictionary page if it has one, and one data page
// SPDX-License-Identifier: MIT
//
// Values come sorted by series, so those that repeat come one after the other: dictionaries are few
// entries, and their indices few runs. Bit-packed runs are not needed.

#include "format/parquet/parquet.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "os/pack.h"

enum { // Encoding of parquet.thrift
	PLAIN = 0,
	RLE = 3,
	RLE_DICTIONARY = 8,
};

enum { // CompressionCodec
	UNCOMPRESSED = 0,
	GZIP = 2,
	ZSTD = 6,
};

enum { // PageType
	DATA_PAGE = 0,
	DICTIONARY_PAGE = 2,
};

void
pmon_pq_chunk_init(struct pq_chunk *chunk, const struct pmon_allocator *allocator)
{
	const struct pq_bytes none = {.allocator = allocator};

	*chunk = (struct pq_chunk){.allocator = allocator,
				   .seed = pmon_hash_seed(),
				   .dictionary = none,
				   .plain = none,
				   .page = none,
				   .packed = none,
				   .head = none};
}

void
pmon_pq_chunk_free(struct pq_chunk *chunk)
{
	const struct pmon_allocator *allocator = chunk->allocator;

	if (allocator == NULL)
		return;
	pmon_mem_free(allocator, chunk->levels.list,
		      chunk->levels.cap * sizeof(*chunk->levels.list));
	pmon_mem_free(allocator, chunk->runs.list, chunk->runs.cap * sizeof(*chunk->runs.list));
	pmon_map_free(&chunk->map, allocator);
	pmon_mem_free(allocator, chunk->places, chunk->places_cap * sizeof(*chunk->places));
	pmon_pq_bytes_free(&chunk->dictionary);
	pmon_pq_bytes_free(&chunk->plain);
	pmon_pq_bytes_free(&chunk->page);
	pmon_pq_bytes_free(&chunk->packed);
	pmon_pq_bytes_free(&chunk->head);
}

void
pmon_pq_chunk_begin(struct pq_chunk *chunk, const struct pq_column *column)
{
	chunk->column = column;
	chunk->n = chunk->n_nulls = 0;
	chunk->levels.n = chunk->runs.n = chunk->n_entries = 0;
	chunk->dictionary.n = chunk->plain.n = 0;
	pmon_map_clear(&chunk->map);
}

// ---- Values ---------------------------------------------------------------------------------

static void
add_run(struct pq_chunk *chunk, struct pq_runs *runs, uint32_t number, uint32_t times)
{
	if (runs->n > 0 && runs->list[runs->n - 1].number == number) {
		runs->list[runs->n - 1].n += times;
		return;
	}
	if (!pmon_mem_grow(chunk->allocator, &runs->list, &runs->cap, runs->n + 1,
			   sizeof(*runs->list))) {
		chunk->failed = true;
		return;
	}
	runs->list[runs->n++] = (struct pq_run){number, times};
}

// An entry without its length.
static struct pmon_span
entry(const struct pq_chunk *chunk, size_t i)
{
	size_t skip = chunk->column->type == PQ_TEXT ? 4 : 0;
	size_t begin = chunk->places[i] + skip;

	return (struct pmon_span){(const char *)chunk->dictionary.list + begin,
				  chunk->places[i + 1] - begin};
}

static bool
is_entry(const struct pq_chunk *chunk, size_t i, const void *value, size_t len)
{
	struct pmon_span text = entry(chunk, i);

	return text.len == len && (len == 0 || memcmp(text.ptr, value, len) == 0);
}

static uint32_t
add_entry(struct pq_chunk *chunk, const void *value, size_t len, uint64_t hash)
{
	struct pq_bytes *dictionary = &chunk->dictionary;
	uint32_t number = (uint32_t)chunk->n_entries;

	if (!pmon_mem_grow(chunk->allocator, &chunk->places, &chunk->places_cap, number + 2,
			   sizeof(*chunk->places)) ||
	    !pmon_map_put(&chunk->map, chunk->allocator, hash, number)) {
		chunk->failed = true;
		return 0;
	}
	chunk->places[number] = dictionary->n;
	if (chunk->column->type == PQ_TEXT)
		pmon_pq_le(dictionary, len, 4);
	pmon_pq_put(dictionary, value, len);
	chunk->places[number + 1] = dictionary->n;
	chunk->n_entries++;
	return number;
}

// The number of a value in the dictionary. It is often that of the one before.
static uint32_t
number_of(struct pq_chunk *chunk, const void *value, size_t len)
{
	const struct pq_runs *runs = &chunk->runs;
	uint64_t hash;
	size_t at = 0;
	uint32_t i;

	if (runs->n > 0 && is_entry(chunk, runs->list[runs->n - 1].number, value, len))
		return runs->list[runs->n - 1].number;
	hash = pmon_hash64(chunk->seed, value, len);
	while ((i = pmon_map_next(&chunk->map, hash, &at)) != PMON_MAP_NONE)
		if (is_entry(chunk, i, value, len))
			return i;
	return add_entry(chunk, value, len, hash);
}

static void
note_range(struct pq_chunk *chunk, const uint8_t *bytes)
{
	uint64_t bits = 0;
	int64_t number;

	for (unsigned i = 0; i < 8; i++)
		bits |= (uint64_t)bytes[i] << (8 * i);
	number = (int64_t)bits;
	if (chunk->n == chunk->n_nulls || number < chunk->least)
		chunk->least = number;
	if (chunk->n == chunk->n_nulls || number > chunk->most)
		chunk->most = number;
}

void
pmon_pq_chunk_add(struct pq_chunk *chunk, const void *value, size_t len, uint32_t times)
{
	if (chunk->failed || chunk->dictionary.failed)
		return;
	if (chunk->column->is_optional)
		add_run(chunk, &chunk->levels, value != NULL, times);
	if (value == NULL) {
		chunk->n_nulls += times;
	} else {
		if (chunk->column->type == PQ_INT64)
			note_range(chunk, value);
		if (chunk->column->is_dictionary)
			add_run(chunk, &chunk->runs, number_of(chunk, value, len), times);
		for (uint32_t i = 0; !chunk->column->is_dictionary && i < times; i++)
			pmon_pq_put(&chunk->plain, value, len);
	}
	chunk->n += times;
}

// ---- Pages ----------------------------------------------------------------------------------

// Runs of the hybrid encoding: the length times 2, and the number in whole bytes.
static void
put_runs(struct pq_bytes *out, const struct pq_runs *runs, unsigned bytes)
{
	for (size_t i = 0; i < runs->n; i++) {
		pmon_pq_varint(out, (uint64_t)runs->list[i].n << 1);
		pmon_pq_le(out, runs->list[i].number, bytes);
	}
}

static unsigned
bits_of(size_t largest)
{
	unsigned bits = 1;

	while (largest >> bits != 0)
		bits++;
	return bits;
}

static void
put_levels(struct pq_chunk *chunk)
{
	struct pq_bytes *page = &chunk->page;
	size_t begin = page->n;

	pmon_pq_le(page, 0, 4);
	put_runs(page, &chunk->levels, 1);
	for (unsigned i = 0; !page->failed && i < 4; i++)
		page->list[begin + i] = (uint8_t)((page->n - begin - 4) >> (8 * i));
}

static void
fill_data_page(struct pq_chunk *chunk)
{
	unsigned bits = bits_of(chunk->n_entries > 0 ? chunk->n_entries - 1 : 0);

	chunk->page.n = 0;
	if (chunk->column->is_optional)
		put_levels(chunk);
	if (chunk->column->is_dictionary) {
		pmon_pq_byte(&chunk->page, bits);
		put_runs(&chunk->page, &chunk->runs, (bits + 7) / 8);
	} else {
		pmon_pq_put(&chunk->page, chunk->plain.list, chunk->plain.n);
	}
}

// What this build can compress with.
static int32_t
codec(void)
{
	if (pmon_pack_bound(1) > 0)
		return ZSTD;
	return pmon_gzip_bound(1) > 0 ? GZIP : UNCOMPRESSED;
}

// Compress a page. false: out of memory.
static bool
pack(struct pq_chunk *chunk, const struct pq_bytes *plain)
{
	struct pq_bytes *packed = &chunk->packed;
	size_t bound = plain->n;

	packed->n = 0;
	if (plain->failed)
		return false;
	if (codec() == UNCOMPRESSED) {
		pmon_pq_put(packed, plain->list, plain->n);
		return !packed->failed;
	}
	bound = codec() == ZSTD ? pmon_pack_bound(plain->n) : pmon_gzip_bound(plain->n);
	if (!pmon_mem_grow(chunk->allocator, &packed->list, &packed->cap, bound, 1))
		return false;
	packed->n = codec() == ZSTD ? pmon_pack(plain->list, plain->n, packed->list, bound)
				    : pmon_gzip(plain->list, plain->n, packed->list, bound);
	return packed->n > 0;
}

static void
put_page_head(struct pq_chunk *chunk, int32_t type, size_t plain, size_t n)
{
	struct pq_bytes *head = &chunk->head;
	struct pq_fields page = {0};
	struct pq_fields of_type = {0};

	head->n = 0;
	pmon_pq_i32(head, &page, 1, type);
	pmon_pq_i32(head, &page, 2, (int32_t)plain);
	pmon_pq_i32(head, &page, 3, (int32_t)chunk->packed.n);
	pmon_pq_field(head, &page, type == DATA_PAGE ? 5 : 7, PQ_WIRE_STRUCT);
	pmon_pq_i32(head, &of_type, 1, (int32_t)n);
	pmon_pq_i32(head, &of_type, 2,
		    type == DATA_PAGE && chunk->column->is_dictionary ? RLE_DICTIONARY : PLAIN);
	if (type == DATA_PAGE) {
		pmon_pq_i32(head, &of_type, 3, RLE);
		pmon_pq_i32(head, &of_type, 4, RLE);
	}
	pmon_pq_end(head);
	pmon_pq_end(head);
}

// false: out of memory.
static bool
write_page(struct pq_chunk *chunk, struct pmon_outfile *file, int32_t type,
	   const struct pq_bytes *plain, size_t n, int64_t *plain_bytes)
{
	if (!pack(chunk, plain))
		return false;
	put_page_head(chunk, type, plain->n, n);
	if (chunk->head.failed)
		return false;
	pmon_outfile_write(file, chunk->head.list, chunk->head.n);
	pmon_outfile_write(file, chunk->packed.list, chunk->packed.n);
	*plain_bytes += (int64_t)(chunk->head.n + plain->n);
	return true;
}

// ---- Metadata -------------------------------------------------------------------------------

static int
compare(struct pmon_span a, struct pmon_span b)
{
	int order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

// The least and the greatest text, in the order of bytes.
static void
put_text_range(const struct pq_chunk *chunk, struct pq_bytes *out, struct pq_fields *fields)
{
	struct pmon_span least = entry(chunk, 0);
	struct pmon_span most = least;

	for (size_t i = 1; i < chunk->n_entries; i++) {
		struct pmon_span text = entry(chunk, i);

		if (compare(text, least) < 0)
			least = text;
		if (compare(text, most) > 0)
			most = text;
	}
	pmon_pq_binary(out, fields, 5, most.ptr, most.len);
	pmon_pq_binary(out, fields, 6, least.ptr, least.len);
}

static void
put_number_range(const struct pq_chunk *chunk, struct pq_bytes *out, struct pq_fields *fields)
{
	pmon_pq_field(out, fields, 5, PQ_WIRE_BINARY);
	pmon_pq_varint(out, 8);
	pmon_pq_le(out, (uint64_t)chunk->most, 8);
	pmon_pq_field(out, fields, 6, PQ_WIRE_BINARY);
	pmon_pq_varint(out, 8);
	pmon_pq_le(out, (uint64_t)chunk->least, 8);
}

static void
put_statistics(const struct pq_chunk *chunk, struct pq_bytes *out, struct pq_fields *fields)
{
	struct pq_fields statistics = {0};
	bool has_range = chunk->n > chunk->n_nulls;

	pmon_pq_field(out, fields, 12, PQ_WIRE_STRUCT);
	pmon_pq_i64(out, &statistics, 3, (int64_t)chunk->n_nulls);
	if (has_range && chunk->column->type == PQ_TEXT)
		put_text_range(chunk, out, &statistics);
	else if (has_range && chunk->column->type == PQ_INT64)
		put_number_range(chunk, out, &statistics);
	pmon_pq_end(out);
}

// Where the pages of a column are.
struct place {
	int64_t begin;
	int64_t data; // the data page
	int64_t plain_bytes;
	int64_t file_bytes;
};

static void
put_encodings(const struct pq_chunk *chunk, struct pq_bytes *out, struct pq_fields *fields)
{
	pmon_pq_list(out, fields, 2, PQ_WIRE_I32, chunk->column->is_dictionary ? 3 : 2);
	pmon_pq_varint(out, PLAIN * 2); // zigzag
	pmon_pq_varint(out, RLE * 2);
	if (chunk->column->is_dictionary)
		pmon_pq_varint(out, RLE_DICTIONARY * 2);
}

static void
put_metadata(const struct pq_chunk *chunk, const struct place *place, struct pq_bytes *out)
{
	const char *name = chunk->column->name;
	struct pq_fields column = {0};
	struct pq_fields fields = {0};

	pmon_pq_i64(out, &column, 2, place->begin);
	pmon_pq_field(out, &column, 3, PQ_WIRE_STRUCT);
	pmon_pq_i32(out, &fields, 1, (int32_t)chunk->column->type);
	put_encodings(chunk, out, &fields);
	pmon_pq_list(out, &fields, 3, PQ_WIRE_BINARY, 1);
	pmon_pq_varint(out, strlen(name));
	pmon_pq_put(out, name, strlen(name));
	pmon_pq_i32(out, &fields, 4, codec());
	pmon_pq_i64(out, &fields, 5, (int64_t)chunk->n);
	pmon_pq_i64(out, &fields, 6, place->plain_bytes);
	pmon_pq_i64(out, &fields, 7, place->file_bytes);
	pmon_pq_i64(out, &fields, 9, place->data);
	if (chunk->column->is_dictionary)
		pmon_pq_i64(out, &fields, 11, place->begin);
	put_statistics(chunk, out, &fields);
	pmon_pq_end(out);
	pmon_pq_end(out);
}

bool
pmon_pq_chunk_end(struct pq_chunk *chunk, struct pmon_outfile *file, struct pq_bytes *metadata,
		  int64_t *plain_bytes, int64_t *file_bytes)
{
	struct place place = {.begin = (int64_t)pmon_outfile_size(file)};

	if (chunk->failed || chunk->dictionary.failed || chunk->plain.failed)
		return false;
	fill_data_page(chunk);
	if (chunk->column->is_dictionary &&
	    !write_page(chunk, file, DICTIONARY_PAGE, &chunk->dictionary, chunk->n_entries,
			&place.plain_bytes))
		return false;
	place.data = (int64_t)pmon_outfile_size(file);
	if (!write_page(chunk, file, DATA_PAGE, &chunk->page, (size_t)chunk->n, &place.plain_bytes))
		return false;
	place.file_bytes = (int64_t)pmon_outfile_size(file) - place.begin;
	put_metadata(chunk, &place, metadata);
	*plain_bytes += place.plain_bytes;
	*file_bytes += place.file_bytes;
	return !metadata->failed;
}
