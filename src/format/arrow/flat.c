// flat.c - bytes, and FlatBuffers, in which Arrow's metadata is written
// SPDX-License-Identifier: MIT

#include "format/arrow/arrow.h"

#include <string.h>

#include "base/mem.h"

void
pmon_ar_put(struct ar_bytes *bytes, const void *from, size_t n)
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
pmon_ar_le(struct ar_bytes *bytes, uint64_t number, unsigned size)
{
	uint8_t buf[8];

	for (unsigned i = 0; i < size; i++)
		buf[i] = (uint8_t)(number >> (8 * i));
	pmon_ar_put(bytes, buf, size);
}

void
pmon_ar_pad(struct ar_bytes *bytes)
{
	static const uint8_t zeros[8];

	pmon_ar_put(bytes, zeros, (8 - bytes->n % 8) % 8);
}

void
pmon_ar_free(struct ar_bytes *bytes)
{
	pmon_mem_free(bytes->allocator, bytes->list, bytes->cap);
	bytes->list = NULL;
	bytes->n = bytes->cap = 0;
}

// ---- FlatBuffers ------------------------------------------------------------------------------

void
pmon_ar_flat_begin(struct ar_flat *flat, const struct pmon_allocator *allocator)
{
	*flat = (struct ar_flat){.bytes = {.allocator = allocator}, .align = 4};
}

// Put bytes before what is there.
static void
put_before(struct ar_flat *flat, const void *from, size_t n)
{
	const uint8_t *bytes = from;
	size_t at = flat->bytes.n;

	pmon_ar_put(&flat->bytes, from, n);
	for (size_t i = 0; i < n && !flat->bytes.failed; i++)
		flat->bytes.list[at + i] = bytes[n - 1 - i];
}

static void
put_number(struct ar_flat *flat, uint64_t number, unsigned size)
{
	uint8_t buf[8];

	for (unsigned i = 0; i < size; i++)
		buf[i] = (uint8_t)(number >> (8 * i));
	put_before(flat, buf, size);
}

// So that what has this size is aligned after `more` further bytes were put before.
static void
align(struct ar_flat *flat, size_t size, size_t more)
{
	static const uint8_t zeros[8];

	if (size > flat->align)
		flat->align = size;
	put_before(flat, zeros, (size - (flat->bytes.n + more) % size) % size);
}

// A reference is the distance from itself.
static void
put_reference(struct ar_flat *flat, size_t place)
{
	align(flat, 4, 0);
	put_number(flat, flat->bytes.n + 4 - place, 4);
}

size_t
pmon_ar_flat_text(struct ar_flat *flat, const char *text)
{
	size_t len = strlen(text);

	align(flat, 4, len + 1);
	put_before(flat, text, len + 1);
	put_number(flat, len, 4);
	return flat->bytes.n;
}

size_t
pmon_ar_flat_list(struct ar_flat *flat, const size_t *places, size_t n)
{
	align(flat, 4, 4 * n);
	for (size_t i = n; i-- > 0;)
		put_reference(flat, places[i]);
	put_number(flat, n, 4);
	return flat->bytes.n;
}

size_t
pmon_ar_flat_structs(struct ar_flat *flat, const uint8_t *structs, size_t n, size_t size)
{
	align(flat, 4, size * n);
	align(flat, 8, size * n);
	put_before(flat, structs, size * n);
	put_number(flat, n, 4);
	return flat->bytes.n;
}

void
pmon_ar_flat_table(struct ar_flat *flat)
{
	memset(flat->fields, 0, sizeof(flat->fields));
	flat->table = flat->bytes.n;
}

void
pmon_ar_flat_number(struct ar_flat *flat, size_t field, uint64_t number, unsigned size)
{
	align(flat, size, 0);
	put_number(flat, number, size);
	flat->fields[field] = flat->bytes.n;
}

void
pmon_ar_flat_refer(struct ar_flat *flat, size_t field, size_t place)
{
	put_reference(flat, place);
	flat->fields[field] = flat->bytes.n;
}

// The distance to the table of places comes first in a table, which here follows it in front.
size_t
pmon_ar_flat_end(struct ar_flat *flat)
{
	size_t n = AR_FIELDS;
	size_t table;
	size_t distance;

	while (n > 0 && flat->fields[n - 1] == 0)
		n--;
	align(flat, 4, 0);
	put_number(flat, 0, 4);
	table = flat->bytes.n;
	for (size_t i = n; i-- > 0;)
		put_number(flat, flat->fields[i] > 0 ? table - flat->fields[i] : 0, 2);
	put_number(flat, table - flat->table, 2);
	put_number(flat, 2 * (n + 2), 2);
	distance = flat->bytes.n - table;
	for (size_t i = 0; i < 4 && !flat->bytes.failed; i++)
		flat->bytes.list[table - 1 - i] = (uint8_t)(distance >> (8 * i));
	return table;
}

void
pmon_ar_flat_finish(struct ar_flat *flat, size_t root, struct ar_bytes *out)
{
	align(flat, 8, 4);
	put_reference(flat, root);
	for (size_t i = flat->bytes.n; i-- > 0 && !flat->bytes.failed;)
		pmon_ar_put(out, &flat->bytes.list[i], 1);
	out->failed |= flat->bytes.failed;
	pmon_ar_free(&flat->bytes);
}
