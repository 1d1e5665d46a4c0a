// parquet.h - the parts of the writer of Parquet files
// SPDX-License-Identifier: MIT
//
// Written from the specification, https://parquet.apache.org/docs/file-format/ and parquet.thrift of
// apache/parquet-format 2.10. docs/reference/formats/parquet.md says which part of it this is.

#ifndef PMON_FORMAT_PARQUET_H
#define PMON_FORMAT_PARQUET_H

#include "base/map.h"
#include "os/outfile.h"

// ---- Bytes, and Thrift's compact protocol (thrift.c) -----------------------------------------

// A growing buffer. Lack of memory is sticky, and checked at the end.
struct pq_bytes {
	const struct pmon_allocator *allocator;
	uint8_t *list;
	size_t n;
	size_t cap;
	bool failed;
};

void pmon_pq_put(struct pq_bytes *bytes, const void *from, size_t n);
void pmon_pq_byte(struct pq_bytes *bytes, unsigned byte);
void pmon_pq_le(struct pq_bytes *bytes, uint64_t number, unsigned size); // little-endian
void pmon_pq_varint(struct pq_bytes *bytes, uint64_t number);
void pmon_pq_bytes_free(struct pq_bytes *bytes);

// The number of the newest field of a struct, which begins with {0}.
struct pq_fields {
	int last;
};

enum pq_wire {
	PQ_WIRE_TRUE = 1,
	PQ_WIRE_I32 = 5,
	PQ_WIRE_I64 = 6,
	PQ_WIRE_BINARY = 8,
	PQ_WIRE_LIST = 9,
	PQ_WIRE_STRUCT = 12,
};

// The head of a field, in ascending order of ids less than 16 apart. A struct follows with fields of its own and
// pmon_pq_end(); PQ_WIRE_TRUE is complete.
void pmon_pq_field(struct pq_bytes *bytes, struct pq_fields *fields, int id, enum pq_wire wire);
void pmon_pq_i32(struct pq_bytes *bytes, struct pq_fields *fields, int id, int32_t number);
void pmon_pq_i64(struct pq_bytes *bytes, struct pq_fields *fields, int id, int64_t number);
void pmon_pq_binary(struct pq_bytes *bytes, struct pq_fields *fields, int id, const void *from,
		    size_t n);
void pmon_pq_str(struct pq_bytes *bytes, struct pq_fields *fields, int id, const char *text);
void pmon_pq_list(struct pq_bytes *bytes, struct pq_fields *fields, int id, enum pq_wire of,
		  size_t n);
void pmon_pq_end(struct pq_bytes *bytes);

// ---- A column of a row group (chunk.c) --------------------------------------------------------

enum pq_type {
	PQ_INT64 = 2,
	PQ_DOUBLE = 5,
	PQ_TEXT = 6,
};

struct pq_column {
	const char *name;
	enum pq_type type;
	bool is_time; // of PQ_INT64: nanoseconds since 1970, UTC
	bool is_optional;
	bool is_dictionary; // else plain, which is for 8 bytes only
};

// Equal values one after the other, by their number in the dictionary; or levels.
struct pq_run {
	uint32_t number;
	uint32_t n;
};

struct pq_runs {
	struct pq_run *list;
	size_t n;
	size_t cap;
};

// One for all columns, one after the other.
struct pq_chunk {
	const struct pmon_allocator *allocator;
	const struct pq_column *column;
	uint64_t n; // values, with nulls
	uint64_t n_nulls;
	struct pq_runs levels; // 0: null
	struct pq_runs runs;   // of a dictionary
	struct pmon_map map;   // of its entries
	uint64_t seed;         // of their hashes
	struct pq_bytes dictionary;
	size_t *places; // where the entries begin in it; the last is its end
	size_t n_entries;
	size_t places_cap;
	struct pq_bytes plain; // values without a dictionary
	int64_t least;         // of PQ_INT64
	int64_t most;
	struct pq_bytes page;
	struct pq_bytes packed;
	struct pq_bytes head;
	bool failed; // out of memory
};

void pmon_pq_chunk_init(struct pq_chunk *chunk, const struct pmon_allocator *allocator);
void pmon_pq_chunk_free(struct pq_chunk *chunk);

void pmon_pq_chunk_begin(struct pq_chunk *chunk, const struct pq_column *column);
// The next `times` values. PQ_TEXT: the characters; else 8 bytes, little-endian. NULL: null.
void pmon_pq_chunk_add(struct pq_chunk *chunk, const void *value, size_t len, uint32_t times);
// Write the pages, and the column's metadata. *plain_bytes and *file_bytes grow by its size. false: out of memory.
PMON_NODISCARD bool pmon_pq_chunk_end(struct pq_chunk *chunk, struct pmon_outfile *file,
				      struct pq_bytes *metadata, int64_t *plain_bytes,
				      int64_t *file_bytes);

#endif
