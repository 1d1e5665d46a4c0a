// absent.c - objects that had no values for a while
// SPDX-License-Identifier: MIT

#include "analyze/absent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/time.h"

#define FEWEST 2 // samples, as one may be lost

// A provider: an object, or all objects of one instance of SQL Server.
struct provider {
	struct pmon_span name;
	const struct track *track; // the first one
	uint32_t from;             // samples without values; from == to: there are none
	uint32_t to;
	bool differs; // another counter has values in them
};

// "MSSQL$SALES" of "MSSQL$SALES:Locks".
static struct pmon_span
name_of(const struct pmon_series *series)
{
	struct pmon_span object = pmon_series_english(series)->object;
	const char *colon = object.len > 0 ? memchr(object.ptr, ':', object.len) : NULL;

	return colon != NULL ? (struct pmon_span){object.ptr, (size_t)(colon - object.ptr)}
			     : object;
}

// The longest run of samples without values between others that have some.
static void
longest_absence(const struct bins *bins, uint32_t *from, uint32_t *to)
{
	uint32_t at = bins->from;

	*from = *to = 0;
	for (uint32_t i = 0; i < bins->n; at += bins->list[i++].n) {
		if (!isnan(bins->list[i].mean) || bins->list[i].n <= *to - *from)
			continue;
		*from = at;
		*to = at + bins->list[i].n;
	}
}

// The providers, found by what they are called.
struct providers {
	struct provider *list;
	size_t n;
	struct pmon_map map;
	uint64_t seed;
};

static uint64_t
hash_of(const struct providers *p, const struct track *t)
{
	uint64_t hash = pmon_map_mix_name(pmon_map_mix(p->seed, t->stream), name_of(t->series));

	return pmon_map_mix_name(hash, t->series->path.machine);
}

// The provider of a counter, which may be new. NULL when memory is short.
static struct provider *
provider_of(struct providers *p, const struct track *t)
{
	uint64_t hash = hash_of(p, t);
	struct pmon_span name = name_of(t->series);
	struct provider *added = &p->list[p->n];
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&p->map, hash, &at)) != PMON_MAP_NONE)
		if (p->list[i].track->stream == t->stream &&
		    pmon_text_same(p->list[i].name, name) &&
		    pmon_text_same(p->list[i].track->series->path.machine, t->series->path.machine))
			return &p->list[i];
	if (!pmon_map_put(&p->map, pmon_mem_allocator(NULL), hash, (uint32_t)p->n))
		return NULL;
	p->n++;
	*added = (struct provider){.name = name, .track = t};
	longest_absence(&t->bins, &added->from, &added->to);
	return added;
}

static void
take(struct provider *p, const struct track *t)
{
	uint32_t from;
	uint32_t to;

	longest_absence(&t->bins, &from, &to);
	p->differs = p->differs || from != p->from || to != p->to;
}

static bool
counts(const struct track *t)
{
	// Processes end, and instances of others come and go too, but not all of them at once.
	return t != NULL && t->bins.n > 0 && t->meaning->resource != MEANING_PROCESS;
}

static void
note(struct tracks *tracks, const struct provider *p)
{
	struct event event = {.kind = EVENT_ABSENT,
			      .machine = p->track->series->path.machine,
			      .provider = p->name};

	if (p->differs || p->to < p->from + FEWEST)
		return;
	tracks_event_times(tracks, p->track->stream, p->from, p->to - 1, &event);
	event.length_100ns = pmon_time_minus(event.steady_to, event.steady_from);
	events_add(&tracks->events, &event);
}

bool
absent_find(struct tracks *tracks)
{
	struct providers providers = {.list = calloc(tracks->n + 1, sizeof(*providers.list)),
				      .seed = pmon_hash_seed()};
	bool good = providers.list != NULL;

	for (size_t i = 0; good && i < tracks->n; i++) {
		const struct track *t = tracks->list[i];
		struct provider *p = counts(t) ? provider_of(&providers, t) : NULL;

		good = p != NULL || !counts(t);
		if (p != NULL)
			take(p, t);
	}
	for (size_t i = 0; good && i < providers.n; i++)
		note(tracks, &providers.list[i]);
	pmon_map_free(&providers.map, pmon_mem_allocator(NULL));
	free(providers.list);
	return good;
}
