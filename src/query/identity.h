// identity.h - the parts of the source that distinguishes processes
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_IDENTITY_H
#define PMON_QUERY_IDENTITY_H

#include <pmon/query.h>

#include "base/map.h"
#include "model/gather.h"
#include "model/source.h"
#include "query/clocks.h"
#include "query/slots.h"

// One process, in all its slots.
struct pmon_process {
	const struct pmon_path *path; // of a slot it had
	struct pmon_who who;
	uint32_t slot;  // its last slot, or PMON_SLOT_NONE
	uint32_t stamp; // pmon_slots.stamp of that sample
	uint32_t next;  // its new number while others are removed, or PMON_SLOT_NONE
};

// A counter of a process, and its output series.
struct pmon_given {
	uint32_t process;
	uint32_t kind;
	uint32_t series;
};

// A counter of an object, identified by its first series. If a log has several counters with the
// same path and type, each gets an entry.
struct pmon_kind {
	const struct pmon_series *series;
	uint32_t nth; // among those with the same path
};

// The input series that share a path and type.
struct pmon_same {
	const struct pmon_series *first;
	uint32_t n;
};

// The output series last used for an input series.
struct pmon_found {
	uint32_t process; // or PMON_SLOT_NONE
	uint32_t series;
	uint32_t
		version; // pmon_processes.version at that time; the entry is valid while it is unchanged
};

// The process at a slot.
struct pmon_stand {
	uint32_t process;    // or PMON_SLOT_NONE
	uint32_t generation; // generation of the slot when the process was determined
};

struct pmon_processes {
	uint32_t version; // starts at 1; changes when a process moves to another slot or is removed
	struct pmon_process *list;
	size_t n;
	size_t cap;
	uint64_t seed; // of the hashes
	struct pmon_map map;
	struct pmon_given *given;
	size_t n_given;
	size_t given_cap;
	struct pmon_map given_map;
	struct pmon_stand *stands; // by slot
	size_t n_stands;
	size_t stands_cap;
	// All objects share one numbering of kinds.
	struct pmon_kind *kinds;
	size_t n_kinds;
	size_t kinds_cap;
	struct pmon_map kind_map;
	struct pmon_same *same;
	size_t n_same;
	size_t same_cap;
	struct pmon_map same_map;
	uint32_t *
		spare; // by kind: a series of a removed process, free for reuse, or PMON_SERIES_NONE
	size_t spare_cap;
	uint32_t *next_spare; // by output series: the next free one
	size_t next_spare_cap;
	uint32_t *kind_of; // by series of the input
	size_t kind_of_cap;
	struct pmon_found *found; // by series of the input
	size_t found_cap;
};

// The values of an output sample, as positions in the input sample. They stay valid for the next
// sample if it has the same series and no process came, went or moved.
struct pmon_alike {
	uint32_t version; // pmon_processes.version at that time, or 0: no sample yet
	uint32_t *from;
	size_t cap;
};

struct pmon_identity {
	struct pmon_source
		base; // base.inner is set while the input series are passed through unchanged
	struct pmon_source *input;
	struct pmon_identity_options options;
	const struct pmon_allocator *allocator;
	struct pmon_slots slots;
	struct pmon_clocks clocks;
	struct pmon_gather gather; // the output sample, if it differs from the input sample
	struct pmon_alike alike;   // how it was assembled
	struct pmon_gather starts;
	struct pmon_gather owners;
	struct pmon_sample given; // the input sample, with owners
	bool has_waiting;         // `waiting` goes out after `starts`
	struct pmon_sample waiting;
	bool many_streams;
	bool is_unknown; // for parts that were read separately: pmon_identity_is_unknown()
	bool is_begun;
	uint32_t stream; // of the newest sample
	// If output series have their own numbers: output series by input series. PMON_SERIES_NONE:
	// not passed on, or mapped by process.
	uint32_t *map;
	size_t n_map;
	size_t map_cap;
	struct pmon_processes processes;
};

// Whether the output series of an input series is cached; then *out is set.
static inline bool
pmon_processes_know(const struct pmon_processes *processes, uint32_t series, uint32_t *out)
{
	const struct pmon_found *found = &processes->found[series];

	if (found->version == processes->version)
		*out = found->series;
	return found->version == processes->version;
}

// Whether the newest sample may differ from the input sample.
static inline bool
pmon_identity_changes(const struct pmon_identity *identity)
{
	const struct pmon_slots *slots = &identity->slots;

	return pmon_slots_changed(slots) || slots->n_marked > 0 || identity->clocks.n_stepped > 0 ||
	       (identity->many_streams && slots->n > 0);
}

// The source, if it distinguishes processes; else NULL.
struct pmon_identity *pmon_identity_of(struct pmon_source *source);

// The process that has the instance of a path, as of the newest sample. *generation changes when it becomes another
// one. False if no counter identifies it.
bool pmon_identity_who(const struct pmon_identity *identity, const struct pmon_path *path,
		       struct pmon_identity_who *who, uint32_t *generation);

// Convert a sample obtained directly from the input into one of this source: *sample is replaced.
PMON_NODISCARD enum pmon_status pmon_identity_take(struct pmon_identity *identity,
						   const struct pmon_sample **sample,
						   struct pmon_err *err);

// Register an input series that is mapped by process. False when memory is short.
PMON_NODISCARD bool pmon_processes_add(struct pmon_identity *identity,
				       const struct pmon_series *series);

// Find the process at each slot, after pmon_slots_see(). PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_processes_see(struct pmon_identity *identity);

// The output series of an input series with this raw value, for the process that has its slot now.
// PMON_E_NOMEM; PMON_E_LIMIT.
PMON_NODISCARD enum pmon_status pmon_processes_map(struct pmon_identity *identity, uint32_t series,
						   const struct pmon_raw *raw, uint32_t *out);

void pmon_processes_rewind(struct pmon_processes *processes);
void pmon_processes_free(struct pmon_identity *identity);

#endif
