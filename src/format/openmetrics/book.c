// book.c - families and series by name, and what was counted of each so far
// SPDX-License-Identifier: MIT
//
// The difference of any two values of a Prometheus counter has to be the sum of the good
// differences between them, and nothing else: then a quotient of two such differences is the type's
// average, as pmon computes it. So both counters of a series go on by good pairs only, through
// every wrap; what a reset or an absence makes unknown is left out of both.

#include "format/openmetrics/openmetrics.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "core/calc.h"

#define UNIX_EPOCH INT64_C(116444736000000000) // as pmon_time

// Counting begins at the raw value, so that a later start continues the same counts, whatever file
// the values are from. Bits above these are left out: seconds in a double are exact to 4 ns then,
// which they would not be on a clock that counts from 1601.
#define START_MASK ((UINT64_C(1) << 48) - 1)

// A time that is less than this before the last point counts as the same time.
#define SAME_MS 1000

// ---- Families -------------------------------------------------------------------------------

static uint64_t
hash_of(const struct om_book *book, struct pmon_span text)
{
	return pmon_map_mix_bytes(book->seed, text.ptr, text.len);
}

static const struct om_name *
find_name(const struct om_book *book, const char *name)
{
	uint64_t hash = hash_of(book, (struct pmon_span){name, strlen(name)});
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&book->name_map, hash, &at)) != PMON_MAP_NONE)
		if (strcmp(book->names[i].text, name) == 0)
			return &book->names[i];
	return NULL;
}

static bool
same_parts(const struct om_plan *a, const struct om_plan *b)
{
	for (int i = 0; i < OM_PARTS; i++)
		if (a->parts[i].from != b->parts[i].from ||
		    (a->parts[i].from != OM_NOTHING &&
		     strcmp(a->parts[i].unit, b->parts[i].unit) != 0))
			return false;
	return a->type->formula == b->type->formula;
}

// Is the family of the same counter, and of the same kind?
static bool
is_family(const struct om_family *family, const struct om_track *track)
{
	return pmon_text_same(family->series->path.object, track->series->path.object) &&
	       pmon_text_same(family->series->path.counter, track->series->path.counter) &&
	       same_parts(&family->plan, &track->plan);
}

// The name of a part of a family. Both fit: a name leaves room for the endings.
static void
name_part(const char *name, const struct om_part *part, char out[OM_NAME_SIZE])
{
	(void)snprintf(out, OM_NAME_SIZE, "%s%s", name, part->suffix);
}

static bool
are_free(const struct om_book *book, const char *name, const struct om_plan *plan)
{
	char full[OM_NAME_SIZE];

	for (int i = 0; i < OM_PARTS; i++) {
		if (plan->parts[i].from == OM_NOTHING)
			continue;
		name_part(name, &plan->parts[i], full);
		if (find_name(book, full) != NULL)
			return false;
	}
	return true;
}

static bool
add_names(struct om_book *book, struct om_family *family, const char *name, uint32_t id)
{
	char full[OM_NAME_SIZE];
	struct pmon_span copy;

	for (int i = 0; i < OM_PARTS; i++) {
		if (family->plan.parts[i].from == OM_NOTHING)
			continue;
		name_part(name, &family->plan.parts[i], full);
		if (!pmon_arena_copy(&book->arena, (struct pmon_span){full, strlen(full)}, &copy) ||
		    !pmon_mem_grow(book->allocator, &book->names, &book->names_cap,
				   book->n_names + 1, sizeof(*book->names)) ||
		    !pmon_map_put(&book->name_map, book->allocator, hash_of(book, copy),
				  (uint32_t)book->n_names))
			return false;
		book->names[book->n_names++] = (struct om_name){copy.ptr, id};
		family->names[i] = copy.ptr;
	}
	return true;
}

static uint32_t
add_family(struct om_book *book, const char *name, const struct om_track *track)
{
	uint32_t id = (uint32_t)book->n_families;
	struct om_family family = {.series = track->series,
				   .plan = track->plan,
				   .first = PMON_SERIES_NONE,
				   .last = PMON_SERIES_NONE};

	if (!pmon_mem_grow(book->allocator, &book->families, &book->families_cap,
			   book->n_families + 1, sizeof(*book->families)) ||
	    !add_names(book, &family, name, id))
		return OM_NO_FAMILY;
	book->families[book->n_families++] = family;
	return id;
}

// The family of a series, which is new when the counter is. Counters that differ but would have the
// same name get numbers. OM_NO_FAMILY when memory is short.
static uint32_t
find_family(struct om_book *book, const struct om_track *track)
{
	const char *unit = track->plan.parts[OM_MAIN].unit;
	char name[OM_NAME_SIZE];
	size_t stem;

	pmon_om_plan_name(track->series, &track->plan, name);
	stem = strlen(name) - (unit[0] != '\0' ? strlen(unit) + 1 : 0);
	for (unsigned i = 2;; i++) {
		const struct om_name *found = find_name(book, name);

		if (found != NULL && is_family(&book->families[found->family], track))
			return found->family;
		if (are_free(book, name, &track->plan))
			return add_family(book, name, track);
		// the unit stays at the end
		(void)snprintf(name + stem, sizeof(name) - stem, "_%u%s%s", i,
			       unit[0] != '\0' ? "_" : "", unit);
	}
}

static bool
join_family(struct om_book *book, struct om_track *track)
{
	uint32_t id = track->series->id;
	struct om_family *family;

	track->family = find_family(book, track);
	if (track->family == OM_NO_FAMILY)
		return false;
	family = &book->families[track->family];
	if (family->first == PMON_SERIES_NONE)
		family->first = id;
	else
		book->tracks[family->last]->next = id;
	family->last = id;
	return true;
}

// ---- Series ---------------------------------------------------------------------------------

// Count the series of one path.
static bool
number_path(struct om_book *book, struct om_track *track)
{
	struct pmon_span path = track->series->name;
	uint64_t hash = hash_of(book, path);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&book->path_map, hash, &at)) != PMON_MAP_NONE) {
		struct om_track *first = book->tracks[i];

		if (first->series->name.len != path.len ||
		    memcmp(first->series->name.ptr, path.ptr, path.len) != 0)
			continue;
		track->twin = ++first->n_twins;
		return true;
	}
	return pmon_map_put(&book->path_map, book->allocator, hash, (uint32_t)book->n_tracks);
}

static bool
add_track(struct om_book *book, const struct pmon_series *series)
{
	struct om_track *track;

	if (!pmon_mem_grow(book->allocator, &book->tracks, &book->tracks_cap, book->n_tracks + 1,
			   sizeof(struct om_track *)))
		return false;
	track = pmon_arena_alloc(&book->arena, sizeof(*track));
	if (track == NULL)
		return false;
	*track = (struct om_track){
		.series = series, .family = OM_NO_FAMILY, .next = PMON_SERIES_NONE};
	pmon_calc_init(&track->calc, &series->counter, NULL);
	// A clock of unknown speed still has differences.
	if (pmon_calc_needs_two(&track->calc) && track->calc.counter.time_base <= 0)
		track->calc.counter.time_base = 1;
	if (!number_path(book, track) ||
	    (pmon_om_plan_make(series, &track->plan) && !join_family(book, track)))
		return false;
	book->tracks[book->n_tracks++] = track;
	return true;
}

bool
pmon_om_book_grow(struct om_book *book)
{
	while (book->n_tracks < pmon_schema_count(book->schema))
		if (!add_track(book, pmon_schema_at(book->schema, book->n_tracks)))
			return false;
	return true;
}

void
pmon_om_book_open(struct om_book *book, const struct pmon_schema *schema,
		  const struct pmon_allocator *allocator)
{
	*book = (struct om_book){
		.allocator = allocator, .schema = schema, .seed = pmon_hash_seed()};
	pmon_arena_init(&book->arena, allocator);
}

void
pmon_om_book_close(struct om_book *book)
{
	const struct pmon_allocator *allocator = book->allocator;

	pmon_mem_free(allocator, book->tracks, book->tracks_cap * sizeof(struct om_track *));
	pmon_mem_free(allocator, book->families, book->families_cap * sizeof(*book->families));
	pmon_mem_free(allocator, book->names, book->names_cap * sizeof(*book->names));
	pmon_map_free(&book->name_map, allocator);
	pmon_map_free(&book->path_map, allocator);
	pmon_arena_free(&book->arena);
}

// ---- Numbers --------------------------------------------------------------------------------

// Where it was absent a series begins anew.
static void
note_sample(struct om_track *track, const struct pmon_sample *sample)
{
	if (track->seen && track->stream == sample->stream && sample->ordinal > track->ordinal + 1)
		track->begun = false;
	track->seen = true;
	track->stream = sample->stream;
	track->ordinal = sample->ordinal;
}

static void
count(struct om_track *track, const struct pmon_raw *raw)
{
	struct pmon_delta delta = {.good = false};
	bool is_other = raw->status == PMON_RAW_CHANGED || raw->status == PMON_RAW_STARTED;

	if (!track->counting) {
		track->n = (uint64_t)raw->first & START_MASK;
		track->d = (uint64_t)raw->second & START_MASK;
		track->counting = true;
	} else if (track->begun && !is_other) {
		(void)pmon_calc_pair(&track->calc, &track->raw, raw, &delta, NULL);
	}
	if (delta.good) {
		track->n += delta.n;
		track->d += delta.d;
		track->pairs++;
	}
	track->raw = *raw;
	track->begun = true;
}

static double
in_seconds(uint64_t counted, const struct om_part *part)
{
	return part->ticks > 0 ? (double)counted / (double)part->ticks : (double)counted;
}

static bool
is_fraction(const struct om_track *track)
{
	return track->plan.type->formula == PMON_FORMULA_FRACTION;
}

static double
number_of(const struct om_track *track, const struct om_part *part, const struct pmon_raw *raw,
	  const struct pmon_value *value)
{
	switch (part->from) {
	case OM_N:
		return in_seconds(track->n, part);
	case OM_D:
		return in_seconds(track->d, part);
	case OM_PAIRS:
		return (double)track->pairs;
	// A fraction whose whole is 0 or below has no part, so that both add up.
	case OM_FIRST:
		return is_fraction(track) && raw->second <= 0 ? 0 : (double)raw->first;
	case OM_SECOND: // of fractions only
		return raw->second <= 0 ? 0 : (double)raw->second;
	case OM_MULTI:
		return (double)raw->multi;
	case OM_VALUE:
		return pmon_vstat_has_value(value->status) ? value->value : NAN;
	case OM_RATIO:
		return pmon_vstat_has_value(value->status) ? value->value / 100 : NAN;
	case OM_NOTHING:
		break;
	}
	return NAN;
}

bool
pmon_om_take(struct om_track *track, const struct pmon_sample *sample, const struct pmon_raw *raw,
	     double numbers[OM_PARTS])
{
	struct pmon_value value = {.status = PMON_V_NO_DATA};

	if (track->family == OM_NO_FAMILY)
		return false;
	note_sample(track, sample);
	if (!pmon_raw_usable(raw))
		return false;
	if (raw->status == PMON_RAW_STARTED && track->counting) {
		count(track, raw); // what is counted stays as it is, and goes on from here
		return false;
	}
	if (pmon_calc_needs_two(&track->calc))
		count(track, raw);
	else
		value = pmon_calc_value(&track->calc, NULL, raw);
	for (int i = 0; i < OM_PARTS; i++)
		numbers[i] = number_of(track, &track->plan.parts[i], raw, &value);
	return !isnan(numbers[OM_MAIN]);
}

void
pmon_om_pass(struct om_track *track, const struct pmon_sample *sample)
{
	note_sample(track, sample);
}

int64_t
pmon_om_unix_ms(pmon_time time)
{
	int64_t t;

	if (time < INT64_MIN + UNIX_EPOCH)
		return INT64_MIN;
	t = time - UNIX_EPOCH;
	return t / PMON_TIME_PER_MSEC - (t % PMON_TIME_PER_MSEC < 0);
}

pmon_time
pmon_om_from_unix_ms(int64_t ms)
{
	return ms * PMON_TIME_PER_MSEC + UNIX_EPOCH;
}

bool
pmon_om_place(int64_t ms, int64_t *last_ms)
{
	if (ms < 0 || ms + SAME_MS <= *last_ms)
		return false;
	*last_ms = ms > *last_ms ? ms : *last_ms + 1;
	return true;
}
