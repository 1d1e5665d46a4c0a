// mutate.c - mutate the structure of logs, for fuzz targets
// SPDX-License-Identifier: MIT

#include "mutate.h"

#include <stdlib.h>
#include <string.h>

size_t
mutate_random(struct mutate *m, size_t below)
{
	// splitmix64
	uint64_t x = m->state += UINT64_C(0x9E3779B97F4A7C15);

	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	return below > 0 ? (size_t)((x ^ x >> 31) % below) : 0;
}

uint64_t
mutate_get(const struct mutate *m, size_t at, size_t width)
{
	uint64_t value = 0;

	for (size_t i = 0; i < width && at + i < m->size; i++)
		value |= (uint64_t)m->data[at + i] << 8 * i;
	return value;
}

void
mutate_put(struct mutate *m, size_t at, size_t width, uint64_t value)
{
	for (size_t i = 0; i < width && at + i < m->size; i++)
		m->data[at + i] = (uint8_t)(value >> 8 * i);
}

bool
mutate_field(struct mutate *m, size_t at, size_t width)
{
	static const uint64_t ends[] = {
		0,          1,          2,         0x7F,       0x80,       0xFF,
		0x7FFF,     0x8000,     0xFFFF,    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
		1ULL << 53, 1ULL << 62, INT64_MAX, 1ULL << 63, UINT64_MAX,
	};
	uint64_t now = mutate_get(m, at, width);

	if (at > m->size || m->size - at < width)
		return false;
	switch (mutate_random(m, 6)) {
	case 0:
		now = ends[mutate_random(m, sizeof(ends) / sizeof(ends[0]))];
		break;
	case 1:
		now += 1 + mutate_random(m, 16);
		break;
	case 2:
		now -= 1 + mutate_random(m, 16);
		break;
	case 3:
		now = mutate_random(m, 2) ? now * 2 : now / 2;
		break;
	case 4:
		now ^= UINT64_C(1) << mutate_random(m, 8 * width);
		break;
	default:
		now = mutate_random(m, m->size + 1);
	}
	mutate_put(m, at, width, now);
	return true;
}

bool
mutate_remove(struct mutate *m, size_t at, size_t n)
{
	if (n == 0 || at > m->size || m->size - at < n)
		return false;
	memmove(m->data + at, m->data + at + n, m->size - at - n);
	m->size -= n;
	return true;
}

bool
mutate_insert(struct mutate *m, size_t at, const void *bytes, size_t n)
{
	if (n == 0 || at > m->size || m->max - m->size < n)
		return false;
	memmove(m->data + at + n, m->data + at, m->size - at);
	memcpy(m->data + at, bytes, n);
	m->size += n;
	return true;
}

bool
mutate_copy(struct mutate *m, size_t from, size_t n, size_t to)
{
	uint8_t *copy;
	bool is_done;

	if (n == 0 || from > m->size || m->size - from < n)
		return false;
	copy = malloc(n);
	if (copy == NULL)
		return false;
	memcpy(copy, m->data + from, n);
	is_done = mutate_insert(m, to, copy, n);
	free(copy);
	return is_done;
}

bool
mutate_fill(struct mutate *m, size_t at, size_t n, uint8_t byte)
{
	if (at >= m->size)
		return false;
	memset(m->data + at, byte, n < m->size - at ? n : m->size - at);
	return true;
}

// ---- Blocks of words ------------------------------------------------------------------------

// A word that is small compared with its block is usually a length, an offset or a count.
bool
mutate_offsets(struct mutate *m)
{
	for (int tries = 0; m->size >= 4 && tries < 64; tries++) {
		size_t at = mutate_random(m, m->size / 4) * 4;

		if (mutate_get(m, at, 4) <= m->size)
			return mutate_field(m, at, mutate_random(m, 4) > 0 ? 4 : 8);
	}
	return false;
}

// ---- By format ------------------------------------------------------------------------------

static bool
begins_with(const struct mutate *m, const void *bytes, size_t n)
{
	return m->size >= n && memcmp(m->data, bytes, n) == 0;
}

static bool
mutate_any(struct mutate *m)
{
	size_t at = mutate_random(m, m->size);

	switch (mutate_random(m, 5)) {
	case 0:
		return mutate_fill(m, at / 512 * 512, 512, 0);
	case 1:
		return mutate_fill(m, at, 64, 0);
	case 2:
		return mutate_remove(m, at, m->size - at);
	case 3:
		return mutate_remove(m, at, mutate_random(m, m->size - at) / 8);
	default:
		return mutate_field(m, at, (size_t)1 << mutate_random(m, 4));
	}
}

bool
mutate_log(struct mutate *m)
{
	if (m->size == 0)
		return false;
	if (mutate_random(m, 8) == 0)
		return mutate_any(m);
	if (begins_with(m, "SQLite format 3", 16))
		return mutate_sqlite(m) || mutate_any(m);
	if (begins_with(m, "P\0E\0R\0F", 8) || begins_with(m, "\0P\0E\0R\0F", 8))
		return mutate_offsets(m);
	if (m->size > 0x100 && m->data[0x4B] == 0xC0)
		return mutate_blg(m) || mutate_offsets(m);
	return mutate_lines(m) || mutate_any(m);
}
