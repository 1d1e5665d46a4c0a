// select.c - a set of patterns that selects series
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "model/english.h"
#include "path/words.h"
#include "query/names.h"
#include "query/select.h"

struct entry {
	struct pmon_span text;
	struct pmon_path pattern;
	uint64_t hits;
	uint64_t left_out;
	uint64_t looked; // number of the newest path that was compared with it
};

struct pmon_select {
	const struct pmon_allocator *allocator;
	struct pmon_arena arena;
	struct entry *entries;
	size_t n;
	size_t cap;
	// Patterns whose counter is a name, by it; and the others. A path is compared with those that may match it.
	struct pmon_map by_counter;
	uint32_t *others;
	size_t n_others;
	size_t others_cap;
	uint64_t looks;           // paths that were compared
	struct pmon_names *names; // added by the user, or NULL
	// hashes of the excluded paths, because logs may repeat paths
	struct pmon_map left;
	uint64_t *hashes;
	size_t n_left;
	size_t hashes_cap;
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
	pmon_map_free(&select->left, select->allocator);
	pmon_map_free(&select->by_counter, select->allocator);
	pmon_mem_free(select->allocator, select->others,
		      select->others_cap * sizeof(*select->others));
	pmon_mem_free(select->allocator, select->hashes,
		      select->hashes_cap * sizeof(*select->hashes));
	pmon_names_free(select->names);
	pmon_mem_free(select->allocator, select->entries, select->cap * sizeof(*select->entries));
	pmon_mem_free(select->allocator, select, sizeof(*select));
}

static bool
is_name(struct pmon_span text)
{
	return text.len > 0 && memchr(text.ptr, '*', text.len) == NULL &&
	       memchr(text.ptr, '?', text.len) == NULL;
}

// Index the entry that comes next. False if out of memory.
static bool
index_entry(struct pmon_select *select, const struct pmon_path *pattern)
{
	if (!pmon_path_is_words(pattern) && is_name(pattern->counter))
		return pmon_map_put(&select->by_counter, select->allocator,
				    pmon_map_mix_name(0, pattern->counter), (uint32_t)select->n);
	if (!pmon_mem_grow(select->allocator, &select->others, &select->others_cap,
			   select->n_others + 1, sizeof(*select->others)))
		return false;
	select->others[select->n_others++] = (uint32_t)select->n;
	return true;
}

enum pmon_status
pmon_select_add(struct pmon_select *select, struct pmon_span pattern, struct pmon_err *err)
{
	struct entry entry = {.hits = 0};
	struct pmon_path_error why;

	if (!pmon_arena_copy(&select->arena, pattern, &entry.text))
		return pmon_err_nomem(err);
	if (!pmon_search_parse(entry.text, &entry.pattern, &why))
		return pmon_err_set(err, PMON_E_ARG, why.at, "%s (at character %zu of \"%.*s\")",
				    why.text, why.at + 1, (int)pattern.len, pattern.ptr);
	if (!pmon_mem_grow(select->allocator, &select->entries, &select->cap, select->n + 1,
			   sizeof(*select->entries)) ||
	    !index_entry(select, &entry.pattern))
		return pmon_err_nomem(err);
	select->entries[select->n++] = entry;
	return PMON_OK;
}

static bool
words_match(const struct pmon_path *words, const struct pmon_path *path,
	    const struct pmon_english *english)
{
	struct pmon_path names[1 + PMON_ENGLISH_MOST] = {*path};

	for (size_t i = 0; i < english->n; i++)
		names[1 + i] = pmon_english_path(path, english, i);
	return pmon_words_match(words->counter, names, 1 + english->n);
}

// Whether the pattern matches the path with its own names, or with one of the english->n English
// ones.
static bool
matches(const struct pmon_path *pattern, const struct pmon_path *path,
	const struct pmon_english *english)
{
	if (pmon_path_is_words(pattern))
		return words_match(pattern, path, english);
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

// The patterns that may match a path. An entry may come twice, for two names of a counter.
struct candidates {
	size_t other;  // the next of select->others
	size_t name;   // of the counter: its own, and English ones
	uint64_t hash; // of that name
	size_t at;     // in the map
};

static struct pmon_span
name_of(const struct pmon_path *path, const struct pmon_english *english, size_t i)
{
	return i == 0 ? path->counter : pmon_english_path(path, english, i - 1).counter;
}

static bool
next_candidate(const struct pmon_select *select, const struct pmon_path *path,
	       const struct pmon_english *english, struct candidates *c, uint32_t *entry)
{
	if (c->other < select->n_others) {
		*entry = select->others[c->other++];
		return true;
	}
	while (c->name < 1 + english->n) {
		if (c->at == 0)
			c->hash = pmon_map_mix_name(0, name_of(path, english, c->name));
		*entry = pmon_map_next(&select->by_counter, c->hash, &c->at);
		if (*entry != PMON_MAP_NONE)
			return true;
		c->name++;
		c->at = 0;
	}
	return false;
}

enum pmon_status
pmon_select_add_names(struct pmon_select *select, const char *path, struct pmon_err *err)
{
	return pmon_names_open(path, select->allocator, &select->names, err);
}

// Whether the path is new among the excluded ones. Also false when memory is short.
static bool
is_new(struct pmon_select *select, const struct pmon_path *path)
{
	uint64_t hash = pmon_map_mix_name((uint64_t)path->index, path->machine);
	size_t at = 0;
	uint32_t i;

	hash = pmon_map_mix_name(hash, path->object);
	hash = pmon_map_mix_name(pmon_map_mix_name(hash, path->parent), path->instance);
	hash = pmon_map_mix_name(hash, path->counter);
	while ((i = pmon_map_next(&select->left, hash, &at)) != PMON_MAP_NONE)
		if (select->hashes[i] == hash)
			return false;
	if (!pmon_mem_grow(select->allocator, &select->hashes, &select->hashes_cap,
			   select->n_left + 1, sizeof(*select->hashes)) ||
	    !pmon_map_put(&select->left, select->allocator, hash, (uint32_t)select->n_left))
		return false;
	select->hashes[select->n_left++] = hash;
	return true;
}

// Was the entry compared with this path? From now on it was.
static bool
is_looked(struct pmon_select *select, uint32_t entry)
{
	bool is_looked = select->entries[entry].looked == select->looks;

	select->entries[entry].looked = select->looks;
	return is_looked;
}

// No pattern matches the path: count it for those that would match with (*).
static void
note_left_out(struct pmon_select *select, const struct pmon_path *path,
	      const struct pmon_english *english)
{
	struct candidates c = {.other = 0};
	bool is_noted = false;
	uint32_t i;

	select->looks++;
	while (path->instance.ptr != NULL && next_candidate(select, path, english, &c, &i)) {
		struct pmon_path pattern = select->entries[i].pattern;

		if (is_looked(select, i))
			continue;
		if (pattern.instance.ptr != NULL || pmon_path_is_words(&pattern))
			continue;
		pattern.instance = PMON_SPAN("*");
		if (!matches(&pattern, path, english) || (!is_noted && !is_new(select, path)))
			continue;
		is_noted = true;
		select->entries[i].left_out++;
	}
}

bool
pmon_select_want(void *ctx, const struct pmon_path *path)
{
	struct pmon_select *select = ctx;
	struct pmon_english english = english_of(select, path);
	struct candidates c = {.other = 0};
	bool wanted = select->n == 0;
	uint32_t i;

	select->looks++;
	// Try every pattern, to record for each whether it matched anything.
	while (next_candidate(select, path, &english, &c, &i)) {
		if (!is_looked(select, i) && matches(&select->entries[i].pattern, path, &english)) {
			select->entries[i].hits++;
			wanted = true;
		}
	}
	if (!wanted)
		note_left_out(select, path, &english);
	return wanted;
}

bool
pmon_select_matches(const struct pmon_select *select, const struct pmon_path *path)
{
	struct pmon_english english = english_of(select, path);
	struct candidates c = {.other = 0};
	uint32_t i;

	while (next_candidate(select, path, &english, &c, &i))
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
	for (size_t i = 0; i < select->n; i++) {
		const struct pmon_path *pattern = &select->entries[i].pattern;

		if (pmon_path_is_words(pattern)
			    ? pmon_words_could(pattern->counter, object, counter)
			    : pmon_text_match(pattern->object, object) &&
				      pmon_text_match(pattern->counter, counter))
			return true;
	}
	return select->n == 0;
}

bool
pmon_select_names(const struct pmon_select *select, struct pmon_span object)
{
	for (size_t i = 0; i < select->n; i++) {
		const struct pmon_path *pattern = &select->entries[i].pattern;

		if (pmon_text_same(pmon_path_is_words(pattern) ? pattern->counter : pattern->object,
				   object))
			return true;
	}
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

uint64_t
pmon_select_left_out(const struct pmon_select *select, size_t i)
{
	return select->entries[i].left_out;
}

struct pmon_span
pmon_select_object(const struct pmon_select *select, size_t i, struct pmon_span *rest)
{
	const struct entry *entry = &select->entries[i];
	const char *end = entry->pattern.object.ptr + entry->pattern.object.len;
	size_t len = (size_t)(end - entry->text.ptr);

	*rest = (struct pmon_span){end, entry->text.len - len};
	return (struct pmon_span){entry->text.ptr, len};
}
