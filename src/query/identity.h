// identity.h - the parts of the source that distinguishes processes
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_IDENTITY_H
#define PMON_QUERY_IDENTITY_H

#include <pmon/query.h>

#include "base/map.h"
#include "model/gather.h"
#include "model/source.h"
#include "query/places.h"

// One process, in all its places.
struct pmon_process {
	const struct pmon_path *path; // of a place that it has had
	struct pmon_who who;
	uint32_t place; // its last place, or PMON_PLACE_NONE
	uint32_t stamp; // pmon_places.stamp of that sample
	uint32_t next;  // its number when others are forgotten, or PMON_PLACE_NONE
};

// A counter of a process, and the series that is given for it.
struct pmon_given {
	uint32_t process;
	uint32_t kind;
	uint32_t series;
};

// A counter of an object, by its first series. A log may have several counters of one path and type; then each
// is one of its own.
struct pmon_kind {
	const struct pmon_series *series;
	uint32_t nth; // of those of one path
};

// The series of the input that have one path and type.
struct pmon_same {
	const struct pmon_series *first;
	uint32_t n;
};

// The series that was given for one of the input the last time.
struct pmon_found {
	uint32_t process; // or PMON_PLACE_NONE
	uint32_t series;
	uint32_t
		version; // pmon_processes.version of that time: while it lasts, the series is the same
};

// The process at a place.
struct pmon_stand {
	uint32_t process;    // or PMON_PLACE_NONE
	uint32_t generation; // of the place, when that was found out
};

struct pmon_processes {
	uint32_t version; // from 1 on: changes when a process has another place, or is forgotten
	struct pmon_process *list;
	size_t n;
	size_t cap;
	uint64_t seed; // of the hashes
	struct pmon_map map;
	struct pmon_given *given;
	size_t n_given;
	size_t given_cap;
	struct pmon_map given_map;
	struct pmon_stand *stands; // by place
	size_t n_stands;
	size_t stands_cap;
	// Kinds of all objects are numbered in one.
	struct pmon_kind *kinds;
	size_t n_kinds;
	size_t kinds_cap;
	struct pmon_map kind_map;
	struct pmon_same *same;
	size_t n_same;
	size_t same_cap;
	struct pmon_map same_map;
	uint32_t *
		spare; // by kind: a series that a process had which was forgotten, or PMON_SERIES_NONE
	size_t spare_cap;
	uint32_t *next_spare; // by series that is given: the next such one
	size_t next_spare_cap;
	uint32_t *kind_of; // by series of the input
	size_t kind_of_cap;
	struct pmon_found *found; // by series of the input
	size_t found_cap;
};

// The values of a sample that are given, by their positions in the sample of the input. They are the same of the next
// sample if its series are, and no process came, went or moved.
struct pmon_alike {
	uint32_t version; // pmon_processes.version of that time, or 0: there was no such sample
	uint32_t *from;
	size_t cap;
};

struct pmon_identity {
	struct pmon_source
		base; // base.inner is set while the series of the input are given as they are
	struct pmon_source *input;
	struct pmon_identity_options options;
	const struct pmon_allocator *allocator;
	struct pmon_places places;
	struct pmon_gather gather; // the sample that is given, where it is not that of the input
	struct pmon_alike alike;   // how it was put together
	struct pmon_gather starts;
	struct pmon_gather owners;
	struct pmon_sample given; // that of the input, with owners
	bool has_waiting;         // `waiting` goes out after `starts`
	struct pmon_sample waiting;
	bool many_streams;
	bool is_unknown; // of parts of it that were read apart: pmon_identity_is_unknown()
	bool is_begun;
	uint32_t stream; // of the newest sample
	// Where series are given under numbers of their own: by series of the input. PMON_SERIES_NONE:
	// it is not given, or by process.
	uint32_t *map;
	size_t n_map;
	size_t map_cap;
	struct pmon_processes processes;
};

// Is the series that is given for a series of the input the same as in a sample before? Then *out is it.
static inline bool
pmon_processes_know(const struct pmon_processes *processes, uint32_t series, uint32_t *out)
{
	const struct pmon_found *found = &processes->found[series];

	if (found->version == processes->version)
		*out = found->series;
	return found->version == processes->version;
}

// May values of the newest sample have to be given otherwise than the input gives them?
static inline bool
pmon_identity_changes(const struct pmon_identity *identity)
{
	const struct pmon_places *places = &identity->places;

	return pmon_places_changed(places) || places->n_marked > 0 ||
	       (identity->many_streams && places->n > 0);
}

// The source, if it distinguishes processes; else NULL.
struct pmon_identity *pmon_identity_of(struct pmon_source *source);

// Convert a sample that came from the input by another way to one of this source: *sample is
// replaced.
PMON_NODISCARD enum pmon_status pmon_identity_take(struct pmon_identity *identity,
						   const struct pmon_sample **sample,
						   struct pmon_err *err);

// Take note of a series of the input that is given by process. False when memory is short.
PMON_NODISCARD bool pmon_processes_add(struct pmon_identity *identity,
				       const struct pmon_series *series);

// Find the process at each place, after pmon_places_see(). PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_processes_see(struct pmon_identity *identity);

// The series that is given for a series of the input, by the process that is at its place now.
// PMON_E_NOMEM; PMON_E_LIMIT.
PMON_NODISCARD enum pmon_status pmon_processes_map(struct pmon_identity *identity, uint32_t series,
						   uint32_t *out);

void pmon_processes_rewind(struct pmon_processes *processes);
void pmon_processes_free(struct pmon_identity *identity);

#endif
