// series.c - instances, and the series of their counters
// SPDX-License-Identifier: MIT
//
// Nothing but their presence in a sample announces instances. Each is known by its name, its parent,
// and its ordinal among those of the same name in the same record. In a steady log the instances of
// a record are those of the record before in the same order; then comparing the bytes of each name
// with those at its position is all that is done. Else a hash table finds them.

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"

#define ORDER_INSTANCE_SHIFT 16
#define ORDER_MAX_COLUMN     0xFFFFu
#define MEAN_PATH_BYTES      1024 // what a path may take, on the average of all that are allowed

// ---- Series ---------------------------------------------------------------------------------

static enum pmon_status
check_limits(struct blg *blg, const struct pmon_path *path, struct pmon_err *err)
{
	blg->n_asked++;
	blg->bytes_asked += path->machine.len + path->object.len + path->parent.len +
			    path->instance.len + path->counter.len;
	if (blg->n_asked > blg->limits.series ||
	    blg->bytes_asked / MEAN_PATH_BYTES > blg->limits.series)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu counters in one log",
				    blg->limits.series);
	return PMON_OK;
}

// The series of a part: the whole knows its path, or will. All that is needed here is how to compute
// with it.
static enum pmon_status
add_to_part(struct blg *blg, const struct pmon_path *path, struct blg_column *column,
	    uint32_t *series_out, struct pmon_err *err)
{
	struct pmon_schema *schema = &blg->source.schema;
	bool is_wanted = true;

	if (blg->want != NULL) {
		pmon_lock_take(&blg->whole->lock);
		is_wanted = blg->want(blg->want_ctx, path);
		pmon_lock_give(&blg->whole->lock);
	}
	if (!is_wanted)
		return PMON_OK;
	if (column->common == NULL)
		column->common = pmon_arena_alloc(&schema->arena, sizeof(*column->common));
	if (column->common == NULL || !pmon_mem_grow(schema->allocator, &schema->list, &schema->cap,
						     schema->n + 1, sizeof(*schema->list)))
		return pmon_err_nomem(err);
	column->common->counter = column->counter;
	*series_out = (uint32_t)schema->n;
	schema->list[schema->n++] = column->common;
	return PMON_OK;
}

enum pmon_status
pmon_blg_series_add(struct blg *blg, const struct blg_entry *entry,
		    const struct blg_instance *instance, size_t column, uint32_t *series_out,
		    struct pmon_err *err)
{
	struct blg_column *c = &entry->columns[column];
	struct pmon_path path = instance != NULL ? instance->path : entry->path;
	uint64_t order = entry->order;
	enum pmon_status status;

	*series_out = PMON_SERIES_NONE;
	path.counter = c->name;
	status = check_limits(blg, &path, err);
	if (status != PMON_OK)
		return status;
	if (blg->whole != NULL)
		return add_to_part(blg, &path, c, series_out, err);
	if (blg->want != NULL && !blg->want(blg->want_ctx, &path))
		return PMON_OK;
	if (instance != NULL)
		order |= (uint64_t)(instance - entry->instances.list) << ORDER_INSTANCE_SHIFT;
	order |= column < ORDER_MAX_COLUMN ? column : ORDER_MAX_COLUMN;
	status = pmon_schema_add(&blg->source.schema, &path, &c->counter, order, blg->limits.series,
				 series_out);
	if (status != PMON_OK)
		return pmon_err_set(err, status, 0, "%s", pmon_status_text(status));
	blg->source.schema.list[*series_out]->wildcard = instance != NULL;
	// What pmon's writer makes of the displayed values of a text log: no counter of Windows has it.
	if (c->counter.type == PMON_PERF_DOUBLE_RAW)
		pmon_schema_set_formatted(&blg->source.schema, *series_out, NULL);
	return PMON_OK;
}

// Room for the series of n columns, twice as many as before at least: what was there before is left
// behind in the arena.
static bool
make_room(struct blg *blg, struct blg_instance *instance, uint32_t n)
{
	uint32_t cap = instance->series_cap * 2 > n ? instance->series_cap * 2 : n;
	uint32_t *series;

	if (n <= instance->series_cap)
		return true;
	series = pmon_arena_alloc(&blg->arena, cap * sizeof(*series));
	if (series == NULL)
		return false;
	if (instance->n_series > 0)
		memcpy(series, instance->series, instance->n_series * sizeof(*series));
	instance->series = series;
	instance->series_cap = cap;
	return true;
}

// Ask for the series of the columns that are new since the instance was seen last.
static enum pmon_status
add_columns(struct blg *blg, const struct blg_entry *entry, struct blg_instance *instance,
	    struct pmon_err *err)
{
	if (!make_room(blg, instance, (uint32_t)entry->n_columns))
		return pmon_err_nomem(err);
	while (instance->n_series < entry->n_columns) {
		uint32_t *series = &instance->series[instance->n_series];
		enum pmon_status status =
			pmon_blg_series_add(blg, entry, instance, instance->n_series, series, err);

		if (status != PMON_OK)
			return status;
		instance->is_wanted = instance->is_wanted || *series != PMON_SERIES_NONE;
		instance->n_series++;
	}
	return PMON_OK;
}

// ---- Names ----------------------------------------------------------------------------------

// A name ends at its first NUL, or where its window does.
static struct pmon_perf_name
trim(const struct pmon_perf_name *name)
{
	struct pmon_perf_name out = *name;

	for (out.len = 0; name->len - out.len >= name->unit; out.len += name->unit)
		if (name->ptr[out.len] == 0 && (name->unit == 1 || name->ptr[out.len + 1] == 0))
			break;
	return out;
}

// Is the window filled by the known name, or by it and a NUL?
static bool
is_name(const struct pmon_perf_name *window, const struct pmon_perf_name *known)
{
	size_t n = known->len;

	if (window->unit != known->unit || window->len < n ||
	    (n > 0 && memcmp(window->ptr, known->ptr, n) != 0))
		return false;
	return window->len - n < window->unit ||
	       (window->ptr[n] == 0 && (window->unit == 1 || window->ptr[n + 1] == 0));
}

static bool
copy_name(struct blg *blg, const struct pmon_perf_name *name, struct pmon_perf_name *out)
{
	uint8_t *bytes;

	*out = *name;
	if (name->ptr == NULL)
		return true;
	bytes = pmon_arena_alloc(&blg->arena, name->len + 1);
	if (bytes == NULL)
		return false;
	memcpy(bytes, name->ptr, name->len);
	out->ptr = bytes;
	return true;
}

static bool
copy_text(struct blg *blg, const struct pmon_perf_name *name, struct pmon_span *out)
{
	struct pmon_span text;

	*out = (struct pmon_span){NULL, 0};
	if (name->ptr == NULL)
		return true;
	return pmon_blg_utf8(blg, name, &text) && pmon_arena_copy(&blg->arena, text, out);
}

// ---- Instances ------------------------------------------------------------------------------

void
pmon_blg_instances_begin(struct blg_instances *set, size_t bytes)
{
	set->serial++;
	set->position = 0;
	set->budget = bytes;
}

void
pmon_blg_instances_free(struct blg_instances *set, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, set->list, set->cap * sizeof(*set->list));
	pmon_mem_free(allocator, set->chains, set->chains_cap * sizeof(*set->chains));
	pmon_mem_free(allocator, set->places, set->places_cap * sizeof(*set->places));
	pmon_blg_map_free(&set->map, allocator);
}

// The instance of a chain that comes next in this record; BLG_NONE when it is a new one.
static uint32_t
next_of_chain(const struct blg_instances *set, uint32_t head)
{
	const struct blg_chain *chain = &set->chains[head];

	return chain->serial == set->serial ? set->list[chain->cursor].next : head;
}

static uint32_t
find_head(const struct blg_instances *set, const struct pmon_perf_name *name,
	  const struct pmon_perf_name *parent, uint32_t hash)
{
	uint32_t cursor = hash;
	uint32_t i;

	while ((i = pmon_blg_map_find(&set->map, hash, &cursor)) != BLG_NONE)
		if (is_name(name, &set->list[i].name) && is_name(parent, &set->list[i].parent))
			return i;
	return BLG_NONE;
}

static bool
fill_instance(struct blg *blg, const struct blg_entry *entry, const struct pmon_perf_name *name,
	      const struct pmon_perf_name *parent, uint32_t ordinal, struct blg_instance *out)
{
	*out = (struct blg_instance){.ordinal = ordinal, .next = BLG_NONE, .path = entry->path};
	out->path.index = ordinal <= INT32_MAX ? (int32_t)ordinal : INT32_MAX;
	if (!copy_name(blg, name, &out->name) || !copy_name(blg, parent, &out->parent))
		return false;
	if (blg->whole != NULL && blg->want == NULL) // nobody asks for the path
		return true;
	if (!copy_text(blg, name, &out->path.instance) ||
	    !copy_text(blg, parent, &out->path.parent))
		return false;
	return out->path.instance.ptr == NULL || pmon_blg_split_instance(blg, &out->path);
}

// A new instance: at the end of the chain of `head`, or (BLG_NONE) with a chain of its own.
static uint32_t
add_instance(struct blg *blg, struct blg_entry *entry, const struct pmon_perf_name *name,
	     const struct pmon_perf_name *parent, uint32_t hash, uint32_t head)
{
	struct blg_instances *set = &entry->instances;
	uint32_t before = head != BLG_NONE ? set->chains[head].cursor : BLG_NONE;
	uint32_t ordinal = head != BLG_NONE ? set->list[before].ordinal + 1 : 0;
	uint32_t number = (uint32_t)set->n;

	if (set->n >= BLG_NONE ||
	    !pmon_mem_grow(blg->allocator, &set->list, &set->cap, set->n + 1, sizeof(*set->list)) ||
	    !pmon_mem_grow(blg->allocator, &set->chains, &set->chains_cap, set->n + 1,
			   sizeof(*set->chains)) ||
	    !fill_instance(blg, entry, name, parent, ordinal, &set->list[number]))
		return BLG_NONE;
	set->chains[number] = (struct blg_chain){0};
	set->list[number].head = head != BLG_NONE ? head : number;
	if (head != BLG_NONE)
		set->list[before].next = number;
	else if (!pmon_blg_map_put(&set->map, blg->allocator, hash, number))
		return BLG_NONE;
	set->n++;
	return number;
}

static uint32_t
find_or_add(struct blg *blg, struct blg_entry *entry, const struct pmon_perf_name *name,
	    const struct pmon_perf_name *parent)
{
	uint32_t hash = pmon_blg_hash(blg->hash_seed, name->ptr, name->len);
	uint32_t head, number;

	hash = pmon_blg_hash(hash, parent->ptr, parent->len);
	head = find_head(&entry->instances, name, parent, hash);
	if (head != BLG_NONE) {
		number = next_of_chain(&entry->instances, head);
		if (number != BLG_NONE)
			return number;
	}
	return add_instance(blg, entry, name, parent, hash, head);
}

// Is it the instance that stood at this position in the record before?
static bool
is_as_before(const struct blg_instances *set, const struct pmon_perf_name *name,
	     const struct pmon_perf_name *parent)
{
	uint32_t number;
	const struct blg_instance *known;

	if (set->position >= set->n_places)
		return false;
	number = set->places[set->position].number;
	known = &set->list[number];
	return next_of_chain(set, known->head) == number && is_name(name, &known->name) &&
	       is_name(parent, &known->parent);
}

static enum pmon_status
identify(struct blg *blg, struct blg_entry *entry, const struct pmon_perf_name *window,
	 const struct pmon_perf_name *parent, struct pmon_err *err)
{
	struct blg_instances *set = &entry->instances;
	struct pmon_perf_name name = trim(window);
	uint32_t number;

	if (name.len > blg->limits.string_bytes)
		return pmon_blg_sample_damaged(blg, "the name of an instance is too long");
	if (!pmon_mem_grow(blg->allocator, &set->places, &set->places_cap, set->position + 1,
			   sizeof(*set->places)))
		return pmon_err_nomem(err);
	number = find_or_add(blg, entry, &name, parent);
	if (number == BLG_NONE)
		return pmon_err_nomem(err);
	set->places[set->position] = (struct blg_place){.number = number};
	if (set->position >= set->n_places)
		set->n_places = set->position + 1;
	return PMON_OK;
}

// Can the instance be known again by its name alone?
static void
settle_place(struct blg_place *place, const struct blg_instance *instance)
{
	if (instance->ordinal > 0 || instance->parent.ptr != NULL || instance->n_series != 1 ||
	    instance->name.unit != 2 || instance->name.len > UINT32_MAX)
		return;
	place->name = instance->name.ptr;
	place->name_len = (uint32_t)instance->name.len;
	place->series = instance->series[0];
}

enum pmon_status
pmon_blg_instances_next(struct blg *blg, struct blg_entry *entry, const struct pmon_perf_name *name,
			const struct pmon_perf_name *parent, struct blg_instance **out,
			struct pmon_err *err)
{
	struct blg_instances *set = &entry->instances;
	struct blg_instance *instance;
	struct blg_place *place;

	if (!is_as_before(set, name, parent)) {
		enum pmon_status status = identify(blg, entry, name, parent, err);

		if (status != PMON_OK)
			return status;
	}
	place = &set->places[set->position];
	instance = &set->list[place->number];
	if (instance->name.len > set->budget)
		return pmon_blg_sample_damaged(blg, "names of instances overlap");
	set->budget -= instance->name.len;
	set->chains[instance->head] = (struct blg_chain){set->serial, place->number};
	set->position++;
	*out = instance;
	if (instance->n_series < entry->n_columns) {
		enum pmon_status status = add_columns(blg, entry, instance, err);

		if (status != PMON_OK)
			return status;
	}
	if (place->name == NULL)
		settle_place(place, instance);
	return PMON_OK;
}

// memcmp() for names, which are short.
static inline bool
are_same_bytes(const uint8_t *a, const uint8_t *b, size_t len)
{
	for (; len >= 8; len -= 8, a += 8, b += 8)
		if (pmon_le64(a) != pmon_le64(b))
			return false;
	for (; len >= 2; len -= 2, a += 2, b += 2) // UTF-16
		if (a[0] != b[0] || a[1] != b[1])
			return false;
	return len == 0;
}

bool
pmon_blg_instances_as_before(struct blg_instances *set, const uint8_t *name, size_t left,
			     uint32_t *series_out)
{
	const struct blg_place *place;
	struct blg_chain *chain;
	size_t len;

	if (set->position >= set->n_places)
		return false;
	place = &set->places[set->position];
	if (place->name == NULL)
		return false;
	len = place->name_len;
	chain = &set->chains[place->number];
	if (left < len + 2 || set->budget < len || chain->serial == set->serial || name[len] != 0 ||
	    name[len + 1] != 0 || !are_same_bytes(name, place->name, len))
		return false;
	*chain = (struct blg_chain){set->serial, place->number};
	set->budget -= len;
	set->position++;
	*series_out = place->series;
	return true;
}
