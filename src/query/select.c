// select.c - a set of patterns that says which series are wanted
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "model/english.h"
#include "query/names.h"

struct entry {
	struct pmon_span text;
	struct pmon_path pattern;
	uint64_t hits;
};

struct pmon_select {
	const struct pmon_allocator *allocator;
	struct pmon_arena arena;
	struct entry *entries;
	size_t n;
	size_t cap;
	struct pmon_names *names; // that the user added, or NULL
};

enum pmon_status
pmon_select_new(const struct pmon_allocator *allocator, struct pmon_select **out,
		struct pmon_err *err)
{
	allocator = pmon_mem_allocator(allocator);
	*out = pmon_mem_alloc0(allocator, sizeof(**out));
	if (*out == NULL)
		return pmon_err_nomem(err);
	(*out)->allocator = allocator;
	pmon_arena_init(&(*out)->arena, allocator);
	return PMON_OK;
}

void
pmon_select_free(struct pmon_select *select)
{
	if (select == NULL)
		return;
	pmon_arena_free(&select->arena);
	pmon_names_free(select->names);
	pmon_mem_free(select->allocator, select->entries, select->cap * sizeof(*select->entries));
	pmon_mem_free(select->allocator, select, sizeof(*select));
}

enum pmon_status
pmon_select_add(struct pmon_select *select, struct pmon_span pattern, struct pmon_err *err)
{
	struct entry entry = {.hits = 0};
	struct pmon_path_error why;

	if (!pmon_arena_copy(&select->arena, pattern, &entry.text))
		return pmon_err_nomem(err);
	if (!pmon_pattern_parse(entry.text, &entry.pattern, &why))
		return pmon_err_set(err, PMON_E_ARG, why.at, "%s (at character %zu of \"%.*s\")",
				    why.text, why.at + 1, (int)pattern.len, pattern.ptr);
	if (!pmon_mem_grow(select->allocator, &select->entries, &select->cap, select->n + 1,
			   sizeof(*select->entries)))
		return pmon_err_nomem(err);
	select->entries[select->n++] = entry;
	return PMON_OK;
}

// Does the pattern match the path by its own names or by English ones, of which there are english->n?
static bool
matches(const struct pmon_path *pattern, const struct pmon_path *path,
	const struct pmon_english *english)
{
	if (pmon_path_match(pattern, path))
		return true;
	for (size_t i = 0; i < english->n; i++) {
		struct pmon_path translated = pmon_english_path(path, english, i);

		if (pmon_path_match(pattern, &translated))
			return true;
	}
	return false;
}

static struct pmon_english
english_of(const struct pmon_select *select, const struct pmon_path *path)
{
	struct pmon_english english = {.n = 0};

	if (select->n == 0 || !pmon_english_of(select->names, path, &english))
		english.n = 0;
	return english;
}

enum pmon_status
pmon_select_add_names(struct pmon_select *select, const char *path, struct pmon_err *err)
{
	return pmon_names_open(path, select->allocator, &select->names, err);
}

bool
pmon_select_want(void *ctx, const struct pmon_path *path)
{
	struct pmon_select *select = ctx;
	struct pmon_english english = english_of(select, path);
	bool wanted = select->n == 0;

	// Every pattern is tried, so that each knows whether it matched anything.
	for (size_t i = 0; i < select->n; i++) {
		if (matches(&select->entries[i].pattern, path, &english)) {
			select->entries[i].hits++;
			wanted = true;
		}
	}
	return wanted;
}

bool
pmon_select_matches(const struct pmon_select *select, const struct pmon_path *path)
{
	struct pmon_english english = english_of(select, path);

	for (size_t i = 0; i < select->n; i++)
		if (matches(&select->entries[i].pattern, path, &english))
			return true;
	return select->n == 0;
}

bool
pmon_select_shows(const struct pmon_select *select, const struct pmon_series *series)
{
	if (series->ambiguous)
		return pmon_select_matches(select, &series->path);
	for (size_t i = 0; i < select->n; i++)
		if (pmon_series_match(&select->entries[i].pattern, series))
			return true;
	return select->n == 0;
}

bool
pmon_select_could(const struct pmon_select *select, struct pmon_span object,
		  struct pmon_span counter)
{
	for (size_t i = 0; i < select->n; i++)
		if (pmon_text_match(select->entries[i].pattern.object, object) &&
		    pmon_text_match(select->entries[i].pattern.counter, counter))
			return true;
	return select->n == 0;
}

bool
pmon_select_names(const struct pmon_select *select, struct pmon_span object)
{
	for (size_t i = 0; i < select->n; i++)
		if (pmon_text_same(select->entries[i].pattern.object, object))
			return true;
	return false;
}

size_t
pmon_select_count(const struct pmon_select *select)
{
	return select->n;
}

const char *
pmon_select_pattern(const struct pmon_select *select, size_t i)
{
	return select->entries[i].text.ptr;
}

uint64_t
pmon_select_hits(const struct pmon_select *select, size_t i)
{
	return select->entries[i].hits;
}
