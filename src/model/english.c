// english.c - what the names of counters mean in English, and the types that counters have by name
// SPDX-License-Identifier: MIT

#include "model/english.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/utf.h"

#include "../../share/names/names_table.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// ---- Hashes ---------------------------------------------------------------------------------
//
// FNV-1a over code points. tools/gen-names computes the same.

#define START      UINT64_C(0xCBF29CE484222325)
#define PRIME      UINT64_C(0x100000001B3)
#define SPREAD     UINT64_C(0x9E3779B97F4A7C15)
#define VALUE_BITS 16 // of an entry; the others are the hash

// A code point without case and marks; 0 for a mark by itself.
static uint32_t
plain(uint32_t c)
{
	if (c < 0x80)
		return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
	c = pmon_utf_fold(c);
	if (c >= FIRST_LETTER && c < FIRST_LETTER + COUNT(plain_letters))
		return plain_letters[c - FIRST_LETTER] != 0
			       ? (uint32_t)plain_letters[c - FIRST_LETTER]
			       : c;
	if (c >= 0x300 && c <= 0x36F)
		return 0;
	if (c >= 0x2010 && c <= 0x2015)
		return '-';
	if (c == 0x2018 || c == 0x2019)
		return '\'';
	return c == 0xA0 ? ' ' : c;
}

static uint64_t
mix_name(uint64_t hash, struct pmon_span name)
{
	for (size_t i = 0; i < name.len;) {
		uint32_t c = plain(pmon_utf8_next(name, &i));

		if (c != 0)
			hash = (hash ^ c) * PRIME;
	}
	return hash;
}

// Named instances of SQL Server have objects of their own: "MSSQL$NAME:Locks" is "SQLServer:Locks".
static uint64_t
mix_object(struct pmon_span object)
{
	struct pmon_span named = PMON_SPAN("MSSQL$");
	struct pmon_span start = {object.ptr, named.len};
	const char *colon;

	if (object.len <= named.len || !pmon_text_same(start, named))
		return mix_name(START, object);
	colon = memchr(object.ptr, ':', object.len);
	if (colon == NULL)
		return mix_name(START, object);
	object.len -= (size_t)(colon - object.ptr);
	object.ptr = colon;
	return mix_name(mix_name(START, PMON_SPAN("SQLServer")), object);
}

static bool
is_before(const void *entries, size_t at, uint64_t key)
{
	return ((const uint64_t *)entries)[at] >> VALUE_BITS < key;
}

// The first entry of a hash, or one past the last.
static const uint64_t *
find(const uint64_t *entries, size_t n, uint64_t hash)
{
	uint64_t key = ((hash ^ hash >> 32) * SPREAD) >> VALUE_BITS;
	size_t at = pmon_search(entries, 0, n, key, is_before);

	return at < n && entries[at] >> VALUE_BITS == key ? &entries[at] : entries + n;
}

// ---- Names ----------------------------------------------------------------------------------

static struct pmon_span
text_of(uint64_t entry)
{
	uint16_t place = english_places[(uint16_t)entry];
	const char *text = &english_texts[place / ENGLISH_PAGE][place % ENGLISH_PAGE];

	return (struct pmon_span){text, strlen(text)};
}

// What a name means: how many names of `out`. 0: it is not in the table, or English; then out[0] is it.
static size_t
meanings(uint64_t hash, struct pmon_span name, struct pmon_span out[PMON_ENGLISH_MOST])
{
	const uint64_t *end = name_entries + COUNT(name_entries);
	const uint64_t *first = find(name_entries, COUNT(name_entries), hash);
	size_t n = 0;

	for (const uint64_t *at = first;
	     n < PMON_ENGLISH_MOST && at < end && *at >> VALUE_BITS == *first >> VALUE_BITS; at++) {
		out[n] = text_of(*at);
		if (pmon_text_same(out[n++], name)) {
			out[0] = out[n - 1];
			return 0;
		}
	}
	return n;
}

// "MSSQL$NAME:Locks" stays, as it says which instance it is.
struct pmon_span
pmon_english_object(struct pmon_span object)
{
	struct pmon_span translated[PMON_ENGLISH_MOST];

	return meanings(mix_object(object), object, translated) > 0 &&
			       memchr(object.ptr, '$', object.len) == NULL
		       ? translated[0]
		       : object;
}

// ---- Names that the user adds ---------------------------------------------------------------

struct added {
	uint64_t hash; // of the name, and for a counter of its English object
	struct pmon_span english;
};

struct pmon_names {
	const struct pmon_allocator *allocator;
	struct pmon_arena arena;
	struct pmon_map map; // by hash
	struct added *list;
	size_t n;
	size_t cap;
};

static uint64_t
hash_counter(struct pmon_span english_object, struct pmon_span counter)
{
	return mix_name(mix_object(english_object) ^ SPREAD, counter);
}

// The hash of a title, which is not bound to an object.
static uint64_t
hash_title(struct pmon_span name)
{
	return mix_name(START ^ PRIME, name);
}

static bool
find_added(const struct pmon_names *names, uint64_t hash, struct pmon_span *out)
{
	size_t at = 0;
	uint32_t i;

	while (names != NULL && (i = pmon_map_next(&names->map, hash, &at)) != PMON_MAP_NONE)
		if (names->list[i].hash == hash) {
			*out = names->list[i].english;
			return true;
		}
	return false;
}

static bool
add_hashed(struct pmon_names *names, struct added added)
{
	if (!pmon_mem_grow(names->allocator, &names->list, &names->cap, names->n + 1,
			   sizeof(*names->list)) ||
	    !pmon_arena_copy(&names->arena, added.english, &added.english) ||
	    !pmon_map_put(&names->map, names->allocator, added.hash, (uint32_t)names->n))
		return false;
	names->list[names->n++] = added;
	return true;
}

static bool
add_name(struct pmon_names *names, struct pmon_span english, struct pmon_span name)
{
	const char *slash = memchr(english.ptr, '\\', english.len);
	struct added added = {.english = english, .hash = mix_name(START, name)};

	if (slash != NULL) {
		struct pmon_span object = {english.ptr, (size_t)(slash - english.ptr)};

		added.hash = hash_counter(object, name);
		added.english.ptr = slash + 1;
		added.english.len = english.len - object.len - 1;
	}
	return add_hashed(names, added);
}

// The next line of a text, without its end.
static struct pmon_span
take_line(struct pmon_span *text)
{
	const char *end = memchr(text->ptr, '\n', text->len);
	struct pmon_span line = {text->ptr, end != NULL ? (size_t)(end - text->ptr) : text->len};
	size_t taken = line.len + (end != NULL);

	text->ptr += taken;
	text->len -= taken;
	while (line.len > 0 && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == ' '))
		line.len--;
	return line;
}

static enum pmon_status
add_line(struct pmon_names *names, struct pmon_span line, size_t number, struct pmon_err *err)
{
	const char *tab = line.len > 0 ? memchr(line.ptr, '\t', line.len) : NULL;
	struct pmon_span english = {line.ptr, tab != NULL ? (size_t)(tab - line.ptr) : 0};
	struct pmon_span name = {tab + (tab != NULL), line.len - english.len - (tab != NULL)};

	if (line.len == 0 || line.ptr[0] == '#')
		return PMON_OK;
	if (english.len == 0 || name.len == 0)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "line %zu is not an English name, a tab and another name",
				    number);
	return add_name(names, english, name) ? PMON_OK : pmon_err_nomem(err);
}

static bool
make_names(struct pmon_names **names, const struct pmon_allocator *allocator)
{
	if (*names != NULL)
		return true;
	allocator = pmon_mem_allocator(allocator);
	*names = pmon_mem_alloc0(allocator, sizeof(**names));
	if (*names == NULL)
		return false;
	(*names)->allocator = allocator;
	pmon_arena_init(&(*names)->arena, allocator);
	return true;
}

enum pmon_status
pmon_names_parse(struct pmon_span text, const struct pmon_allocator *allocator,
		 struct pmon_names **names, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (!make_names(names, allocator))
		return pmon_err_nomem(err);
	for (size_t number = 1; status == PMON_OK && text.len > 0; number++)
		status = add_line(*names, take_line(&text), number, err);
	return status;
}

bool
pmon_names_add_title(struct pmon_names **names, const struct pmon_allocator *allocator,
		     struct pmon_span english, struct pmon_span name)
{
	return make_names(names, allocator) &&
	       add_hashed(*names, (struct added){hash_title(name), english});
}

void
pmon_names_free(struct pmon_names *names)
{
	if (names == NULL)
		return;
	pmon_map_free(&names->map, names->allocator);
	pmon_arena_free(&names->arena);
	pmon_mem_free(names->allocator, names->list, names->cap * sizeof(*names->list));
	pmon_mem_free(names->allocator, names, sizeof(*names));
}

// ---- Paths ----------------------------------------------------------------------------------

// A name with two titles, as "% Idle Time", is still one name.
static bool
is_among(const struct pmon_span *list, size_t n, struct pmon_span name)
{
	for (size_t i = 0; i < n; i++)
		if (pmon_text_same(list[i], name))
			return true;
	return false;
}

// The titles of this name that `hash` and their own name find in the table: how many.
static size_t
titles_of(const struct pmon_names *names, uint64_t hash, struct pmon_span name,
	  struct pmon_span out[PMON_ENGLISH_MOST])
{
	uint64_t title = hash_title(name);
	size_t n = 0;
	size_t at = 0;
	uint32_t i;

	while (names != NULL && n < PMON_ENGLISH_MOST &&
	       (i = pmon_map_next(&names->map, title, &at)) != PMON_MAP_NONE) {
		struct pmon_span english = names->list[i].english;

		if (names->list[i].hash == title && !is_among(out, n, english) &&
		    find(name_entries, COUNT(name_entries), mix_name(hash, english)) !=
			    name_entries + COUNT(name_entries))
			out[n++] = english;
	}
	return n;
}

// The English names of a counter of an English object: how many. 0 as in meanings().
static size_t
counters_of(const struct pmon_names *names, struct pmon_span object, struct pmon_span counter,
	    struct pmon_span out[PMON_ENGLISH_MOST])
{
	const uint64_t *end = name_entries + COUNT(name_entries);
	const uint64_t *entry;
	uint64_t hash;

	if (names != NULL && find_added(names, hash_counter(object, counter), out))
		return pmon_text_same(*out, counter) ? 0 : 1;
	entry = find(name_entries, COUNT(name_entries), mix_object(object));
	if (entry == end)
		return 0;
	hash = START ^ (((uint64_t)(uint16_t)*entry + 1) * SPREAD);
	if (names != NULL &&
	    find(name_entries, COUNT(name_entries), mix_name(hash, counter)) == end)
		return titles_of(names, hash, counter, out);
	return meanings(mix_name(hash, counter), counter, out);
}

static struct pmon_span
object_of(const struct pmon_names *names, struct pmon_span object)
{
	struct pmon_span titles[PMON_ENGLISH_MOST];
	struct pmon_span added;

	if (find_added(names, mix_name(START, object), &added))
		return added;
	if (names != NULL &&
	    find(name_entries, COUNT(name_entries), mix_object(object)) ==
		    name_entries + COUNT(name_entries) &&
	    titles_of(names, START, object, titles) > 0)
		return titles[0];
	return pmon_english_object(object);
}

bool
pmon_english_of(const struct pmon_names *names, const struct pmon_path *path,
		struct pmon_english *out)
{
	out->object = object_of(names, path->object);
	out->counters[0] = path->counter;
	out->n = counters_of(names, out->object, path->counter, out->counters);
	if (out->n == 0 && out->object.ptr == path->object.ptr)
		return false;
	out->n += out->n == 0;
	return true;
}

// ---- Types ----------------------------------------------------------------------------------

bool
pmon_english_type(const struct pmon_path *path, uint32_t *word_out, bool *inferred)
{
	uint64_t hash = mix_name(mix_object(path->object) ^ SPREAD, path->counter);
	const uint64_t *found = find(type_entries, COUNT(type_entries), hash);

	if (found == type_entries + COUNT(type_entries))
		return false;
	*inferred = (*found & TYPE_INFERRED) != 0;
	*word_out = type_words[*found & (TYPE_INFERRED - 1)];
	return true;
}
