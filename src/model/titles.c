// titles.c - names by title index: a machine's own table
// SPDX-License-Identifier: MIT

#include "model/titles.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rd.h"
#include "base/text.h"
#include "base/utf.h"

struct pmon_title {
	uint32_t index;
	uint32_t position; // in the table
	struct pmon_span name;
};

void
pmon_titles_init(struct pmon_titles *titles, const struct pmon_allocator *allocator)
{
	allocator = pmon_mem_allocator(allocator);
	*titles = (struct pmon_titles){.allocator = allocator};
	pmon_arena_init(&titles->arena, allocator);
}

void
pmon_titles_free(struct pmon_titles *titles)
{
	pmon_mem_free(titles->allocator, titles->list, titles->cap * sizeof(*titles->list));
	pmon_arena_free(&titles->arena);
	pmon_titles_init(titles, titles->allocator);
}

// A NUL-terminated string of the table: bytes in UTF-16LE.
struct string {
	const uint8_t *ptr;
	size_t len;
};

static bool
next_string(struct pmon_rd *r, struct string *out)
{
	out->ptr = r->base + pmon_rd_pos(r);
	if (!pmon_utf16_length(out->ptr, pmon_rd_left(r), &out->len))
		return false;
	pmon_rd_skip(r, out->len + 2);
	return true;
}

bool
pmon_title_index(const uint8_t *utf16, size_t len, uint32_t *out)
{
	uint64_t n = 0;

	for (size_t i = 0; i < len; i += 2) {
		if (utf16[i] < '0' || utf16[i] > '9' || utf16[i + 1] != 0)
			return false;
		n = n * 10 + (uint64_t)(utf16[i] - '0');
		if (n > UINT32_MAX)
			return false;
	}
	*out = (uint32_t)n;
	return len > 0;
}

static bool
add_title(struct pmon_titles *titles, uint32_t index, const struct string *name)
{
	struct pmon_title *title;
	char *text = pmon_arena_alloc(&titles->arena, pmon_utf16_bound(name->len) + 1);

	if (text == NULL || !pmon_mem_grow(titles->allocator, &titles->list, &titles->cap,
					   titles->n + 1, sizeof(*titles->list)))
		return false;
	title = &titles->list[titles->n];
	title->index = index;
	title->position = (uint32_t)titles->n;
	title->name.ptr = text;
	title->name.len = pmon_utf16_to_utf8(name->ptr, name->len, text);
	titles->n++;
	return true;
}

static enum pmon_status
add_pairs(struct pmon_titles *titles, struct pmon_rd *r, struct pmon_err *err)
{
	struct string text, name;
	uint32_t index;

	while (pmon_rd_left(r) >= 2) {
		uint64_t at = pmon_rd_offset(r);

		if (!next_string(r, &text))
			return pmon_err_set(err, PMON_E_FORMAT, at,
					    "the table of counter names is cut off");
		if (text.len == 0)
			break;
		if (!pmon_title_index(text.ptr, text.len, &index) || !next_string(r, &name))
			return pmon_err_set(err, PMON_E_FORMAT, at,
					    "not a table of counter names: no index and name");
		if (!add_title(titles, index, &name))
			return pmon_err_nomem(err);
	}
	return PMON_OK;
}

static int
by_index(const void *a, const void *b)
{
	const struct pmon_title *x = a;
	const struct pmon_title *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return x->position < y->position ? -1 : x->position > y->position;
}

// Bytes in UTF-16BE begin with a zero, as the table begins with a digit.
static uint8_t *
swapped(struct pmon_titles *titles, const uint8_t *bytes, size_t len)
{
	uint8_t *copy = pmon_arena_alloc(&titles->arena, len);

	for (size_t i = 0; copy != NULL && i + 1 < len; i += 2) {
		copy[i] = bytes[i + 1];
		copy[i + 1] = bytes[i];
	}
	return copy;
}

enum pmon_status
pmon_titles_load(struct pmon_titles *titles, const void *bytes, size_t len, struct pmon_err *err)
{
	const uint8_t *p = bytes;
	struct pmon_rd r;
	enum pmon_status status;

	if (len >= 2 && (p[0] == 0 || p[0] == 0xFE)) {
		p = swapped(titles, p, len);
		if (p == NULL)
			return pmon_err_nomem(err);
	}
	r = pmon_rd_init(p, len, 0);
	if (len >= 2 && p[0] == 0xFF && p[1] == 0xFE)
		pmon_rd_skip(&r, 2);
	status = add_pairs(titles, &r, err);
	if (titles->n > 1)
		qsort(titles->list, titles->n, sizeof(*titles->list), by_index);
	if (status == PMON_OK && titles->n == 0)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "the table of counter names is empty");
	return status;
}

struct pmon_span
pmon_titles_find(const struct pmon_titles *titles, uint32_t index)
{
	size_t first = 0;
	size_t end = titles->n;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (titles->list[middle].index < index)
			first = middle + 1;
		else
			end = middle;
	}
	if (first < titles->n && titles->list[first].index == index)
		return titles->list[first].name;
	return (struct pmon_span){NULL, 0};
}

struct pmon_span
pmon_title_number(uint32_t index, char buf[PMON_TITLE_SIZE])
{
	struct pmon_text t = pmon_text_init(buf, PMON_TITLE_SIZE);

	pmon_text_char(&t, '#');
	pmon_text_u64(&t, index);
	return (struct pmon_span){buf, t.len};
}
