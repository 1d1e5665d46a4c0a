// schema.c - the list of series of a source
// SPDX-License-Identifier: MIT

#include "model/schema.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

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
	pmon_arena_free(&schema->arena);
	pmon_schema_init(schema, schema->allocator);
}

// Neighbours mostly differ in one text only: what the series before has too is shared with it.
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
	copy->known_type = series->known_type;
	copy->source = series->source;
	copy->texts = series->texts;
	copy->of_process = series->of_process;
	copy->process_id = series->process_id;
	copy->thread_id = series->thread_id;
	return PMON_OK;
}

void
pmon_schema_rename(struct pmon_schema *schema, uint32_t id, const struct pmon_series *as)
{
	schema->list[id]->path = as->path;
	schema->list[id]->name = as->name;
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
	series->known_type = known_type != NULL ? *known_type : 0;
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
