// titles.c - names by title index: the name tables of machines
// SPDX-License-Identifier: MIT

#include "model/titles.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/scan.h"
#include "base/text.h"
#include "base/utf.h"
#include "model/english.h"
#include "model/schema.h"
#include "path/wellknown.h"

struct pmon_title {
	uint32_t table;
	uint32_t index;
	struct pmon_span name;
};

void
pmon_titles_init(struct pmon_titles *titles, const struct pmon_allocator *allocator)
{
	allocator = pmon_mem_allocator(allocator);
	*titles = (struct pmon_titles){.allocator = allocator, .seed = pmon_hash_seed()};
	pmon_arena_init(&titles->arena, allocator);
}

void
pmon_titles_free(struct pmon_titles *titles)
{
	pmon_mem_free(titles->allocator, titles->list, titles->cap * sizeof(*titles->list));
	pmon_map_free(&titles->map, titles->allocator);
	pmon_arena_free(&titles->arena);
	pmon_titles_init(titles, titles->allocator);
}

bool
pmon_title_string(struct pmon_rd *r, struct pmon_title_string *out)
{
	out->ptr = r->base + pmon_rd_pos(r);
	if (!pmon_utf16_length(out->ptr, pmon_rd_left(r), &out->len))
		return false;
	pmon_rd_skip(r, out->len + 2);
	return true;
}

// Accepts only decimal digits.
static bool
read_index(const struct pmon_title_string *text, uint32_t *out)
{
	uint64_t n = 0;

	for (size_t i = 0; i < text->len; i += 2) {
		if (!pmon_is_digit((char)text->ptr[i]) || text->ptr[i + 1] != 0)
			return false;
		n = n * 10 + (uint64_t)(text->ptr[i] - '0');
		if (n > UINT32_MAX)
			return false;
	}
	*out = (uint32_t)n;
	return text->len > 0;
}

static uint64_t
hash_of(const struct pmon_titles *titles, uint32_t table, uint32_t index)
{
	return pmon_map_mix(pmon_map_mix(titles->seed, table), index);
}

struct pmon_span
pmon_titles_find(const struct pmon_titles *titles, uint32_t table, uint32_t index)
{
	uint64_t hash = hash_of(titles, table, index);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&titles->map, hash, &at)) != PMON_MAP_NONE)
		if (titles->list[i].table == table && titles->list[i].index == index)
			return titles->list[i].name;
	return (struct pmon_span){NULL, 0};
}

static bool
add_title(struct pmon_titles *titles, uint32_t table, uint32_t index,
	  const struct pmon_title_string *name)
{
	struct pmon_title *title;
	char *text;

	if (pmon_titles_find(titles, table, index).ptr != NULL)
		return true;
	text = pmon_arena_alloc(&titles->arena, pmon_utf16_bound(name->len) + 1);
	if (text == NULL ||
	    !pmon_mem_grow(titles->allocator, &titles->list, &titles->cap, titles->n + 1,
			   sizeof(*titles->list)) ||
	    !pmon_map_put(&titles->map, titles->allocator, hash_of(titles, table, index),
			  (uint32_t)titles->n))
		return false;
	title = &titles->list[titles->n++];
	title->table = table;
	title->index = index;
	title->name.ptr = text;
	title->name.len = pmon_utf16_to_utf8(name->ptr, name->len, text);
	return true;
}

enum pmon_status
pmon_titles_next(struct pmon_titles *titles, uint32_t table, struct pmon_rd *r, size_t max_name)
{
	struct pmon_title_string text, name;
	uint32_t index;

	if (!pmon_title_string(r, &text) || text.len == 0)
		return PMON_END;
	if (!read_index(&text, &index) || !pmon_title_string(r, &name) || name.len == 0 ||
	    name.len > max_name)
		return PMON_E_FORMAT;
	return add_title(titles, table, index, &name) ? PMON_OK : PMON_E_NOMEM;
}

// Are there more texts after the end of a table? A registry value may be padded with zeros.
static bool
has_more(const struct pmon_rd *r)
{
	const uint8_t *rest = r->base + pmon_rd_pos(r);

	for (size_t i = 0; i + 1 < pmon_rd_left(r); i += 2)
		if (rest[i] != 0 || rest[i + 1] != 0)
			return true;
	return false;
}

static enum pmon_status
add_pairs(struct pmon_titles *titles, struct pmon_rd *r, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	uint64_t at = 0;

	while (status == PMON_OK) {
		at = pmon_rd_offset(r);
		status = pmon_titles_next(titles, 0, r, SIZE_MAX);
	}
	if (status == PMON_E_NOMEM)
		return pmon_err_nomem(err);
	if (status == PMON_E_FORMAT)
		return pmon_err_set(
			err, PMON_E_FORMAT, at,
			"not a table of counter names: it does not begin with an index and a name");
	if (has_more(r))
		return pmon_err_set(err, PMON_E_FORMAT, at,
				    "the table of counter names ends before its last name");
	return PMON_OK;
}

// A table begins with a digit, so UTF-16BE begins with a zero byte.
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
	if (status == PMON_OK && titles->n == 0)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "the table of counter names is empty");
	return status;
}

// No other program with title indexes has as many of the well-known ones.
#define WINDOWS_TITLES 200
#define PROCESSOR      238

bool
pmon_titles_translate(const struct pmon_titles *titles, struct pmon_schema *schema)
{
	size_t n = 0;

	for (size_t i = schema->titles_taken; i < titles->n; i++)
		n += pmon_wellknown_title(titles->list[i].index).ptr != NULL;
	if (n + schema->titles_known < WINDOWS_TITLES)
		return true;
	schema->titles_known += n;
	for (; schema->titles_taken < titles->n; schema->titles_taken++) {
		const struct pmon_title *title = &titles->list[schema->titles_taken];
		struct pmon_span english = pmon_wellknown_title(title->index);
		struct pmon_span processor = pmon_titles_find(titles, title->table, PROCESSOR);

		if (english.ptr != NULL && processor.ptr != NULL &&
		    !pmon_text_same(processor, pmon_wellknown_title(PROCESSOR)) &&
		    !pmon_text_same(english, title->name) &&
		    !pmon_names_add_title(&schema->names, schema->allocator, english, title->name))
			return false;
	}
	return true;
}

bool
pmon_titles_at(const struct pmon_titles *titles, size_t i, uint32_t *index_out,
	       struct pmon_span *name_out)
{
	if (i >= titles->n)
		return false;
	*index_out = titles->list[i].index;
	*name_out = titles->list[i].name;
	return true;
}

struct pmon_span
pmon_title_number(uint32_t index, char buf[PMON_TITLE_SIZE])
{
	struct pmon_text t = pmon_text_init(buf, PMON_TITLE_SIZE);

	pmon_text_char(&t, '#');
	pmon_text_u64(&t, index);
	return (struct pmon_span){buf, t.len};
}
