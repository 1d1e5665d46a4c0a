// places.h - which process or thread has each instance name
// SPDX-License-Identifier: MIT
//
// A *place* is an instance of an object, as `\\machine\Process(rundll32#1)`, some of whose counters
// identify the process. All series of a place pass to another process together.

#ifndef PMON_QUERY_PLACES_H
#define PMON_QUERY_PLACES_H

#include "base/map.h"
#include "model/schema.h"

#define PMON_PLACE_NONE UINT32_MAX

// What is known of the process or thread at a place.
struct pmon_who {
	int64_t pid;
	int64_t tid;
	pmon_time start; // on the clock of `Elapsed Time`, which may be another than UTC
	bool has_pid;
	bool has_tid;
	bool has_start;
};

// An instance. It becomes a place when one of its counters identifies a process; most objects have
// no such counter.
struct pmon_spot {
	const struct pmon_path *path; // of its first series
	uint32_t place;               // or PMON_PLACE_NONE
	uint32_t newest;              // of its members, or PMON_SERIES_NONE
};

struct pmon_place {
	const struct pmon_path *path; // of its first series
	uint32_t spot;
	struct pmon_who who;         // as of the newest sample that told
	struct pmon_who first;       // as of the first
	struct pmon_who was;         // before it changed hands last
	pmon_time was_ahead_100ns;   // its clock minus the time of the sample of that change
	struct pmon_who told;        // what the newest sample alone told
	pmon_time age_100ns;         // by `Elapsed Time` in the newest sample that had it
	pmon_time first_age_100ns;   // ... and in the first sample that told
	pmon_time first_ahead_100ns; // its clock minus the time of that sample
	uint64_t first_ordinal;      // of that
	uint64_t ordinal;            // of the newest sample that told
	uint32_t stream;
	uint32_t generation; // how often it has changed hands
	uint32_t stamp;      // pmon_places.stamp of that sample
	uint32_t from;       // in that sample: its place in the sample before, or PMON_PLACE_NONE
	bool is_seen;
	bool changed; // in the sample of `stamp`: another one is there
	bool began;   // ... and started after the sample before
};

// What a series is to its place.
enum pmon_role {
	PMON_ROLE_NONE, // of no instance
	PMON_ROLE_VALUE,
	PMON_ROLE_PROCESS_ID,
	PMON_ROLE_THREAD_ID,
	PMON_ROLE_ELAPSED,
};

struct pmon_member {
	uint32_t spot;       // or PMON_PLACE_NONE: it is of no instance
	uint32_t generation; // of the place, when the series had its newest value
	uint32_t before;     // the member of this spot that came before, or PMON_SERIES_NONE
	uint8_t role;        // enum pmon_role
	bool is_paired;      // its values need two samples
	bool is_waiting;     // another one has the place, and no usable value has come since
	bool is_told;        // whose its values are: pmon_sample.owners
	uint8_t told;        // PMON_OWNER_*
	uint32_t told_generation;
	bool is_formatted;
	bool is_asked;  // whether it is given is known:
	bool is_hidden; // ... it is only read
};

// The newest raw value of a member.
struct pmon_kept {
	struct pmon_raw raw;
	uint32_t stamp; // pmon_places.stamp of its sample
};

// The newest sample of a stream.
struct pmon_place_stream {
	uint32_t stream;
	pmon_time time;  // PMON_TIME_NONE before the first
	pmon_time clock; // that `Elapsed Time` counts to; PMON_TIME_NONE when there was none
	uint64_t ordinal;
	uint32_t stamp;
	uint32_t *there; // places that it told of
	size_t n_there;
	size_t there_cap;
};

struct pmon_places {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	bool from_start;        // find out who began or moved since the sample before
	pmon_time log_start;    // samples before the first one were left out from here on, if any
	uint64_t first_ordinal; // of the first sample, if any was seen
	bool is_begun;
	struct pmon_place *list;
	size_t n;
	size_t cap;
	struct pmon_spot *spots;
	size_t n_spots;
	size_t spots_cap;
	uint64_t seed;               // of the hashes
	struct pmon_map spot_map;    // of spots
	struct pmon_member *members; // by series
	size_t n_members;
	size_t members_cap;
	struct pmon_kept *kept; // by series, with from_start
	size_t n_kept;
	size_t kept_cap;
	struct pmon_place_stream *streams;
	size_t n_streams;
	size_t streams_cap;
	struct pmon_place_stream before; // the stream of the newest sample, as it was before that
	struct pmon_map there_map;       // of pmon_place_stream.there, since pmon_places_index()
	uint32_t *touched;               // places that the newest sample told of
	size_t n_touched;
	size_t touched_cap;
	// The series of the newest sample, and the positions in it of those that identify processes.
	uint32_t *series;
	size_t n_series;
	size_t series_cap;
	uint32_t *tellers;
	size_t n_tellers;
	size_t tellers_cap;
	bool is_alike;  // they are those of the sample before
	uint32_t stamp; // number of the newest sample, going round
	size_t n_changed;
	size_t n_led;     // places whose process began or moved
	size_t n_waiting; // members
	size_t n_marked;  // raw values of the newest sample that were PMON_RAW_CHANGED already
};

// The number of the place of a series; PMON_PLACE_NONE when it is at none.
static inline uint32_t
pmon_place_of(const struct pmon_places *places, uint32_t series)
{
	uint32_t spot = places->members[series].spot;

	return spot != PMON_PLACE_NONE ? places->spots[spot].place : PMON_PLACE_NONE;
}

// In the newest sample: did a place pass to another process, or does a series still wait for a usable value of one?
static inline bool
pmon_places_changed(const struct pmon_places *places)
{
	return places->n_changed > 0 || places->n_led > 0 || places->n_waiting > 0;
}

void pmon_places_init(struct pmon_places *places, const struct pmon_allocator *allocator,
		      const struct pmon_schema *schema);
void pmon_places_free(struct pmon_places *places);

// Forget the processes; the places stay.
void pmon_places_rewind(struct pmon_places *places);

// Take note of a sample, of series that may have come since. n_changed and n_led then count the
// places that changed hands, and those whose process began or moved since the sample before. False
// when memory is short.
PMON_NODISCARD bool pmon_places_see(struct pmon_places *places, const struct pmon_sample *sample);

// With from_start: keep the raw values of the sample for those that move before the next one.
void pmon_places_keep(struct pmon_places *places, const struct pmon_sample *sample);

// Prepare pmon_places_find() for the newest sample of a stream. False when memory is short.
PMON_NODISCARD bool pmon_places_index(struct pmon_places *places,
				      const struct pmon_place_stream *stream);

// The place that a process had in that sample, of the machine and object of `path`, if its number and
// start are known. Else PMON_PLACE_NONE.
uint32_t pmon_places_find(const struct pmon_places *places, const struct pmon_path *path,
			  const struct pmon_who *who);

// The raw value that a counter like that of `series` had at a place in that sample, as a preceding
// sample. False when there is no usable one.
bool pmon_places_kept(const struct pmon_places *places, const struct pmon_place_stream *stream,
		      uint32_t place, const struct pmon_series *series, struct pmon_raw *out);

// Could it be the same process? Only what both know is compared.
bool pmon_who_same(const struct pmon_who *a, const struct pmon_who *b);

// The place of the instance of a path, or NULL.
const struct pmon_place *pmon_places_at(const struct pmon_places *places,
					const struct pmon_path *path);

// Are the two the same instance, of two schemas?
bool pmon_place_same(const struct pmon_place *a, const struct pmon_place *b);

// The same of PMON_RAW_OWNER.
bool pmon_owner_same(const struct pmon_raw *a, const struct pmon_raw *b);

// What is known of a process as PMON_RAW_OWNER.
struct pmon_raw pmon_who_owner(const struct pmon_who *who, pmon_time time);

// What the role of a counter of this name would be in an instance.
enum pmon_role pmon_role_of(struct pmon_span counter);

// The names of the counters that identify a process; NULL after the last.
const char *pmon_role_counter(size_t i);

// Are the instances of an object processes or threads?
bool pmon_object_is_process(struct pmon_span object);

// The raw value of 0 that a series had when its process began, from a usable one that it has at that age.
// False when the clock of the counter is not known.
bool pmon_place_started(const struct pmon_series *series, pmon_time age_100ns,
			const struct pmon_raw *now, struct pmon_raw *out);

// Did a process begin after a sample? That was at `time`, and `clock` is what `Elapsed Time` counted to
// then, if that is known; the process was first seen when that clock was ahead_100ns ahead of time.
bool pmon_who_began_after(const struct pmon_who *who, pmon_time time, pmon_time clock,
			  pmon_time ahead_100ns);

#endif
