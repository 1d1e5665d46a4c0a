// registry.c - families and series by name, and their counts so far
// SPDX-License-Identifier: MIT
//
// The difference of any two values of a Prometheus counter must be the sum of the good differences
// between them, and nothing else: then a quotient of two such differences is the type's average, as
// pmon computes it. So both counters of a series only grow by good pairs, including wraps; the
// unknown part of a reset or an absence is in neither.

#include "format/openmetrics/openmetrics.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "core/calc.h"

#define UNIX_EPOCH INT64_C(116444736000000000) // as pmon_time

// Counting begins at the raw value, so that a later start continues the same counts, whatever file
// the values are from. Higher bits are dropped: seconds in a double are then exact to 4 ns, which
// they would not be on a clock that counts from 1601.
#define START_MASK ((UINT64_C(1) << 48) - 1)

// A time that is less than this before the last point is treated as the same time.
#define SAME_MS 1000

// ---- Families -------------------------------------------------------------------------------

static uint64_t
hash_of(const struct om_registry *registry, struct pmon_span text)
{
	return pmon_map_mix_bytes(registry->seed, text.ptr, text.len);
}

static const struct om_name *
find_name(const struct om_registry *registry, const char *name)
{
	uint64_t hash = hash_of(registry, (struct pmon_span){name, strlen(name)});
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&registry->name_map, hash, &at)) != PMON_MAP_NONE)
		if (strcmp(registry->names[i].text, name) == 0)
			return &registry->names[i];
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

// Does the family belong to the same counter, with the same kind?
static bool
is_family(const struct om_family *family, const struct om_track *track)
{
	return pmon_text_same(family->series->path.object, track->series->path.object) &&
	       pmon_text_same(family->series->path.counter, track->series->path.counter) &&
	       same_parts(&family->plan, &track->plan);
}

// The name of a part of a family. It always fits, since names leave room for suffixes.
static void
name_part(const char *name, const struct om_part *part, char out[OM_NAME_SIZE])
{
	(void)snprintf(out, OM_NAME_SIZE, "%s%s", name, part->suffix);
}

static bool
are_free(const struct om_registry *registry, const char *name, const struct om_plan *plan)
{
	char full[OM_NAME_SIZE];

	for (int i = 0; i < OM_PARTS; i++) {
		if (plan->parts[i].from == OM_NOTHING)
			continue;
		name_part(name, &plan->parts[i], full);
		if (find_name(registry, full) != NULL)
			return false;
	}
	return true;
}

// All or nothing: after running out of memory, a retry must not find a name without its family.
static bool
add_names(struct om_registry *registry, struct om_family *family, const char *name, uint32_t id)
{
	char full[OM_NAME_SIZE];
	struct pmon_span copies[OM_PARTS] = {{NULL, 0}};

	if (!pmon_mem_grow(registry->allocator, &registry->names, &registry->names_cap,
			   registry->n_names + OM_PARTS, sizeof(*registry->names)) ||
	    !pmon_map_reserve(&registry->name_map, registry->allocator, OM_PARTS))
		return false;
	for (int i = 0; i < OM_PARTS; i++) {
		if (family->plan.parts[i].from == OM_NOTHING)
			continue;
		name_part(name, &family->plan.parts[i], full);
		if (!pmon_arena_copy(&registry->arena, (struct pmon_span){full, strlen(full)},
				     &copies[i]))
			return false;
	}
	for (int i = 0; i < OM_PARTS; i++) {
		if (copies[i].ptr == NULL)
			continue;
		pmon_map_add(&registry->name_map, hash_of(registry, copies[i]),
			     (uint32_t)registry->n_names);
		registry->names[registry->n_names++] = (struct om_name){copies[i].ptr, id};
		family->names[i] = copies[i].ptr;
	}
	return true;
}

static uint32_t
add_family(struct om_registry *registry, const char *name, const struct om_track *track)
{
	uint32_t id = (uint32_t)registry->n_families;
	struct om_family family = {.series = track->series,
				   .plan = track->plan,
				   .first = PMON_SERIES_NONE,
				   .last = PMON_SERIES_NONE};

	if (!pmon_mem_grow(registry->allocator, &registry->families, &registry->families_cap,
			   registry->n_families + 1, sizeof(*registry->families)) ||
	    !add_names(registry, &family, name, id))
		return OM_NO_FAMILY;
	registry->families[registry->n_families++] = family;
	return id;
}

// The family of a series, created if the counter is new. Different counters with the same resulting
// name get numbers. OM_NO_FAMILY if out of memory.
static uint32_t
find_family(struct om_registry *registry, const struct om_track *track)
{
	const char *unit = track->plan.parts[OM_MAIN].unit;
	char name[OM_NAME_SIZE];
	size_t stem;

	pmon_om_plan_name(track->series, &track->plan, name);
	stem = strlen(name) - (unit[0] != '\0' ? strlen(unit) + 1 : 0);
	for (unsigned i = 2;; i++) {
		const struct om_name *found = find_name(registry, name);

		if (found != NULL && is_family(&registry->families[found->family], track))
			return found->family;
		if (are_free(registry, name, &track->plan))
			return add_family(registry, name, track);
		// the unit stays at the end
		(void)snprintf(name + stem, sizeof(name) - stem, "_%u%s%s", i,
			       unit[0] != '\0' ? "_" : "", unit);
	}
}

static bool
join_family(struct om_registry *registry, struct om_track *track)
{
	uint32_t id = track->series->id;
	struct om_family *family;

	track->family = find_family(registry, track);
	if (track->family == OM_NO_FAMILY)
		return false;
	family = &registry->families[track->family];
	if (family->first == PMON_SERIES_NONE)
		family->first = id;
	else
		registry->tracks[family->last]->next = id;
	family->last = id;
	return true;
}

// ---- Descriptions ---------------------------------------------------------------------------

// Is it new? A hash stands for a family and a machine: in a collision, one of them would not be
// described.
static bool
is_first(struct om_registry *registry, uint32_t number, struct pmon_span machine, bool *is_short)
{
	uint64_t hash = pmon_map_mix(hash_of(registry, machine), number);
	size_t at = 0;
	uint32_t found;

	while ((found = pmon_map_next(&registry->described, hash, &at)) != PMON_MAP_NONE)
		if (found == number)
			return false;
	if (!pmon_map_put(&registry->described, registry->allocator, hash, number))
		*is_short = true;
	return true;
}

// False if out of memory.
static bool
choose_description(struct om_registry *registry, struct om_track *track)
{
	struct pmon_span machine = track->series->path.machine;
	bool is_short = false;

	if (!is_first(registry, track->family, machine, &is_short))
		track->describes = OM_DESCRIBES_NOTHING;
	else if (is_first(registry, OM_NO_FAMILY - 1, machine, &is_short))
		track->describes = OM_DESCRIBES_MACHINE;
	else
		track->describes = OM_DESCRIBES_FAMILY;
	return !is_short;
}

// ---- Series ---------------------------------------------------------------------------------

// The first series of a path, or NULL.
static struct om_track *
find_path(const struct om_registry *registry, struct pmon_span path, uint64_t hash)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&registry->path_map, hash, &at)) != PMON_MAP_NONE) {
		struct pmon_span other = registry->tracks[i]->series->name;

		if (other.len == path.len && memcmp(other.ptr, path.ptr, path.len) == 0)
			return registry->tracks[i];
	}
	return NULL;
}

static bool
add_track(struct om_registry *registry, const struct pmon_series *series)
{
	uint64_t hash = hash_of(registry, series->name);
	struct om_track *track;
	struct om_track *first;

	if (!pmon_mem_grow(registry->allocator, &registry->tracks, &registry->tracks_cap,
			   registry->n_tracks + 1, sizeof(struct om_track *)) ||
	    !pmon_map_reserve(&registry->path_map, registry->allocator, 1))
		return false;
	track = pmon_arena_alloc(&registry->arena, sizeof(*track));
	if (track == NULL)
		return false;
	*track = (struct om_track){.series = series,
				   .labels = registry->labels,
				   .family = OM_NO_FAMILY,
				   .next = PMON_SERIES_NONE};
	pmon_calc_init(&track->calc, &series->counter, NULL);
	// A clock of unknown frequency still has differences.
	if (pmon_calc_needs_two(&track->calc) && track->calc.counter.time_base <= 0)
		track->calc.counter.time_base = 1;
	first = find_path(registry, series->name, hash);
	if (first != NULL)
		track->same_before = first->n_same_after + 1;
	if (pmon_om_plan_make(series, &track->plan) &&
	    (!join_family(registry, track) || !choose_description(registry, track)))
		return false;
	if (first != NULL)
		first->n_same_after++;
	else
		pmon_map_add(&registry->path_map, hash, (uint32_t)registry->n_tracks);
	registry->tracks[registry->n_tracks++] = track;
	return true;
}

bool
pmon_om_registry_grow(struct om_registry *registry)
{
	while (registry->n_tracks < pmon_schema_count(registry->schema))
		if (!add_track(registry, pmon_schema_at(registry->schema, registry->n_tracks)))
			return false;
	return true;
}

void
pmon_om_registry_open(struct om_registry *registry, const struct pmon_schema *schema,
		      const struct pmon_allocator *allocator)
{
	*registry = (struct om_registry){
		.allocator = allocator, .schema = schema, .seed = pmon_hash_seed()};
	pmon_arena_init(&registry->arena, allocator);
}

void
pmon_om_registry_close(struct om_registry *registry)
{
	const struct pmon_allocator *allocator = registry->allocator;

	pmon_mem_free(allocator, registry->tracks,
		      registry->tracks_cap * sizeof(struct om_track *));
	pmon_mem_free(allocator, registry->families,
		      registry->families_cap * sizeof(*registry->families));
	pmon_mem_free(allocator, registry->names, registry->names_cap * sizeof(*registry->names));
	pmon_map_free(&registry->name_map, allocator);
	pmon_map_free(&registry->path_map, allocator);
	pmon_map_free(&registry->described, allocator);
	pmon_arena_free(&registry->arena);
}

// ---- Numbers --------------------------------------------------------------------------------

// A series that was absent starts over.
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
	bool is_other = pmon_raw_break(raw) != PMON_V_OK || raw->status == PMON_RAW_STARTED;

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

double
pmon_om_in_unit(double number, const struct om_part *part)
{
	if (part->times > 0)
		number *= (double)part->times;
	return part->ticks > 0 ? number / (double)part->ticks : number;
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
		return pmon_om_in_unit((double)track->n, part);
	case OM_D:
		return pmon_om_in_unit((double)track->d, part);
	case OM_PAIRS:
		return (double)track->pairs;
	// If the whole of a fraction is 0 or below, the part is 0 too, so that sums of both are
	// consistent.
	case OM_FIRST:
		return is_fraction(track) && raw->second <= 0
			       ? 0
			       : pmon_om_in_unit((double)raw->first, part);
	case OM_SECOND: // for fractions only
		return raw->second <= 0 ? 0 : (double)raw->second;
	case OM_MULTI:
		return (double)raw->multi;
	case OM_VALUE:
		return pmon_vstat_has_value(value->status) ? pmon_om_in_unit(value->value, part)
							   : NAN;
	case OM_RATIO:
		return pmon_vstat_has_value(value->status) ? value->value / 100 : NAN;
	case OM_NOTHING:
		break;
	}
	return NAN;
}

bool
pmon_om_is_integer(const struct om_part *part)
{
	return part->ticks == 0 && part->from != OM_NOTHING && part->from != OM_VALUE &&
	       part->from != OM_RATIO;
}

bool
pmon_om_integer(const struct om_track *track, const struct om_part *part,
		const struct pmon_raw *raw, int64_t *number)
{
	bool is_negative = part->from == OM_FIRST && raw->first < 0;
	uint64_t most = (uint64_t)INT64_MAX / (part->times > 0 ? (uint64_t)part->times : 1);
	uint64_t n;

	switch (part->from) {
	case OM_N:
		n = track->n;
		break;
	case OM_D:
		n = track->d;
		break;
	case OM_PAIRS:
		n = track->pairs;
		break;
	case OM_FIRST:
		n = is_negative ? 0 - (uint64_t)raw->first : (uint64_t)raw->first;
		if (is_fraction(track) && raw->second <= 0)
			n = 0;
		break;
	case OM_SECOND:
		n = raw->second <= 0 ? 0 : (uint64_t)raw->second;
		break;
	case OM_MULTI:
		n = raw->multi;
		break;
	default:
		return false;
	}
	if (n > most)
		return false;
	*number = (int64_t)n * (part->times > 0 ? part->times : 1) * (is_negative ? -1 : 1);
	return true;
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
		count(track, raw); // the count does not change, and continues from here
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

pmon_time
pmon_om_point_time(const struct pmon_sample *sample, const struct pmon_raw *raw, int64_t *last_ms)
{
	pmon_time time = raw->time != PMON_TIME_NONE ? raw->time : sample->time;
	int64_t ms = pmon_om_unix_ms(time);

	if (!pmon_om_place(ms, last_ms))
		return PMON_TIME_NONE;
	return *last_ms == ms ? time : pmon_om_from_unix_ms(*last_ms);
}
