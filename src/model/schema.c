// schema.c - the list of series of a source
// SPDX-License-Identifier: MIT

#include "model/schema.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "model/counter_unit.h"
#include "model/english.h"
#include "path/words.h"

void
pmon_schema_init(struct pmon_schema *schema, const struct pmon_allocator *allocator)
{
	*schema = (struct pmon_schema){.allocator = allocator};
	pmon_arena_init(&schema->arena, allocator);
}

void
pmon_schema_free(struct pmon_schema *schema)
{
	pmon_mem_free(schema->allocator, schema->list, schema->cap * sizeof(*schema->list));
	pmon_map_free(&schema->same_names, schema->allocator);
	pmon_names_free(schema->names);
	pmon_arena_free(&schema->arena);
	pmon_schema_init(schema, schema->allocator);
}

// Neighbouring series usually differ in only one text: equal texts are shared with the preceding
// series.
static bool
copy_text(struct pmon_arena *arena, struct pmon_span text, const struct pmon_span *before,
	  struct pmon_span *out)
{
	if (before->ptr != NULL && text.ptr != NULL && before->len == text.len &&
	    memcmp(before->ptr, text.ptr, text.len) == 0) {
		*out = *before;
		return true;
	}
	return pmon_arena_copy(arena, text, out);
}

static bool
copy_path(struct pmon_schema *schema, const struct pmon_path *path, struct pmon_path *out)
{
	static const struct pmon_path none;
	const struct pmon_path *before = schema->n > 0 ? &schema->list[schema->n - 1]->path : &none;
	struct pmon_arena *arena = &schema->arena;

	*out = *path;
	return copy_text(arena, path->machine, &before->machine, &out->machine) &&
	       copy_text(arena, path->object, &before->object, &out->object) &&
	       copy_text(arena, path->parent, &before->parent, &out->parent) &&
	       copy_text(arena, path->instance, &before->instance, &out->instance) &&
	       copy_text(arena, path->counter, &before->counter, &out->counter);
}

static bool
make_name(struct pmon_arena *arena, const struct pmon_path *path, struct pmon_span *out)
{
	char short_name[256];
	size_t len = pmon_path_format(path, short_name, sizeof(short_name));
	char *name;

	if (len < sizeof(short_name))
		return pmon_arena_copy(arena, (struct pmon_span){short_name, len}, out);
	name = pmon_arena_alloc(arena, len + 1);
	if (name == NULL)
		return false;
	pmon_path_format(path, name, len + 1);
	*out = (struct pmon_span){name, len};
	return true;
}

// ---- English names --------------------------------------------------------------------------

// Count the earlier series with the same ambiguous name, and remember this one, whose number comes
// next. *first is the first of them. False if out of memory. A log may have any number of series
// with one name, but only as many are needed as a name has meanings.
static bool
count_same(struct pmon_schema *schema, const struct pmon_path *path, size_t *n_out,
	   struct pmon_series **first)
{
	uint64_t hash;
	size_t at = 0;
	uint32_t id;

	if (schema->seed == 0)
		schema->seed = pmon_hash_seed() | 1;
	hash = pmon_map_mix_name(schema->seed ^ (uint32_t)path->index, path->machine);
	hash = pmon_map_mix_name(pmon_map_mix_name(hash, path->parent), path->instance);
	hash = pmon_map_mix_name(hash, path->counter);
	*n_out = 0;
	while ((id = pmon_map_next(&schema->same_names, hash, &at)) != PMON_MAP_NONE)
		if (pmon_path_same(&schema->list[id]->path, path) && (*n_out)++ == 0)
			*first = schema->list[id];
	return *n_out == PMON_ENGLISH_MOST ||
	       pmon_map_put(&schema->same_names, schema->allocator, hash, (uint32_t)schema->n);
}

// Drop counters whose type differs from that of the series.
static void
keep_type(struct pmon_english *english, const struct pmon_series *series)
{
	struct pmon_english kept = {.object = english->object};

	for (size_t i = 0; i < english->n; i++) {
		struct pmon_path path = pmon_english_path(&series->path, english, i);
		uint32_t word;
		bool inferred;

		if (!pmon_english_type(&path, &word, &inferred) || inferred ||
		    word == series->counter.type)
			kept.counters[kept.n++] = english->counters[i];
	}
	if (kept.n > 0)
		*english = kept;
}

// Set the unit that follows from the counter's name, and the type of displayed values, unless
// something else defines it.
static void
read_name(struct pmon_series *series)
{
	series->named_unit = pmon_counter_unit(pmon_series_english(series), &series->unit_is_whole);
	if (series->formatted && !series->type_known)
		series->type_known = pmon_english_type(pmon_series_english(series),
						       &series->known_type, &series->type_inferred);
}

static bool
use_english(struct pmon_schema *schema, struct pmon_series *series)
{
	struct pmon_path *logged;

	if (!schema->in_english || series->english == NULL || series->ambiguous)
		return true;
	logged = pmon_arena_alloc(&schema->arena, sizeof(*logged));
	if (logged == NULL)
		return false;
	*logged = series->path;
	series->path = *series->english;
	series->logged = logged;
	series->english = NULL;
	return make_name(&schema->arena, &series->path, &series->name);
}

static bool
add_english(struct pmon_schema *schema, struct pmon_series *series,
	    const struct pmon_english *english, size_t which)
{
	struct pmon_path *path = pmon_arena_alloc(&schema->arena, sizeof(*path));

	if (path == NULL)
		return false;
	*path = pmon_english_path(&series->path, english, which);
	series->english = path;
	return true;
}

// Windows lists counters that share a name in a fixed order. If the log has all of them, the order
// decides.
static bool
decide(struct pmon_schema *schema, struct pmon_series *series, struct pmon_english *english,
       size_t *which)
{
	struct pmon_series *first = NULL;

	*which = 0;
	if (series->counter.type != PMON_PERF_DOUBLE_RAW)
		keep_type(english, series);
	if (english->n == 1)
		return true;
	if (!count_same(schema, &series->path, which, &first))
		return false;
	series->ambiguous = *which + 1 < english->n;
	if (*which >= english->n) { // more than expected
		*which = english->n - 1;
		series->ambiguous = true;
	}
	if (!series->ambiguous && english->n == 2) {
		// Sources may find series in another order than that of the log.
		if (series->order < first->order) {
			*which = 0;
			if (!add_english(schema, first, english, 1))
				return false;
		}
		first->ambiguous = false;
		read_name(first);
		return use_english(schema, first);
	}
	return true;
}

// Find the English name of a series. The preceding series usually has the same object and counter,
// so their texts are shared.
static bool
translate(struct pmon_schema *schema, struct pmon_series *series)
{
	const struct pmon_series *before = schema->n > 0 ? schema->list[schema->n - 1] : NULL;
	struct pmon_english english;
	size_t which = 0;

	if (before != NULL && before->path.object.ptr == series->path.object.ptr &&
	    before->path.counter.ptr == series->path.counter.ptr && before->english == NULL)
		return true;
	if (!pmon_english_of(schema->names, &series->path, &english))
		return true;
	if (english.n > 1 && !decide(schema, series, &english, &which))
		return false;
	return add_english(schema, series, &english, which);
}

// Copy a path with the object and counter of another one.
static bool
copy_names(struct pmon_schema *schema, const struct pmon_series *series,
	   const struct pmon_path *names, const struct pmon_path **out)
{
	struct pmon_path *path;

	*out = NULL;
	if (names == NULL)
		return true;
	path = pmon_arena_alloc(&schema->arena, sizeof(*path));
	if (path == NULL)
		return false;
	*path = series->path;
	*out = path;
	return pmon_arena_copy(&schema->arena, names->object, &path->object) &&
	       pmon_arena_copy(&schema->arena, names->counter, &path->counter);
}

bool
pmon_schema_set_names(struct pmon_schema *schema, uint32_t id, const struct pmon_series *as)
{
	struct pmon_series *series = schema->list[id];

	if (!copy_names(schema, series, as->english, &series->english) ||
	    !copy_names(schema, series, as->logged, &series->logged))
		return false;
	read_name(series);
	return true;
}

bool
pmon_schema_use_names(struct pmon_schema *schema)
{
	for (size_t i = 0; i < schema->n; i++) {
		struct pmon_series *series = schema->list[i];
		struct pmon_english english;

		if (!pmon_english_of(schema->names, &series->path, &english) || english.n > 1)
			continue;
		if (!add_english(schema, series, &english, 0))
			return false;
		read_name(series);
	}
	return true;
}

bool
pmon_schema_wants(const struct pmon_schema *schema, pmon_want_fn want, void *ctx,
		  const struct pmon_path *path)
{
	struct pmon_english english;

	if (want(ctx, path))
		return true;
	if (schema->names == NULL || !pmon_english_of(schema->names, path, &english))
		return false;
	for (size_t i = 0; i < english.n; i++) {
		struct pmon_path other = pmon_english_path(path, &english, i);

		if (want(ctx, &other))
			return true;
	}
	return false;
}

bool
pmon_schema_use_english(struct pmon_schema *schema)
{
	schema->in_english = true;
	for (size_t i = 0; i < schema->n; i++)
		if (!use_english(schema, schema->list[i]))
			return false;
	return true;
}

const struct pmon_path *
pmon_series_english(const struct pmon_series *series)
{
	return series->english != NULL && !series->ambiguous ? series->english : &series->path;
}

static bool
words_match(const struct pmon_path *words, const struct pmon_series *series)
{
	struct pmon_path names[3] = {series->path};
	size_t n = 1;

	if (series->logged != NULL)
		names[n++] = *series->logged;
	if (series->english != NULL && !series->ambiguous)
		names[n++] = *series->english;
	return pmon_words_match(words->counter, names, n);
}

bool
pmon_series_match(const struct pmon_path *pattern, const struct pmon_series *series)
{
	if (pmon_path_is_words(pattern))
		return words_match(pattern, series);
	return pmon_path_match(pattern, &series->path) ||
	       (series->logged != NULL && pmon_path_match(pattern, series->logged)) ||
	       (series->english != NULL && !series->ambiguous &&
		pmon_path_match(pattern, series->english));
}

// ---- Series ---------------------------------------------------------------------------------

enum pmon_status
pmon_schema_take(struct pmon_schema *schema, struct pmon_series *series, uint64_t order,
		 size_t limit, uint32_t *id_out)
{
	*id_out = PMON_SERIES_NONE;
	if (schema->n >= limit || schema->n >= PMON_SERIES_NONE)
		return PMON_E_LIMIT;
	if (!pmon_mem_grow(schema->allocator, &schema->list, &schema->cap, schema->n + 1,
			   sizeof(*schema->list)))
		return PMON_E_NOMEM;
	// Another schema did not know the names of this one.
	if (schema->names != NULL && series->english == NULL && series->logged == NULL &&
	    !translate(schema, series))
		return PMON_E_NOMEM;
	if (!use_english(schema, series))
		return PMON_E_NOMEM;
	read_name(series);
	series->order = order;
	series->id = (uint32_t)schema->n;
	*id_out = (uint32_t)schema->n;
	schema->list[schema->n++] = series;
	return PMON_OK;
}

enum pmon_status
pmon_schema_add(struct pmon_schema *schema, const struct pmon_path *path,
		const struct pmon_counter *counter, uint64_t order, size_t limit, uint32_t *id_out)
{
	struct pmon_series *series = pmon_arena_alloc(&schema->arena, sizeof(*series));

	*id_out = PMON_SERIES_NONE;
	if (series == NULL || !copy_path(schema, path, &series->path) ||
	    !make_name(&schema->arena, &series->path, &series->name))
		return PMON_E_NOMEM;
	series->counter = *counter;
	series->order = order;
	if (!translate(schema, series))
		return PMON_E_NOMEM;
	return pmon_schema_take(schema, series, order, limit, id_out);
}

enum pmon_status
pmon_schema_refuse(enum pmon_status status, size_t limit, struct pmon_err *err)
{
	if (status != PMON_E_LIMIT)
		return pmon_err_nomem(err);
	return pmon_err_set(err, status, 0,
			    "more than %zu counters: too many for a file of this size", limit);
}

enum pmon_status
pmon_schema_copy(struct pmon_schema *schema, const struct pmon_series *series, uint32_t *id_out)
{
	enum pmon_status status = pmon_schema_add(schema, &series->path, &series->counter,
						  series->order, PMON_SERIES_NONE, id_out);
	struct pmon_series *copy;

	if (status != PMON_OK)
		return status;
	copy = schema->list[*id_out];
	copy->wildcard = series->wildcard;
	copy->formatted = series->formatted;
	copy->type_known = series->type_known;
	copy->type_inferred = series->type_inferred;
	copy->known_type = series->known_type;
	copy->ambiguous = series->ambiguous;
	copy->source = series->source;
	copy->texts = series->texts;
	copy->of_process = series->of_process;
	copy->process_id = series->process_id;
	copy->thread_id = series->thread_id;
	return pmon_schema_set_names(schema, *id_out, series) ? PMON_OK : PMON_E_NOMEM;
}

void
pmon_schema_rename(struct pmon_schema *schema, uint32_t id, const struct pmon_series *as)
{
	schema->list[id]->path = as->path;
	schema->list[id]->name = as->name;
	schema->list[id]->english = as->english;
	schema->list[id]->logged = as->logged;
	schema->list[id]->ambiguous = as->ambiguous;
	read_name(schema->list[id]);
}

void
pmon_schema_reuse(struct pmon_schema *schema, uint32_t id, const struct pmon_series *as)
{
	struct pmon_series *series = schema->list[id];
	uint32_t life = series->life + 1;

	*series = *as;
	series->id = id;
	series->life = life;
}

void
pmon_schema_set_process(struct pmon_schema *schema, uint32_t id, int64_t process_id,
			int64_t thread_id)
{
	struct pmon_series *series = schema->list[id];

	series->of_process = true;
	series->process_id = process_id;
	series->thread_id = thread_id;
}

void
pmon_schema_set_source(struct pmon_schema *schema, uint32_t id, uint32_t source)
{
	schema->list[id]->source = source;
}

void
pmon_schema_set_formatted(struct pmon_schema *schema, uint32_t id, const uint32_t *known_type)
{
	struct pmon_series *series = schema->list[id];

	series->formatted = true;
	series->type_known = known_type != NULL;
	series->type_inferred = false;
	series->known_type = known_type != NULL ? *known_type : 0;
	read_name(series);
}

size_t
pmon_schema_count(const struct pmon_schema *schema)
{
	return schema->n;
}

const struct pmon_series *
pmon_schema_at(const struct pmon_schema *schema, size_t i)
{
	return i < schema->n ? schema->list[i] : NULL;
}

static int
by_order(const void *a, const void *b)
{
	const struct pmon_series *const *x = a;
	const struct pmon_series *const *y = b;

	if ((*x)->source != (*y)->source)
		return (*x)->source < (*y)->source ? -1 : 1;
	if ((*x)->order != (*y)->order)
		return (*x)->order < (*y)->order ? -1 : 1;
	return (*x)->id < (*y)->id ? -1 : 1;
}

void
pmon_schema_in_order(const struct pmon_schema *schema, const struct pmon_series **out)
{
	for (size_t i = 0; i < schema->n; i++)
		out[i] = schema->list[i];
	qsort(out, schema->n, sizeof(*out), by_order);
}

void
pmon_schema_set_texts(struct pmon_schema *schema, uint32_t id, const struct pmon_texts *texts)
{
	schema->list[id]->texts = texts;
}

const struct pmon_counter_type *
pmon_series_type(const struct pmon_series *series)
{
	if (!series->formatted)
		return pmon_type_by_word(series->counter.type);
	return series->type_known ? pmon_type_by_word(series->known_type) : NULL;
}

const char *
pmon_series_unit(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);
	const char *of_type = type != NULL ? type->unit : "";

	if (series->named_unit == NULL || pmon_type_is_hex(type))
		return of_type;
	if (series->unit_is_whole || of_type[0] == '\0')
		return series->named_unit;
	if (of_type[0] == '/' && pmon_unit_is_time(series->named_unit))
		return pmon_unit_per_second(series->named_unit);
	return of_type;
}
