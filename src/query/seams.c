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
	pmon_mem_free(seams->allocator, seams->newest, seams->newest_cap * sizeof(*seams->newest));
	pmon_mem_free(seams->allocator, seams->is_known,
		      seams->known_cap * sizeof(*seams->is_known));
}

static bool
grow(struct pmon_seams *seams, size_t n)
{
	if (!pmon_mem_grow(seams->allocator, &seams->newest, &seams->newest_cap, n,
			   sizeof(*seams->newest)) ||
	    !pmon_mem_grow(seams->allocator, &seams->is_known, &seams->known_cap, n,
			   sizeof(*seams->is_known)))
		return false;
	for (; seams->n < n; seams->n++)
		seams->is_known[seams->n] = false;
	return true;
}

// The first value of a series of a part begins anew where it is of another process.
static void
correct(const struct pmon_seams *seams, const struct pmon_identity *identity, uint32_t series,
	uint32_t number, uint32_t to, struct pmon_statistics *statistics, bool follows)
{
	const struct pmon_places *places = &identity->places;
	const struct pmon_place *place = &places->list[pmon_place_of(places, series)];
	const struct pmon_stats *stats = pmon_statistics_at(statistics, number);
	bool changed = seams->is_known[to] && !pmon_who_same(&seams->newest[to], &place->first);
	bool began = follows && places->from_start &&
		     place->first_ordinal == places->first_ordinal &&
		     (changed || !seams->is_known[to]) &&
		     pmon_who_began_after(&place->first, seams->time, seams->clock,
					  place->first_ahead_100ns);
	struct pmon_raw start;

	if (stats == NULL || !stats->has_head || !places->members[series].is_paired)
		return;
	if (began && pmon_place_started(pmon_schema_at(places->schema, series),
					place->first_age_100ns, &stats->head, &start))
		pmon_statistics_changed(statistics, number, &start);
	else if (changed)
		pmon_statistics_changed(statistics, number, NULL);
}

static bool
join_series(struct pmon_seams *seams, const struct pmon_identity *identity, uint32_t series,
	    const uint32_t *map, struct pmon_statistics *statistics, bool follows)
{
	uint32_t place = pmon_place_of(&identity->places, series);
	uint32_t number = identity->base.inner != NULL ? series : identity->map[series];

	if (number == PMON_SERIES_NONE || place == PMON_PLACE_NONE)
		return true;
	if (!grow(seams, (size_t)map[number] + 1))
		return false;
	correct(seams, identity, series, number, map[number], statistics, follows);
	seams->newest[map[number]] = identity->places.list[place].who;
	seams->is_known[map[number]] = true;
	return true;
}

bool
pmon_seams_join(struct pmon_seams *seams, const struct pmon_source *part, const uint32_t *map,
		struct pmon_statistics *statistics, bool follows)
{
	const struct pmon_identity *identity = (const struct pmon_identity *)part;
	const struct pmon_places *places = &identity->places;

	for (size_t i = 0; places->n > 0 && i < places->n_members; i++)
		if (!join_series(seams, identity, (uint32_t)i, map, statistics, follows))
			return false;
	if (places->n_streams > 0) {
		seams->time = places->streams[places->n_streams - 1].time;
		seams->clock = places->streams[places->n_streams - 1].clock;
	}
	return true;
}
