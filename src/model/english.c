// english.c - English names of counters, and types of counters by name
// SPDX-License-Identifier: MIT

#include "model/english.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "model/name_hash.h"

// ---- Hashes ---------------------------------------------------------------------------------

// Named instances of SQL Server have their own objects: "MSSQL$NAME:Locks" is "SQLServer:Locks".
static uint64_t
mix_object(struct pmon_span object)
{
	struct pmon_span named = PMON_SPAN("MSSQL$");
	struct pmon_span start = {object.ptr, named.len};
	const char *colon;

	if (object.len <= named.len || !pmon_text_same(start, named))
		return pmon_name_mix(PMON_NAME_OBJECT, object);
	colon = memchr(object.ptr, ':', object.len);
	if (colon == NULL)
		return pmon_name_mix(PMON_NAME_OBJECT, object);
	object.len -= (size_t)(colon - object.ptr);
	object.ptr = colon;
	return pmon_name_mix(pmon_name_mix(PMON_NAME_OBJECT, PMON_SPAN("SQLServer")), object);
}

// The entries of a table with this hash.
struct run {
	const uint32_t *entries;
	size_t n;
};

static struct run
find(const struct pmon_name_table *table, uint64_t hash)
{
	uint64_t spread = pmon_name_spread(hash);
	uint32_t rest = pmon_name_rest(spread, table->value_bits);
	const uint16_t *bucket = &table->starts[pmon_name_bucket(spread)];
	size_t first = bucket[0];
	size_t end;

	while (first < bucket[1] && table->entries[first] >> table->value_bits < rest)
		first++;
	for (end = first; end < bucket[1] && table->entries[end] >> table->value_bits == rest;)
		end++;
	return (struct run){table->entries + first, end - first};
}

static uint32_t
value_at(const struct pmon_name_table *table, struct run run, size_t i)
{
	return run.entries[i] & ((1u << table->value_bits) - 1);
}

// ---- Names ----------------------------------------------------------------------------------

#define NO_OBJECT UINT32_MAX

static struct pmon_span
text_of(uint32_t number)
{
	const char *text = pmon_english_texts + pmon_english_places[number];

	return (struct pmon_span){text, strlen(text)};
}

// The number of the object with this name in any language.
static uint32_t
find_object(struct pmon_span object)
{
	struct run run = find(&pmon_names_table, mix_object(object));

	return run.n > 0 ? value_at(&pmon_names_table, run, 0) : NO_OBJECT;
}

static bool
is_in_run(struct run run, uint32_t number)
{
	for (size_t i = 0; i < run.n; i++)
		if (value_at(&pmon_names_table, run, i) == number)
			return true;
	return false;
}

// Collect the counters of an object that have names with this hash; returns how many.
static size_t
counters_with(uint64_t hash, uint32_t object, struct pmon_span out[PMON_ENGLISH_MOST])
{
	struct run run = find(&pmon_names_table, hash);
	size_t end = pmon_english_counters_at[object + 1];
	size_t n = 0;

	for (size_t at = pmon_english_counters_at[object];
	     run.n > 0 && at < end && n < PMON_ENGLISH_MOST; at++)
		if (is_in_run(run, pmon_english_counters[at]))
			out[n++] = text_of(pmon_english_counters[at]);
	return n;
}

// Collect the counters of an object that have this name in some language; returns how many.
static size_t
find_counters(uint32_t object, struct pmon_span name, struct pmon_span out[PMON_ENGLISH_MOST])
{
	size_t n = counters_with(pmon_name_mix(pmon_name_of_object(object), name), object, out);

	return n > 0 ? n : counters_with(pmon_name_mix(PMON_NAME_COUNTER, name), object, out);
}

// "MSSQL$NAME:Locks" is not changed, since it names the instance.
struct pmon_span
pmon_english_object(struct pmon_span object)
{
	uint32_t number = find_object(object);

	if (number == NO_OBJECT || memchr(object.ptr, '$', object.len) != NULL ||
	    pmon_text_same(text_of(number), object))
		return object;
	return text_of(number);
}

// ---- Names that the user adds ---------------------------------------------------------------

struct added {
	uint64_t hash; // of the name and, for a counter, of its English object
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
	return pmon_name_mix(pmon_name_of_type(mix_object(english_object)), counter);
}

// The hash of a title, which belongs to no object.
static uint64_t
hash_title(struct pmon_span name)
{
	return pmon_name_mix(PMON_NAME_COUNTER, name);
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
	struct added added = {.english = english, .hash = pmon_name_mix(PMON_NAME_OBJECT, name)};

	if (slash != NULL) {
		struct pmon_span object = {english.ptr, (size_t)(slash - english.ptr)};

		added.hash = hash_counter(object, name);
		added.english.ptr = slash + 1;
		added.english.len = english.len - object.len - 1;
	}
	return add_hashed(names, added);
}

// Take the next line of a text, without its line end.
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
				    "line %zu must be an English name, a tab and another name",
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

// A name with two titles, such as "% Idle Time", is still one name.
static bool
is_among(const struct pmon_span *list, size_t n, struct pmon_span name)
{
	for (size_t i = 0; i < n; i++)
		if (pmon_text_same(list[i], name))
			return true;
	return false;
}

// Is this an object in the table, or a counter of one?
static bool
is_in_table(uint32_t object, struct pmon_span english)
{
	struct pmon_span counters[PMON_ENGLISH_MOST];

	return object == NO_OBJECT ? find_object(english) != NO_OBJECT
				   : find_counters(object, english, counters) > 0;
}

// Collect the titles with this name that are counters of the object, or objects if it is NO_OBJECT;
// returns how many.
static size_t
titles_of(const struct pmon_names *names, uint32_t object, struct pmon_span name,
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
		    is_in_table(object, english))
			out[n++] = english;
	}
	return n;
}

// Collect the English names of a counter of an English object; returns how many. If it is 0, the
// counter is English already or not in the table, and out[0] is its own name.
static size_t
counters_of(const struct pmon_names *names, struct pmon_span object, struct pmon_span counter,
	    struct pmon_span out[PMON_ENGLISH_MOST])
{
	uint32_t number;
	size_t n;

	if (names != NULL && find_added(names, hash_counter(object, counter), out))
		return pmon_text_same(*out, counter) ? 0 : 1;
	number = find_object(object);
	if (number == NO_OBJECT)
		return 0;
	n = find_counters(number, counter, out);
	if (n == 0)
		return titles_of(names, number, counter, out);
	for (size_t i = 0; i < n; i++)
		if (pmon_text_same(out[i], counter)) {
			out[0] = out[i];
			return 0;
		}
	return n;
}

static struct pmon_span
object_of(const struct pmon_names *names, struct pmon_span object)
{
	struct pmon_span titles[PMON_ENGLISH_MOST];
	struct pmon_span added;

	if (find_added(names, pmon_name_mix(PMON_NAME_OBJECT, object), &added))
		return added;
	if (names != NULL && find_object(object) == NO_OBJECT &&
	    titles_of(names, NO_OBJECT, object, titles) > 0)
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
	struct run run = find(&pmon_types_table, hash_counter(path->object, path->counter));
	uint32_t value;

	if (run.n == 0)
		return false;
	value = value_at(&pmon_types_table, run, 0);
	*inferred = (value & PMON_TYPE_INFERRED) != 0;
	*word_out = pmon_types_words[value & (PMON_TYPE_INFERRED - 1)];
	return true;
}
