// instances.c - the instances of an entry
// SPDX-License-Identifier: MIT
//
// Instances are not declared; they just appear in samples. Each is identified by its name, its
// parent, and its ordinal among those of the same name in the same record. A hash table finds them;
// those at the same position as in the previous record are recognized without it (places.c).

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"
#include "base/scan.h"

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

// Does the window contain exactly the known name, optionally with a NUL?
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

// ---- Instances ------------------------------------------------------------------------------

void
pmon_blg_roll_begin(struct blg_roll *roll)
{
	roll->serial++;
}

void
pmon_blg_instances_begin(struct blg_instances *set, size_t bytes)
{
	pmon_blg_roll_begin(set->roll);
	set->position = 0;
	set->budget = bytes;
	set->n_marked = 0;
	set->is_mixed = false;
	// A record that was not read completely cannot be compared with the next one.
	if (!set->is_whole)
		set->n_places = 0;
	set->is_whole = false;
	pmon_blg_places_begin(set, NULL, 0, false);
}

void
pmon_blg_instances_free(struct blg_instances *set, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, set->places, set->places_cap * sizeof(*set->places));
	pmon_mem_free(allocator, set->image, set->image_cap);
}

void
pmon_blg_roll_free(struct blg_roll *roll, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, roll->list, roll->cap * sizeof(*roll->list));
	pmon_mem_free(allocator, roll->chains, roll->chains_cap * sizeof(*roll->chains));
	pmon_map_free(&roll->map, allocator);
	pmon_map_free(&roll->indexed, allocator);
}

// ---- Names with an index --------------------------------------------------------------------

// A writer puts the index into the name ("a#1") if the instances before it are not in the record,
// and otherwise lets it follow from the order of equal names. Both mean the same instance.

// A name without its index, which is at least 1.
struct indexed_name {
	const uint8_t *ptr;
	size_t len; // bytes of UTF-16
	uint32_t index;
};

// Cut "#n" off the end of a name, as the path parser does.
static bool
cut_index(const struct pmon_perf_name *name, struct indexed_name *out)
{
	uint64_t index = 0, unit = 1;
	size_t at = name->len;

	for (; at >= 2 && name->len - at <= 20; at -= 2, unit *= 10) {
		uint32_t c = name->ptr[at - 2] | (uint32_t)name->ptr[at - 1] << 8;

		if (c == '#')
			break;
		if (c > '9' || !pmon_is_digit((char)c))
			return false;
		index += (c - '0') * unit;
	}
	// 0, numbers with leading zeros, and numbers that are too large are part of the name.
	if (at < 2 || name->len - at < 2 || name->len - at > 20 || name->ptr[at] == '0' ||
	    index > INT32_MAX)
		return false;
	*out = (struct indexed_name){name->ptr, at - 2, (uint32_t)index};
	return true;
}

static bool
indexed_name(const struct blg_instance *instance, struct indexed_name *out)
{
	if (instance->name.unit != 2 || instance->parent.ptr != NULL)
		return false;
	if (instance->ordinal == 0)
		return cut_index(&instance->name, out);
	*out = (struct indexed_name){instance->name.ptr, instance->name.len, instance->ordinal};
	return true;
}

// The seed differs per file, to prevent crafted collisions.
static uint64_t
hash_indexed(const struct blg_roll *roll, const struct indexed_name *name)
{
	return pmon_map_mix_bytes(roll->hash_seed ^ name->index, name->ptr, name->len);
}

uint32_t
pmon_blg_roll_namesake(const struct blg_roll *roll, const struct blg_instance *instance)
{
	struct indexed_name name, other;
	uint64_t hash;
	size_t at = 0;
	uint32_t i;

	if (!indexed_name(instance, &name))
		return BLG_NONE;
	hash = hash_indexed(roll, &name);
	while ((i = pmon_map_next(&roll->indexed, hash, &at)) != PMON_MAP_NONE) {
		(void)indexed_name(&roll->list[i], &other); // always true for those in the map
		if (&roll->list[i] != instance && other.index == name.index &&
		    other.len == name.len && memcmp(other.ptr, name.ptr, name.len) == 0)
			return i;
	}
	return BLG_NONE;
}

// ---- The roll -------------------------------------------------------------------------------

// The next instance of a chain in this record; BLG_NONE if it is new.
static uint32_t
next_of_chain(const struct blg_roll *roll, uint32_t head)
{
	const struct blg_chain *chain = &roll->chains[head];

	return chain->serial == roll->serial ? roll->list[chain->cursor].next : head;
}

static uint32_t
find_head(const struct blg_roll *roll, const struct pmon_perf_name *name,
	  const struct pmon_perf_name *parent, uint32_t hash)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&roll->map, hash, &at)) != PMON_MAP_NONE)
		if (is_name(name, &roll->list[i].name) && is_name(parent, &roll->list[i].parent))
			return i;
	return BLG_NONE;
}

// Add an instance, with its name, parent and hash: at the end of the chain of `head`, or (BLG_NONE)
// in a chain of its own.
static uint32_t
add_instance(struct blg *blg, struct blg_roll *roll, const struct blg_instance *from, uint32_t head)
{
	uint32_t before = head != BLG_NONE ? roll->chains[head].cursor : BLG_NONE;
	uint32_t number = (uint32_t)roll->n;
	struct blg_instance *instance;
	struct indexed_name name;

	if (roll->n >= BLG_NONE ||
	    !pmon_mem_grow(blg->allocator, &roll->list, &roll->cap, roll->n + 1,
			   sizeof(*roll->list)) ||
	    !pmon_mem_grow(blg->allocator, &roll->chains, &roll->chains_cap, roll->n + 1,
			   sizeof(*roll->chains)) ||
	    !pmon_map_reserve(&roll->map, blg->allocator, 1))
		return BLG_NONE;
	instance = &roll->list[number];
	*instance = *from;
	instance->ordinal = head != BLG_NONE ? roll->list[before].ordinal + 1 : 0;
	instance->head = head != BLG_NONE ? head : number;
	instance->next = BLG_NONE;
	roll->chains[number] = (struct blg_chain){0};
	roll->hash_seed = blg->hash_seed;
	if (indexed_name(instance, &name) &&
	    !pmon_map_put(&roll->indexed, blg->allocator, hash_indexed(roll, &name), number))
		return BLG_NONE;
	if (head != BLG_NONE)
		roll->list[before].next = number;
	else
		pmon_map_add(&roll->map, from->hash, number);
	roll->n++;
	return number;
}

static uint32_t
add_copy(struct blg *blg, struct blg_roll *roll, const struct blg_instance *from, uint32_t head)
{
	struct blg_instance copy = *from;

	if (!copy_name(blg, &from->name, &copy.name) ||
	    !copy_name(blg, &from->parent, &copy.parent))
		return BLG_NONE;
	return add_instance(blg, roll, &copy, head);
}

// The next instance in this record with the name, parent and hash of `from`, if it is known.
// *head_out is the first of its chain, or BLG_NONE.
static uint32_t
find(struct blg_instances *set, const struct blg_instance *from, uint32_t *head_out)
{
	*head_out = find_head(set->roll, &from->name, &from->parent, from->hash);
	if (*head_out == BLG_NONE)
		return BLG_NONE;
	pmon_blg_places_mark(set);
	set->is_mixed = true;
	return next_of_chain(set->roll, *head_out);
}

// Whether it is the instance at this position in the previous record.
static bool
is_as_before(struct blg_instances *set, const struct pmon_perf_name *name,
	     const struct pmon_perf_name *parent)
{
	const struct blg_instance *known;
	uint32_t number;

	if (set->position >= set->n_places)
		return false;
	number = set->places[set->position].number;
	known = &set->roll->list[number];
	if (known->head != number) // others of its name may precede it
		pmon_blg_places_mark(set);
	return next_of_chain(set->roll, known->head) == number && is_name(name, &known->name) &&
	       is_name(parent, &known->parent);
}

static enum pmon_status
identify(struct blg *blg, struct blg_instances *set, const struct pmon_perf_name *window,
	 const struct pmon_perf_name *parent, struct pmon_err *err)
{
	struct blg_instance wanted = {.name = trim(window), .parent = *parent};
	uint64_t hash;
	uint32_t head, number;

	if (wanted.name.len > blg->limits.string_bytes)
		return pmon_blg_sample_damaged(blg, "the name of an instance is too long");
	hash = pmon_map_mix_bytes(blg->hash_seed, wanted.name.ptr, wanted.name.len);
	if (parent->len > 0)
		hash = pmon_map_mix_bytes(hash, parent->ptr, parent->len);
	wanted.hash = (uint32_t)hash;
	number = find(set, &wanted, &head);
	if (number == BLG_NONE)
		number = add_copy(blg, set->roll, &wanted, head);
	if (number == BLG_NONE || !pmon_blg_places_put(blg, set, number))
		return pmon_err_nomem(err);
	return PMON_OK;
}

enum pmon_status
pmon_blg_instances_next(struct blg *blg, struct blg_entry *entry, const struct pmon_perf_name *name,
			const struct pmon_perf_name *parent, struct blg_instance **out,
			struct pmon_err *err)
{
	struct blg_instances *set = entry->many->instances;
	struct blg_instance *instance;
	uint32_t number;

	if (!is_as_before(set, name, parent)) {
		enum pmon_status status = identify(blg, set, name, parent, err);

		if (status != PMON_OK)
			return status;
	}
	number = set->places[set->position].number;
	instance = &set->roll->list[number];
	if (instance->name.len > set->budget)
		return pmon_blg_sample_damaged(blg, "instance names overlap");
	set->budget -= instance->name.len;
	set->roll->chains[instance->head] = (struct blg_chain){set->roll->serial, number};
	set->position++;
	*out = instance;
	return pmon_blg_instance_complete(blg, entry, instance, err);
}

uint32_t
pmon_blg_roll_take(struct blg *blg, struct blg_roll *roll, const struct blg_instance *from)
{
	struct blg_instance bare = {.name = from->name,
				    .parent = from->parent,
				    .hash = from->hash,
				    .series = from->series,
				    .series_cap = from->series_cap};
	uint32_t head = find_head(roll, &from->name, &from->parent, from->hash);
	uint32_t number = head != BLG_NONE ? next_of_chain(roll, head) : BLG_NONE;

	if (number == BLG_NONE)
		number = add_instance(blg, roll, &bare, head);
	if (number != BLG_NONE)
		roll->chains[roll->list[number].head] = (struct blg_chain){roll->serial, number};
	return number;
}
