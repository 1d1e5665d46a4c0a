// block.c - encode the values of a block: field by field, constants only once
// SPDX-License-Identifier: MIT

#include "web/block.h"

#include <string.h>

static uint8_t
flags_of(const struct store_samples *samples, const struct store_value *v, size_t n)
{
	uint8_t flags = BLOCK_NO_SECOND | BLOCK_SAMPLE_TIME | BLOCK_ONE_STATUS | BLOCK_ONE_MULTI |
			BLOCK_IN_ROW;

	for (size_t i = 0; i < n; i++) {
		if (v[i].raw.second != 0)
			flags &= (uint8_t)~BLOCK_NO_SECOND;
		if (v[i].raw.time != store_samples_at(samples, v[i].at)->time)
			flags &= (uint8_t)~BLOCK_SAMPLE_TIME;
		if (v[i].raw.status != v[0].raw.status)
			flags &= (uint8_t)~BLOCK_ONE_STATUS;
		if (v[i].raw.multi != v[0].raw.multi)
			flags &= (uint8_t)~BLOCK_ONE_MULTI;
		if (v[i].at != v[0].at + i)
			flags &= (uint8_t)~BLOCK_IN_ROW;
	}
	return flags;
}

// The number of values that a block stores for a field.
static size_t
count(uint8_t flags, uint8_t flag, size_t when_set, size_t n)
{
	return flags & flag ? when_set : n;
}

// Copy one field of n values to the bytes, or back. The field is `offset` bytes into a value.
static uint8_t *
put_field(uint8_t *bytes, const struct store_value *v, size_t offset, size_t size, size_t n)
{
	for (size_t i = 0; i < n; i++, bytes += size)
		memcpy(bytes, (const uint8_t *)&v[i] + offset, size);
	return bytes;
}

static const uint8_t *
get_field(const uint8_t *bytes, struct store_value *v, size_t offset, size_t size, size_t n)
{
	for (size_t i = 0; i < n; i++, bytes += size)
		memcpy((uint8_t *)&v[i] + offset, bytes, size);
	return bytes;
}

#define FIELD(name) offsetof(struct store_value, name), sizeof(((struct store_value *)0)->name)

size_t
block_encode(const struct store_samples *samples, const struct store_value *values, size_t n,
	     uint8_t *bytes, uint8_t *flags)
{
	uint8_t *end = bytes;
	uint8_t f = flags_of(samples, values, n);

	end = put_field(end, values, FIELD(raw.first), n);
	end = put_field(end, values, FIELD(raw.second), count(f, BLOCK_NO_SECOND, 0, n));
	end = put_field(end, values, FIELD(raw.time), count(f, BLOCK_SAMPLE_TIME, 0, n));
	end = put_field(end, values, FIELD(raw.status), count(f, BLOCK_ONE_STATUS, 1, n));
	end = put_field(end, values, FIELD(raw.multi), count(f, BLOCK_ONE_MULTI, 1, n));
	end = put_field(end, values, FIELD(at), count(f, BLOCK_IN_ROW, 0, n));
	*flags = f;
	return (size_t)(end - bytes);
}

static size_t
length(uint8_t flags, size_t n)
{
	return sizeof(int64_t) * (n + count(flags, BLOCK_NO_SECOND, 0, n) +
				  count(flags, BLOCK_SAMPLE_TIME, 0, n)) +
	       sizeof(uint32_t) *
		       (count(flags, BLOCK_ONE_STATUS, 1, n) + count(flags, BLOCK_ONE_MULTI, 1, n) +
			count(flags, BLOCK_IN_ROW, 0, n));
}

// Restore the omitted fields.
static void
fill_in(const struct store_samples *samples, uint8_t flags, uint32_t first_at,
	struct store_value *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (flags & BLOCK_IN_ROW)
			v[i].at = first_at + (uint32_t)i;
		if (flags & BLOCK_NO_SECOND)
			v[i].raw.second = 0;
		if (flags & BLOCK_SAMPLE_TIME)
			v[i].raw.time = store_samples_at(samples, v[i].at)->time;
		if (flags & BLOCK_ONE_STATUS)
			v[i].raw.status = v[0].raw.status;
		if (flags & BLOCK_ONE_MULTI)
			v[i].raw.multi = v[0].raw.multi;
	}
}

bool
block_decode(const struct store_samples *samples, const uint8_t *bytes, size_t len, uint8_t flags,
	     uint32_t first_at, struct store_value *values, size_t n)
{
	if (len < length(flags, n))
		return false;
	bytes = get_field(bytes, values, FIELD(raw.first), n);
	bytes = get_field(bytes, values, FIELD(raw.second), count(flags, BLOCK_NO_SECOND, 0, n));
	bytes = get_field(bytes, values, FIELD(raw.time), count(flags, BLOCK_SAMPLE_TIME, 0, n));
	bytes = get_field(bytes, values, FIELD(raw.status), count(flags, BLOCK_ONE_STATUS, 1, n));
	bytes = get_field(bytes, values, FIELD(raw.multi), count(flags, BLOCK_ONE_MULTI, 1, n));
	(void)get_field(bytes, values, FIELD(at), count(flags, BLOCK_IN_ROW, 0, n));
	fill_in(samples, flags, first_at, values, n);
	return true;
}
