// thrift.c - bytes, and Thrift's compact protocol, in which Parquet's metadata is written
// SPDX-License-Identifier: MIT
//
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

#include "format/parquet/parquet.h"

#include <string.h>

#include "base/mem.h"

#define SHORT_LIST 15 // elements; longer lists have their length in bytes of its own

void
pmon_pq_put(struct pq_bytes *bytes, const void *from, size_t n)
{
	if (bytes->failed ||
	    !pmon_mem_grow(bytes->allocator, &bytes->list, &bytes->cap, bytes->n + n, 1)) {
		bytes->failed = true;
		return;
	}
	if (n > 0)
		memcpy(bytes->list + bytes->n, from, n);
	bytes->n += n;
}

void
pmon_pq_byte(struct pq_bytes *bytes, unsigned byte)
{
	const uint8_t one = (uint8_t)byte;

	pmon_pq_put(bytes, &one, 1);
}

void
pmon_pq_le(struct pq_bytes *bytes, uint64_t number, unsigned size)
{
	uint8_t buf[8];

	for (unsigned i = 0; i < size; i++)
		buf[i] = (uint8_t)(number >> (8 * i));
	pmon_pq_put(bytes, buf, size);
}

void
pmon_pq_varint(struct pq_bytes *bytes, uint64_t number)
{
	for (; number >= 128; number >>= 7)
		pmon_pq_byte(bytes, (unsigned)(number & 127) | 128);
	pmon_pq_byte(bytes, (unsigned)number);
}

void
pmon_pq_bytes_free(struct pq_bytes *bytes)
{
	if (bytes->allocator != NULL)
		pmon_mem_free(bytes->allocator, bytes->list, bytes->cap);
}

static void
put_zigzag(struct pq_bytes *bytes, int64_t number)
{
	uint64_t sign = number < 0 ? UINT64_MAX : 0;

	pmon_pq_varint(bytes, ((uint64_t)number << 1) ^ sign);
}

void
pmon_pq_field(struct pq_bytes *bytes, struct pq_fields *fields, int id, enum pq_wire wire)
{
	pmon_pq_byte(bytes, (unsigned)(id - fields->last) << 4 | (unsigned)wire);
	fields->last = id;
}

void
pmon_pq_i32(struct pq_bytes *bytes, struct pq_fields *fields, int id, int32_t number)
{
	pmon_pq_field(bytes, fields, id, PQ_WIRE_I32);
	put_zigzag(bytes, number);
}

void
pmon_pq_i64(struct pq_bytes *bytes, struct pq_fields *fields, int id, int64_t number)
{
	pmon_pq_field(bytes, fields, id, PQ_WIRE_I64);
	put_zigzag(bytes, number);
}

void
pmon_pq_binary(struct pq_bytes *bytes, struct pq_fields *fields, int id, const void *from, size_t n)
{
	pmon_pq_field(bytes, fields, id, PQ_WIRE_BINARY);
	pmon_pq_varint(bytes, n);
	pmon_pq_put(bytes, from, n);
}

void
pmon_pq_str(struct pq_bytes *bytes, struct pq_fields *fields, int id, const char *text)
{
	pmon_pq_binary(bytes, fields, id, text, strlen(text));
}

void
pmon_pq_list(struct pq_bytes *bytes, struct pq_fields *fields, int id, enum pq_wire of, size_t n)
{
	pmon_pq_field(bytes, fields, id, PQ_WIRE_LIST);
	pmon_pq_byte(bytes, (unsigned)(n < SHORT_LIST ? n : SHORT_LIST) << 4 | (unsigned)of);
	if (n >= SHORT_LIST)
		pmon_pq_varint(bytes, n);
}

void
pmon_pq_end(struct pq_bytes *bytes)
{
	pmon_pq_byte(bytes, 0);
}
