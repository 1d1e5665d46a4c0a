// boundaries.c - match processes across parts of a log, or logs, that are read separately
// SPDX-License-Identifier: MIT

#include "query/boundaries.h"

#include "base/mem.h"
#include "query/identity.h"
#include "query/statistics.h"

void
pmon_boundaries_init(struct pmon_boundaries *boundaries, const struct pmon_allocator *allocator)
{
	*boundaries = (struct pmon_boundaries){
		.allocator = allocator, .time = PMON_TIME_NONE, .clock = PMON_TIME_NONE};
}

void
pmon_boundaries_free(struct pmon_boundaries *boundaries)
{
	pmon_mem_free(boundaries->allocator, boundaries->list,
		      boundaries->cap * sizeof(*boundaries->list));
}

static bool
grow(struct pmon_boundaries *boundaries, size_t n)
{
	if (!pmon_mem_grow(boundaries->allocator, &boundaries->list, &boundaries->cap, n,
			   sizeof(*boundaries->list)))
		return false;
	for (; boundaries->n < n; boundaries->n++)
		boundaries->list[boundaries->n] = (struct pmon_boundary){.is_known = false};
	return true;
}

// For a slot of the next part, the slot of its process in the newest sample of the previous part.
// This is known for slots in the first sample of the next part.
static uint32_t
slot_before(const struct pmon_boundaries *boundaries, const struct pmon_slots *slots,
	    const struct pmon_slot *slot)
{
	const struct pmon_slots *before = boundaries->before;

	if (before == NULL || before->n_streams == 0 || !slots->from_start ||
	    slot->first_ordinal != slots->first_ordinal)
		return PMON_SLOT_NONE;
	return pmon_slots_find(before, slot->path, &slot->first);
}

// The raw value to pair with the first one of a series in the next part, if its process began or
// moved at the boundary. is_same: the series belonged to that process before.
static bool
find_start(const struct pmon_boundaries *boundaries, const struct pmon_slots *slots, bool is_same,
	   const struct pmon_series *series, const struct pmon_raw *head, struct pmon_raw *out)
{
	const struct pmon_slot *slot = &slots->list[pmon_slot_of(slots, series->id)];
	const struct pmon_slots *before = boundaries->before;
	uint32_t from = slot_before(boundaries, slots, slot);

	if (from != PMON_SLOT_NONE)
		return !pmon_slot_same(&before->list[from], slot) &&
		       pmon_slots_kept(before, &before->streams[before->n_streams - 1], from,
				       series, out);
	return before != NULL && slots->from_start && !is_same &&
	       slot->first_ordinal == slots->first_ordinal &&
	       pmon_who_began_after(&slot->first, boundaries->time, boundaries->clock,
				    slot->first_ahead_100ns) &&
	       pmon_slot_started(series, slot->first_age_100ns, head, out);
}

// The first usable value of a series of a part starts over if it belongs to another process. False
// when memory is short.
static bool
correct(const struct pmon_boundaries *boundaries, const struct pmon_identity *identity,
	uint32_t series, uint32_t number, struct pmon_boundary *boundary,
	struct pmon_statistics *statistics)
{
	const struct pmon_slots *slots = &identity->slots;
	const struct pmon_slot *slot = &slots->list[pmon_slot_of(slots, series)];
	const struct pmon_stats *stats = pmon_statistics_at(statistics, number);
	bool is_same = boundary->is_known && pmon_who_same(&boundary->newest, &slot->first);
	bool begins_anew = boundary->is_waiting || (boundary->is_known && !is_same);
	struct pmon_raw start;
	bool good = true;

	if (stats == NULL || !slots->members[series].is_paired)
		return true;
	if (stats->has_head && stats->head.time == stats->first_raw_time &&
	    find_start(boundaries, slots, is_same, pmon_schema_at(slots->schema, series),
		       &stats->head, &start))
		good = pmon_statistics_changed(statistics, number, &start);
	else if (stats->has_head && begins_anew)
		good = pmon_statistics_changed(statistics, number, NULL);
	boundary->is_waiting =
		slots->members[series].is_waiting || (!stats->has_tail && begins_anew);
	return good;
}

static bool
join_series(struct pmon_boundaries *boundaries, const struct pmon_identity *identity,
	    uint32_t series, const uint32_t *map, struct pmon_statistics *statistics)
{
	uint32_t slot = pmon_slot_of(&identity->slots, series);
	uint32_t number = identity->base.inner != NULL ? series : identity->map[series];
	struct pmon_boundary *boundary;

	if (number == PMON_SERIES_NONE || slot == PMON_SLOT_NONE)
		return true;
	if (!grow(boundaries, (size_t)map[number] + 1))
		return false;
	boundary = &boundaries->list[map[number]];
	if (!correct(boundaries, identity, series, number, boundary, statistics))
		return false;
	boundary->newest = identity->slots.list[slot].who;
	boundary->is_known = true;
	return true;
}

bool
pmon_boundaries_join(struct pmon_boundaries *boundaries, struct pmon_source *part,
		     const uint32_t *map, struct pmon_statistics *statistics, bool follows)
{
	struct pmon_identity *identity = (struct pmon_identity *)part;
	struct pmon_slots *slots = &identity->slots;

	if (!follows)
		boundaries->before = NULL;
	else if (boundaries->before != NULL && boundaries->before->n_streams > 0 &&
		 !pmon_slots_index(boundaries->before,
				   &boundaries->before->streams[boundaries->before->n_streams - 1]))
		return false;
	for (size_t i = 0; slots->n > 0 && i < slots->n_members; i++)
		if (!join_series(boundaries, identity, (uint32_t)i, map, statistics))
			return false;
	if (slots->n_streams > 0) {
		boundaries->time = slots->streams[slots->n_streams - 1].time;
		boundaries->clock = slots->streams[slots->n_streams - 1].clock;
		boundaries->before = slots;
	}
	return true;
}
