// places.c - which process or thread has each instance name
// SPDX-License-Identifier: MIT

#include "query/places.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "core/calc.h"

void
pmon_places_init(struct pmon_places *places, const struct pmon_allocator *allocator,
		 const struct pmon_schema *schema)
{
	*places = (struct pmon_places){.allocator = allocator,
				       .schema = schema,
				       .seed = pmon_hash_seed(),
				       .log_start = PMON_TIME_NONE};
}

static void
free_stream(const struct pmon_places *places, struct pmon_place_stream *stream)
{
	pmon_mem_free(places->allocator, stream->there, stream->there_cap * sizeof(*stream->there));
}

void
pmon_places_free(struct pmon_places *places)
{
	const struct pmon_allocator *allocator = places->allocator;

	pmon_mem_free(allocator, places->list, places->cap * sizeof(*places->list));
	pmon_mem_free(allocator, places->spots, places->spots_cap * sizeof(*places->spots));
	pmon_mem_free(allocator, places->members, places->members_cap * sizeof(*places->members));
	pmon_mem_free(allocator, places->kept, places->kept_cap * sizeof(*places->kept));
	for (size_t i = 0; i < places->n_streams; i++)
		free_stream(places, &places->streams[i]);
	pmon_mem_free(allocator, places->streams, places->streams_cap * sizeof(*places->streams));
	pmon_mem_free(allocator, places->touched, places->touched_cap * sizeof(*places->touched));
	pmon_mem_free(allocator, places->series, places->series_cap * sizeof(*places->series));
	pmon_mem_free(allocator, places->tellers, places->tellers_cap * sizeof(*places->tellers));
	pmon_map_free(&places->spot_map, allocator);
	pmon_map_free(&places->there_map, allocator);
}

void
pmon_places_rewind(struct pmon_places *places)
{
	for (size_t i = 0; i < places->n; i++) {
		struct pmon_place *place = &places->list[i];

		*place = (struct pmon_place){.path = place->path, .spot = place->spot};
	}
	for (size_t i = 0; i < places->n_members; i++) {
		places->members[i].generation = 0;
		places->members[i].is_waiting = places->members[i].is_told = false;
	}
	for (size_t i = 0; i < places->n_streams; i++)
		free_stream(places, &places->streams[i]);
	places->n_streams = places->n_waiting = 0;
	for (size_t i = 0; i < places->n_kept; i++)
		places->kept[i].stamp = 0;
	places->stamp = 0;
	places->is_begun = false;
}

// ---- Places ---------------------------------------------------------------------------------

static uint64_t
hash_of(uint64_t seed, const struct pmon_path *path)
{
	uint64_t hash = pmon_map_mix_name(seed ^ (uint32_t)path->index, path->machine);

	hash = pmon_map_mix_name(hash, path->object);
	hash = pmon_map_mix_name(hash, path->parent);
	return pmon_map_mix_name(hash, path->instance);
}

// Series that are neighbours in a schema share their texts.
static bool
same_name(struct pmon_span a, struct pmon_span b)
{
	return (a.ptr == b.ptr && a.len == b.len) || pmon_text_same(a, b);
}

static bool
same_instance(const struct pmon_path *a, const struct pmon_path *b)
{
	return a->index == b->index && same_name(a->instance, b->instance) &&
	       same_name(a->parent, b->parent) && same_name(a->object, b->object) &&
	       same_name(a->machine, b->machine);
}

bool
pmon_place_same(const struct pmon_place *a, const struct pmon_place *b)
{
	return same_instance(a->path, b->path);
}

static uint32_t
find_spot(const struct pmon_places *places, const struct pmon_path *path, uint64_t hash)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&places->spot_map, hash, &at)) != PMON_MAP_NONE)
		if (same_instance(places->spots[i].path, path))
			return i;
	return PMON_PLACE_NONE;
}

const struct pmon_place *
pmon_places_at(const struct pmon_places *places, const struct pmon_path *path)
{
	uint32_t spot = find_spot(places, path, hash_of(places->seed, path));

	return spot != PMON_PLACE_NONE && places->spots[spot].place != PMON_PLACE_NONE
		       ? &places->list[places->spots[spot].place]
		       : NULL;
}

// The instance that a path is of. PMON_PLACE_NONE when memory is short.
static uint32_t
spot_of(struct pmon_places *places, const struct pmon_path *path)
{
	uint64_t hash;
	uint32_t found;

	if (places->n_spots > 0 && same_instance(places->spots[places->n_spots - 1].path, path))
		return (uint32_t)places->n_spots - 1;
	hash = hash_of(places->seed, path);
	found = find_spot(places, path, hash);
	if (found != PMON_PLACE_NONE)
		return found;
	if (!pmon_mem_grow(places->allocator, &places->spots, &places->spots_cap,
			   places->n_spots + 1, sizeof(*places->spots)) ||
	    !pmon_map_put(&places->spot_map, places->allocator, hash, (uint32_t)places->n_spots))
		return PMON_PLACE_NONE;
	places->spots[places->n_spots] =
		(struct pmon_spot){path, PMON_PLACE_NONE, PMON_SERIES_NONE};
	return (uint32_t)places->n_spots++;
}

// A counter of the instance identifies its process. False when memory is short.
static bool
make_place(struct pmon_places *places, uint32_t spot)
{
	if (places->spots[spot].place != PMON_PLACE_NONE)
		return true;
	if (!pmon_mem_grow(places->allocator, &places->list, &places->cap, places->n + 1,
			   sizeof(*places->list)) ||
	    !pmon_mem_grow(places->allocator, &places->touched, &places->touched_cap, places->n + 1,
			   sizeof(*places->touched)))
		return false;
	places->list[places->n] =
		(struct pmon_place){.path = places->spots[spot].path, .spot = spot};
	places->spots[spot].place = (uint32_t)places->n++;
	return true;
}

// Instances that are sums of others are not processes, whatever their numbers add up to. A process
// may have that name too; it is `_Total#1`.
static bool
is_sum(const struct pmon_path *path)
{
	return path->index == 0 &&
	       (pmon_path_is_total(path) || pmon_text_same(path->instance, PMON_SPAN("_Global_")));
}

static enum pmon_role
role_in_instance(const struct pmon_series *series)
{
	enum pmon_role role = pmon_role_of(pmon_series_english(series)->counter);

	if (role == PMON_ROLE_VALUE || is_sum(&series->path))
		return PMON_ROLE_VALUE;
	// A printed elapsed time is too coarse to identify a process.
	if (role == PMON_ROLE_ELAPSED && series->counter.type != PMON_PERF_ELAPSED_TIME)
		return PMON_ROLE_VALUE;
	return role;
}

static bool
add_member(struct pmon_places *places, const struct pmon_series *series)
{
	struct pmon_member *member = &places->members[places->n_members];
	struct pmon_calc calc;

	*member = (struct pmon_member){.spot = PMON_PLACE_NONE, .is_formatted = series->formatted};
	if (series->path.instance.ptr != NULL) {
		member->spot = spot_of(places, &series->path);
		if (member->spot == PMON_PLACE_NONE)
			return false;
		member->before = places->spots[member->spot].newest;
		places->spots[member->spot].newest = series->id;
		member->role = (uint8_t)role_in_instance(series);
		if (member->role > PMON_ROLE_VALUE && !make_place(places, member->spot))
			return false;
		pmon_calc_init(&calc, &series->counter, NULL);
		member->is_paired = pmon_calc_needs_two(&calc);
	}
	places->n_members++;
	if (pmon_place_of(places, series->id) != PMON_PLACE_NONE)
		member->generation = places->list[pmon_place_of(places, series->id)].generation;
	return true;
}

static bool
grow(struct pmon_places *places)
{
	size_t n = pmon_schema_count(places->schema);

	if (n == places->n_members)
		return true;
	if (!pmon_mem_grow(places->allocator, &places->members, &places->members_cap, n,
			   sizeof(*places->members)) ||
	    (places->from_start && !pmon_mem_grow(places->allocator, &places->kept,
						  &places->kept_cap, n, sizeof(*places->kept))))
		return false;
	for (; places->from_start && places->n_kept < n; places->n_kept++)
		places->kept[places->n_kept].stamp = 0;
	while (places->n_members < n)
		if (!add_member(places, pmon_schema_at(places->schema, places->n_members)))
			return false;
	return true;
}

// ---- Processes from a sample ----------------------------------------------------------------

// A place in a sample; what the sample says about its process is collected in `told`.
static struct pmon_place *
touch(struct pmon_places *places, uint32_t number)
{
	struct pmon_place *place = &places->list[number];

	if (place->stamp == places->stamp)
		return place;
	place->stamp = places->stamp;
	place->told = (struct pmon_who){.has_pid = false};
	place->changed = place->began = false;
	place->from = PMON_PLACE_NONE;
	places->touched[places->n_touched++] = number;
	return place;
}

static bool
read_number(const struct pmon_member *member, const struct pmon_raw *raw, int64_t *out)
{
	double number;

	*out = raw->first;
	if (!member->is_formatted)
		return true;
	number = pmon_raw_double(raw);
	if (!(number >= 0 && number <= (double)UINT32_MAX))
		return false;
	*out = (int64_t)number;
	return true;
}

// Ticks of a clock in 100 ns. PMON_TIME_NONE when that is too long to be added to a time.
static pmon_time
in_100ns(int64_t ticks, int64_t time_base)
{
	double scaled = (double)ticks * ((double)PMON_TIME_PER_SEC / (double)time_base);

	if (!(fabs(scaled) < 0x1p62))
		return PMON_TIME_NONE;
	return time_base == PMON_TIME_PER_SEC ? ticks : (pmon_time)scaled;
}

// The value of a process that never started, or will start later, is ignored.
static void
read_elapsed(struct pmon_place *place, const struct pmon_raw *raw, int64_t time_base,
	     pmon_time *clock)
{
	pmon_time now;
	pmon_time start;

	if (time_base <= 0 || raw->first <= 0 || raw->second < raw->first)
		return;
	now = in_100ns(raw->second, time_base);
	start = in_100ns(raw->first, time_base);
	if (now == PMON_TIME_NONE || start == PMON_TIME_NONE)
		return;
	*clock = now;
	place->told.has_start = true;
	place->told.start = start;
	place->age_100ns = now - start;
}

// One of the series that identify a process.
static void
read_teller(struct pmon_places *places, uint32_t series, const struct pmon_raw *raw,
	    pmon_time *clock)
{
	const struct pmon_member *member = &places->members[series];
	struct pmon_place *place = touch(places, pmon_place_of(places, series));
	struct pmon_who *told = &place->told;

	if (!pmon_raw_usable(raw))
		return;
	if (member->role == PMON_ROLE_PROCESS_ID)
		told->has_pid = read_number(member, raw, &told->pid);
	else if (member->role == PMON_ROLE_THREAD_ID)
		told->has_tid = read_number(member, raw, &told->tid);
	else
		read_elapsed(place, raw, pmon_schema_at(places->schema, series)->counter.time_base,
			     clock);
}

// The stream of a sample, as it was before it. NULL when memory is short.
static struct pmon_place_stream *
stream_of(struct pmon_places *places, const struct pmon_sample *sample)
{
	struct pmon_place_stream *stream;

	for (size_t i = 0; i < places->n_streams; i++)
		if (places->streams[i].stream == sample->stream)
			return &places->streams[i];
	if (!pmon_mem_grow(places->allocator, &places->streams, &places->streams_cap,
			   places->n_streams + 1, sizeof(*places->streams)))
		return NULL;
	stream = &places->streams[places->n_streams++];
	*stream = (struct pmon_place_stream){.stream = sample->stream,
					     .time = sample->ordinal > 0 ? places->log_start
									 : PMON_TIME_NONE,
					     .clock = PMON_TIME_NONE};
	return stream;
}

// ---- From one sample to the next ------------------------------------------------------------

static uint64_t
hash_of_who(uint64_t seed, const struct pmon_who *who)
{
	return pmon_map_mix(seed, (uint64_t)(who->has_tid ? who->tid : who->pid));
}

bool
pmon_places_index(struct pmon_places *places, const struct pmon_place_stream *stream)
{
	pmon_map_clear(&places->there_map);
	for (size_t i = 0; i < stream->n_there; i++) {
		uint32_t number = stream->there[i];

		if (!pmon_map_put(&places->there_map, places->allocator,
				  hash_of_who(places->seed, &places->list[number].who), number))
			return false;
	}
	return true;
}

// Only an id and a start time together show that it is the same process at another place.
static bool
is_known(const struct pmon_who *who)
{
	return who->has_start && (who->has_pid || who->has_tid);
}

uint32_t
pmon_places_find(const struct pmon_places *places, const struct pmon_path *path,
		 const struct pmon_who *who)
{
	uint64_t hash = hash_of_who(places->seed, who);
	size_t at = 0;
	uint32_t number;

	if (!is_known(who))
		return PMON_PLACE_NONE;
	while ((number = pmon_map_next(&places->there_map, hash, &at)) != PMON_MAP_NONE) {
		const struct pmon_place *place = &places->list[number];

		if (is_known(&place->who) && place->who.has_tid == who->has_tid &&
		    pmon_who_same(&place->who, who) &&
		    same_name(place->path->object, path->object) &&
		    same_name(place->path->machine, path->machine))
			return number;
	}
	return PMON_PLACE_NONE;
}

// Samples that hold nothing of what was asked for are left out, so that there may be others between
// the two of a stream.
static bool
was_there(const struct pmon_place *place, const struct pmon_sample *sample)
{
	return place->is_seen && place->stream == sample->stream &&
	       place->ordinal + 1 == sample->ordinal && pmon_who_same(&place->who, &place->told);
}

// For processes that are new at their places, find their places in the sample before.
static bool
find_moved(struct pmon_places *places, const struct pmon_sample *sample)
{
	const struct pmon_place_stream *before = &places->before;
	bool is_indexed = false;

	if (before->n_there == 0 || before->ordinal + 1 != sample->ordinal || sample->lead_in)
		return true;
	for (size_t i = 0; i < places->n_touched; i++) {
		struct pmon_place *place = &places->list[places->touched[i]];

		if (was_there(place, sample) || !is_known(&place->told))
			continue;
		if (!is_indexed && !pmon_places_index(places, before))
			return false;
		is_indexed = true;
		place->from = pmon_places_find(places, place->path, &place->told);
	}
	return true;
}

// Who began after the sample before was in none of those that were left out.
static bool
began(const struct pmon_place *place, const struct pmon_place_stream *before,
      const struct pmon_sample *sample, pmon_time ahead_100ns)
{
	return place->from == PMON_PLACE_NONE && !was_there(place, sample) && !sample->lead_in &&
	       pmon_who_began_after(&place->told, before->time, before->clock, ahead_100ns);
}

static void
learn(struct pmon_who *who, const struct pmon_who *told)
{
	if (told->has_pid)
		who->pid = told->pid;
	if (told->has_tid)
		who->tid = told->tid;
	if (told->has_start)
		who->start = told->start;
	who->has_pid |= told->has_pid;
	who->has_tid |= told->has_tid;
	who->has_start |= told->has_start;
}

static void
settle(struct pmon_places *places, struct pmon_place *place, const struct pmon_sample *sample,
       pmon_time ahead_100ns)
{
	place->began = places->from_start && began(place, &places->before, sample, ahead_100ns);
	place->changed = place->is_seen && !pmon_who_same(&place->who, &place->told);
	if (place->changed) {
		place->was = place->who;
		place->was_ahead_100ns = ahead_100ns;
		place->who = place->told;
		place->generation++;
	} else {
		learn(&place->who, &place->told);
	}
	if (place->generation == 0)
		learn(&place->first, &place->told);
	if (!place->is_seen) {
		place->first_age_100ns = place->age_100ns;
		place->first_ordinal = sample->ordinal;
		place->first_ahead_100ns = ahead_100ns;
	}
	place->is_seen = true;
	place->stream = sample->stream;
	place->ordinal = sample->ordinal;
	places->n_changed += place->changed;
	places->n_led += place->began || place->from != PMON_PLACE_NONE;
}

// The stream has this sample now. False when memory is short.
static bool
note_sample(struct pmon_places *places, struct pmon_place_stream *stream,
	    const struct pmon_sample *sample, pmon_time clock)
{
	stream->time = sample->time;
	stream->clock = clock;
	stream->ordinal = sample->ordinal;
	stream->stamp = places->stamp;
	stream->n_there = 0;
	if (!places->from_start || places->n_touched == 0)
		return true;
	if (!pmon_mem_grow(places->allocator, &stream->there, &stream->there_cap, places->n_touched,
			   sizeof(*stream->there)))
		return false;
	memcpy(stream->there, places->touched, places->n_touched * sizeof(*stream->there));
	stream->n_there = places->n_touched;
	return true;
}

// Take note of the series of a sample, most often those of the one before. False when memory is short.
static bool
list_series(struct pmon_places *places, const struct pmon_sample *sample)
{
	size_t size = sizeof(*places->series);

	places->is_alike = places->n_series == sample->n && sample->n > 0 &&
			   memcmp(places->series, sample->series, sample->n * size) == 0;
	if (places->is_alike || sample->n == 0)
		return true;
	places->n_series = places->n_tellers = 0;
	if (!pmon_mem_grow(places->allocator, &places->series, &places->series_cap, sample->n,
			   size) ||
	    !pmon_mem_grow(places->allocator, &places->tellers, &places->tellers_cap, sample->n,
			   sizeof(*places->tellers)))
		return false;
	memcpy(places->series, sample->series, sample->n * size);
	places->n_series = sample->n;
	for (size_t i = 0; i < sample->n; i++)
		if (places->members[sample->series[i]].role > PMON_ROLE_VALUE)
			places->tellers[places->n_tellers++] = (uint32_t)i;
	return true;
}

// What a sample says about processes. *clock is set to what `Elapsed Time` counts to.
static void
read_tellers(struct pmon_places *places, const struct pmon_sample *sample, pmon_time *clock)
{
	for (size_t i = 0; i < sample->n; i++)
		places->n_marked += sample->raw[i].status == PMON_RAW_CHANGED;
	for (size_t i = 0; sample->n > 0 && i < places->n_tellers; i++) {
		uint32_t at = places->tellers[i];

		read_teller(places, sample->series[at], &sample->raw[at], clock);
	}
}

bool
pmon_places_see(struct pmon_places *places, const struct pmon_sample *sample)
{
	struct pmon_place_stream *stream;
	pmon_time clock = PMON_TIME_NONE;

	places->n_changed = places->n_led = places->n_touched = places->n_marked = 0;
	if (!grow(places) || !list_series(places, sample))
		return false;
	if (!places->is_begun)
		places->first_ordinal = sample->ordinal;
	places->is_begun = true;
	stream = stream_of(places, sample);
	if (stream == NULL)
		return false;
	places->before = *stream;
	places->stamp++;
	if (places->n > 0)
		read_tellers(places, sample, &clock);
	if (!find_moved(places, sample))
		return false;
	for (size_t i = 0; i < places->n_touched; i++)
		settle(places, &places->list[places->touched[i]], sample,
		       clock != PMON_TIME_NONE ? clock - sample->time : 0);
	return note_sample(places, stream, sample, clock);
}

void
pmon_places_keep(struct pmon_places *places, const struct pmon_sample *sample)
{
	for (size_t i = 0; places->from_start && places->n > 0 && i < sample->n; i++) {
		uint32_t series = sample->series[i];

		if (places->members[series].is_paired)
			places->kept[series] = (struct pmon_kept){sample->raw[i], places->stamp};
	}
}

bool
pmon_places_kept(const struct pmon_places *places, const struct pmon_place_stream *stream,
		 uint32_t place, const struct pmon_series *series, struct pmon_raw *out)
{
	uint32_t spot = places->list[place].spot;

	for (uint32_t i = places->spots[spot].newest; i != PMON_SERIES_NONE;
	     i = places->members[i].before) {
		const struct pmon_series *other = pmon_schema_at(places->schema, i);
		const struct pmon_kept *kept = &places->kept[i];

		if (other->counter.type != series->counter.type ||
		    other->counter.time_base != series->counter.time_base ||
		    !same_name(other->path.counter, series->path.counter))
			continue;
		*out = kept->raw;
		out->status = PMON_RAW_STARTED;
		out->time = stream->time; // before all that the other place has from now on
		return kept->stamp == stream->stamp && pmon_raw_usable(&kept->raw);
	}
	return false;
}
