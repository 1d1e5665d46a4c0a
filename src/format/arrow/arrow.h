// arrow.h - the parts of the writer of Arrow's IPC format
// SPDX-License-Identifier: MIT
//
// Written from the specification, https://arrow.apache.org/docs/format/Columnar.html, Message.fbs, Schema.fbs and File.fbs
// of apache/arrow, and https://flatbuffers.dev/internals. docs/reference/formats/arrow.md says which part of it this is.

#ifndef PMON_FORMAT_ARROW_H
#define PMON_FORMAT_ARROW_H

#include <pmon/base.h>

// A growing buffer. Lack of memory is sticky, and checked at the end.
struct ar_bytes {
	const struct pmon_allocator *allocator;
	uint8_t *list;
	size_t n;
	size_t cap;
	bool failed;
};

void pmon_ar_put(struct ar_bytes *bytes, const void *from, size_t n);
void pmon_ar_le(struct ar_bytes *bytes, uint64_t number, unsigned size); // little-endian
void pmon_ar_pad(struct ar_bytes *bytes);                                // to a multiple of 8
void pmon_ar_free(struct ar_bytes *bytes);

// ---- FlatBuffers (flat.c) ---------------------------------------------------------------------
//
// A buffer is written from its end to its beginning: what a table refers to comes before it. Places count from the end.

#define AR_FIELDS 8 // of a table

struct ar_flat {
	struct ar_bytes bytes; // reversed
	size_t fields[AR_FIELDS];
	size_t table; // where it begins
	size_t align; // the largest so far
};

void pmon_ar_flat_begin(struct ar_flat *flat, const struct pmon_allocator *allocator);

// Each returns the place of what was written.
size_t pmon_ar_flat_text(struct ar_flat *flat, const char *text);
// places of tables or texts; a vector of references
size_t pmon_ar_flat_list(struct ar_flat *flat, const size_t *places, size_t n);
// structs of this size, a multiple of 8, whose bytes are little-endian
size_t pmon_ar_flat_structs(struct ar_flat *flat, const uint8_t *structs, size_t n, size_t size);

// A table: its fields, in any order, and nothing else in between.
void pmon_ar_flat_table(struct ar_flat *flat);
void pmon_ar_flat_number(struct ar_flat *flat, size_t field, uint64_t number, unsigned size);
void pmon_ar_flat_refer(struct ar_flat *flat, size_t field, size_t place);
size_t pmon_ar_flat_end(struct ar_flat *flat);

// Append the complete buffer, whose root is at this place, to `out`; its length is a multiple of 8. Frees it.
void pmon_ar_flat_finish(struct ar_flat *flat, size_t root, struct ar_bytes *out);

#endif
