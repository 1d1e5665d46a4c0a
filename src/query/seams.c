// seams.c - processes across the parts of a log, or across logs, that are read apart
// SPDX-License-Identifier: MIT

#include "query/seams.h"

#include "base/mem.h"
#include "query/identity.h"
#include "query/statistics.h"

void
pmon_seams_init(struct pmon_seams *seams, const struct pmon_allocator *allocator)
{
	*seams = (struct pmon_seams){
		.allocator = allocator, .time = PMON_TIME_NONE, .clock = PMON_TIME_NONE};
}

void
pmon_seams_free(struct pmon_seams *seams)
{
	pmon_mem_free(seams->allocator, seams->list, seams->cap * sizeof(*seams->list));
}

static bool
grow(struct pmon_seams *seams, size_t n)
{
	if (!pmon_mem_grow(seams->allocator, &seams->list, &seams->cap, n, sizeof(*seams->list)))
		return false;
	for (; seams->n < n; seams->n++)
		seams->list[seams->n] = (struct pmon_seam){.is_known = false};
	return true;
}

// The place of the process of a place of the next part, in the newest sample of the part before.
// That is known of those that are in the first sample of the next one.
static uint32_t
place_before(const struct pmon_seams *seams, const struct pmon_places *places,
	     const struct pmon_place *place)
{
	const struct pmon_places *before = seams->before;

	if (before == NULL || before->n_streams == 0 || !places->from_start ||
	    place->first_ordinal != places->first_ordinal)
		return PMON_PLACE_NONE;
	return pmon_places_find(before, place->path, &place->first);
}

// The raw value that the first one of a series of the next part is paired with, if that is of a process
// that began or moved at the seam. is_same: the series was of that process before.
static bool
find_start(const struct pmon_seams *seams, const struct pmon_places *places, bool is_same,
	   const struct pmon_series *series, const struct pmon_raw *head, struct pmon_raw *out)
{
	const struct pmon_place *place = &places->list[pmon_place_of(places, series->id)];
	const struct pmon_places *before = seams->before;
	uint32_t from = place_before(seams, places, place);

	if (from != PMON_PLACE_NONE)
		return !pmon_place_same(&before->list[from], place) &&
		       pmon_places_kept(before, &before->streams[before->n_streams - 1], from,
					series, out);
	return before != NULL && places->from_start && !is_same &&
	       place->first_ordinal == places->first_ordinal &&
	       pmon_who_began_after(&place->first, seams->time, seams->clock,
				    place->first_ahead_100ns) &&
	       pmon_place_started(series, place->first_age_100ns, head, out);
}

// The first usable value of a series of a part begins anew where it is of another process. False when memory
// is short.
static bool
correct(const struct pmon_seams *seams, const struct pmon_identity *identity, uint32_t series,
	uint32_t number, struct pmon_seam *seam, struct pmon_statistics *statistics)
{
	const struct pmon_places *places = &identity->places;
	const struct pmon_place *place = &places->list[pmon_place_of(places, series)];
	const struct pmon_stats *stats = pmon_statistics_at(statistics, number);
	bool is_same = seam->is_known && pmon_who_same(&seam->newest, &place->first);
	bool begins_anew = seam->is_waiting || (seam->is_known && !is_same);
	struct pmon_raw start;
	bool good = true;

	if (stats == NULL || !places->members[series].is_paired)
		return true;
	if (stats->has_head && stats->head.time == stats->first_raw_time &&
	    find_start(seams, places, is_same, pmon_schema_at(places->schema, series), &stats->head,
		       &start))
		good = pmon_statistics_changed(statistics, number, &start);
	else if (stats->has_head && begins_anew)
		good = pmon_statistics_changed(statistics, number, NULL);
	seam->is_waiting = places->members[series].is_waiting || (!stats->has_tail && begins_anew);
	return good;
}

static bool
join_series(struct pmon_seams *seams, const struct pmon_identity *identity, uint32_t series,
	    const uint32_t *map, struct pmon_statistics *statistics)
{
	uint32_t place = pmon_place_of(&identity->places, series);
	uint32_t number = identity->base.inner != NULL ? series : identity->map[series];
	struct pmon_seam *seam;

	if (number == PMON_SERIES_NONE || place == PMON_PLACE_NONE)
		return true;
	if (!grow(seams, (size_t)map[number] + 1))
		return false;
	seam = &seams->list[map[number]];
	if (!correct(seams, identity, series, number, seam, statistics))
		return false;
	seam->newest = identity->places.list[place].who;
	seam->is_known = true;
	return true;
}

bool
pmon_seams_join(struct pmon_seams *seams, struct pmon_source *part, const uint32_t *map,
		struct pmon_statistics *statistics, bool follows)
{
	struct pmon_identity *identity = (struct pmon_identity *)part;
	struct pmon_places *places = &identity->places;

	if (!follows)
		seams->before = NULL;
	else if (seams->before != NULL && seams->before->n_streams > 0 &&
		 !pmon_places_index(seams->before,
				    &seams->before->streams[seams->before->n_streams - 1]))
		return false;
	for (size_t i = 0; places->n > 0 && i < places->n_members; i++)
		if (!join_series(seams, identity, (uint32_t)i, map, statistics))
			return false;
	if (places->n_streams > 0) {
		seams->time = places->streams[places->n_streams - 1].time;
		seams->clock = places->streams[places->n_streams - 1].clock;
		seams->before = places;
	}
	return true;
}
