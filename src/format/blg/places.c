// places.c - instances at the same position as in the previous record
// SPDX-License-Identifier: MIT
//
// Few instances come and go between samples. So the names of a record are kept, and compared with
// those of the next record in long ranges of bytes. An instance whose name lies in a range of equal
// bytes is the previous one at this position, and needs no lookup by hash or chain. This is correct
// because no two positions of a record have the same instance, as long as all others of the record
// are at their old positions or new: once one was found elsewhere, each must be looked up in its
// chain.

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"

#define LOOK_BYTES 1024u // compared at a time
#define LOOK_AHEAD 4     // positions to search for an instance that moved up
#define MOST_MOVES 64    // per record: with more, looking up each instance is faster

bool
pmon_blg_places_are_same(const struct blg_instances *set, const uint8_t *names, size_t len)
{
	return len == set->image_len && (len == 0 || memcmp(names, set->image, len) == 0);
}

void
pmon_blg_places_begin(struct blg_instances *set, const uint8_t *names, size_t len, bool is_same)
{
	set->is_same = is_same;
	set->names = names;
	set->names_len = (uint32_t)len;
	set->shift = 0;
	set->same_from = 0;
	set->same_to = is_same ? set->image_len : 0;
	set->next_at = BLG_NONE;
	set->n_moves = 0;
	set->is_changed = set->names_len != set->image_len;
}

enum pmon_status
pmon_blg_places_end(struct blg *blg, struct blg_instances *set, struct pmon_err *err)
{
	set->n_places = set->position;
	set->is_whole = true;
	if (!set->is_changed || set->names_len == 0)
		return PMON_OK;
	set->image_len = 0;
	if (!pmon_mem_grow(blg->allocator, &set->image, &set->image_cap, set->names_len, 1))
		return pmon_err_nomem(err);
	memcpy(set->image, set->names, set->names_len);
	set->image_len = set->names_len;
	return PMON_OK;
}

void
pmon_blg_places_mark(struct blg_instances *set)
{
	for (; set->n_marked < set->position; set->n_marked++) {
		uint32_t number = set->places[set->n_marked].number;

		set->roll->chains[set->roll->list[number].head] =
			(struct blg_chain){set->roll->serial, number};
	}
}

// ---- Comparing ------------------------------------------------------------------------------

// The number of equal bytes.
static size_t
count_same(const uint8_t *a, const uint8_t *b, size_t len)
{
	size_t n = 0;

	for (; len - n >= 32; n += 32)
		if (((pmon_le64(a + n) ^ pmon_le64(b + n)) |
		     (pmon_le64(a + n + 8) ^ pmon_le64(b + n + 8)) |
		     (pmon_le64(a + n + 16) ^ pmon_le64(b + n + 16)) |
		     (pmon_le64(a + n + 24) ^ pmon_le64(b + n + 24))) != 0)
			break;
	while (n < len && a[n] == b[n])
		n++;
	return n;
}

// Extend the range of equal bytes by comparing those after it. False if the range ends here.
static bool
stretch(struct blg_instances *set)
{
	uint32_t pos = set->same_to + set->shift;
	uint32_t len = set->image_len - set->same_to;
	size_t n;

	if (len > set->names_len - pos)
		len = set->names_len - pos;
	if (len > LOOK_BYTES)
		len = LOOK_BYTES;
	n = count_same(set->image + set->same_to, set->names + pos, len);
	set->same_to += (uint32_t)n;
	return n == len && len > 0;
}

// Is the name at `at` in this record that of the position?
static bool
is_here(struct blg_instances *set, const struct blg_place *place, uint32_t at)
{
	uint64_t end = (uint64_t)place->at + place->len + 2;

	if (place->at == BLG_NONE || at > set->names_len)
		return false;
	if (at - place->at != set->shift || place->at < set->same_from ||
	    place->at > set->same_to) {
		set->shift = at - place->at;
		set->same_from = set->same_to = place->at;
		set->is_changed = set->is_changed || set->shift != 0;
	}
	while (set->same_to < end)
		if (!stretch(set))
			break;
	return set->same_to >= end;
}

// The same, for any position.
static bool
has_name(const struct blg_instances *set, const struct blg_place *place, uint32_t at)
{
	size_t len = (size_t)place->len + 2;

	return place->at != BLG_NONE && at <= set->names_len && len <= set->names_len - at &&
	       memcmp(set->image + place->at, set->names + at, len) == 0;
}

// Check whether the instances at the next positions are gone: the one after them is here, and the
// rest moves up.
static bool
close_gap(struct blg_instances *set, uint32_t at)
{
	struct blg_place *place = &set->places[set->position];
	size_t left = set->n_places - set->position;

	if (set->n_moves >= MOST_MOVES)
		return false;
	for (size_t k = 1; k <= LOOK_AHEAD && k < left; k++) {
		if (!has_name(set, place + k, at))
			continue;
		memmove(place, place + k, (left - k) * sizeof(*place));
		set->n_places -= k;
		set->n_moves++;
		set->is_changed = true;
		return true;
	}
	return false;
}

// If some were found elsewhere, this must be the first of its name in this record.
static bool
take_first(struct blg_instances *set, const struct blg_place *place)
{
	struct blg_chain *chain = &set->roll->chains[place->number];

	if (chain->serial == set->roll->serial)
		return false;
	*chain = (struct blg_chain){set->roll->serial, place->number};
	return true;
}

bool
pmon_blg_places_find(struct blg_instances *set, uint32_t at, uint32_t *number_out)
{
	struct blg_place *place;

	if (set->position >= set->n_places)
		return false;
	place = &set->places[set->position];
	if (!is_here(set, place, at) && !(close_gap(set, at) && is_here(set, place, at)))
		return false;
	if (set->budget < place->len || (set->is_mixed && !take_first(set, place)))
		return false;
	place->at = at;
	set->budget -= place->len;
	set->position++;
	*number_out = place->number;
	return true;
}

// ---- Changes --------------------------------------------------------------------------------

bool
pmon_blg_places_put(struct blg *blg, struct blg_instances *set, uint32_t number)
{
	struct blg_place *place;

	if (!pmon_mem_grow(blg->allocator, &set->places, &set->places_cap, set->n_places + 1,
			   sizeof(*set->places)))
		return false;
	place = &set->places[set->position];
	if (set->position == set->n_places) {
		set->n_places++;
	} else if (set->n_moves < MOST_MOVES && has_name(set, place, set->next_at)) {
		memmove(place + 1, place, (set->n_places - set->position) * sizeof(*place));
		set->n_places++;
		set->n_moves++;
	}
	*place = (struct blg_place){.at = BLG_NONE, .number = number};
	set->is_changed = true;
	return true;
}

void
pmon_blg_places_settle(struct blg_instances *set, const struct blg_instance *instance, uint32_t at)
{
	struct blg_place *place = &set->places[set->position - 1];
	size_t len = instance->name.len + 2;

	if (instance->ordinal > 0 || instance->parent.ptr != NULL || instance->name.unit != 2 ||
	    at > set->names_len || len > set->names_len - at) {
		place->at = BLG_NONE;
		return;
	}
	set->is_changed = set->is_changed || place->at != at;
	place->at = at;
	place->len = (uint32_t)instance->name.len;
}
