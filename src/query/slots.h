// slots.h - which process or thread has each instance name
// SPDX-License-Identifier: MIT
//
// A *slot* is an instance of an object, such as `\\machine\Process(rundll32#1)`, some of whose
// counters identify the process. All series of a slot move to another process together.

#ifndef PMON_QUERY_SLOTS_H
#define PMON_QUERY_SLOTS_H

#include "base/map.h"
#include "model/schema.h"
#include "model/streams.h"

#define PMON_SLOT_NONE UINT32_MAX

// The known identity of the process or thread at a slot.
struct pmon_who {
	int64_t pid;
	int64_t tid;
	pmon_time start; // on the clock of `Elapsed Time`, which may differ from UTC
	bool has_pid;
	bool has_tid;
	bool has_start;
};

// An instance. It becomes a slot when one of its counters identifies a process; most objects have
// no such counter.
struct pmon_instance {
	const struct pmon_path *path; // of its first series
	uint32_t slot;                // or PMON_SLOT_NONE
	uint32_t newest;              // of its members, or PMON_SERIES_NONE
};

struct pmon_slot {
	const struct pmon_path *path; // of its first series
	uint32_t instance;
	struct pmon_who who;         // as of the newest sample that identified it
	struct pmon_who first;       // as of the first
	struct pmon_who was;         // before the last change of process
	pmon_time was_ahead_100ns;   // its clock minus the time of the sample of that change
	struct pmon_who seen;        // from the newest sample alone
	pmon_time age_100ns;         // by `Elapsed Time` in the newest sample that had it
	pmon_time first_age_100ns;   // ... and in the first sample that identified it
	pmon_time first_ahead_100ns; // its clock minus the time of that sample
	uint64_t first_ordinal;      // of that
	uint64_t ordinal;            // of the newest sample that identified it
	uint32_t stream;
	uint32_t generation; // number of changes of process so far
	uint32_t stamp;      // pmon_slots.stamp of that sample
	uint32_t from;       // in that sample: its slot in the sample before, or PMON_SLOT_NONE
	bool is_seen;
	bool changed; // in the sample of `stamp`: the process changed
	bool began;   // ... and the new one started after the previous sample
};

// The role of a series in its slot.
enum pmon_role {
	PMON_ROLE_NONE, // of no instance
	PMON_ROLE_VALUE,
	PMON_ROLE_PROCESS_ID,
	PMON_ROLE_THREAD_ID,
	PMON_ROLE_ELAPSED,
};

struct pmon_member {
	uint32_t instance;   // or PMON_SLOT_NONE: no instance
	uint32_t generation; // of the slot, when the series had its newest value
	uint32_t before;     // the previous member of this instance, or PMON_SERIES_NONE
	uint8_t role;        // enum pmon_role
	bool is_paired;      // its values need two samples
	bool is_waiting;     // another process has the slot, without a usable value so far
	bool has_owner;      // its values have owners: pmon_sample.owners
	uint8_t owner;       // PMON_OWNER_*
	uint32_t owner_generation;
	bool is_formatted;
	bool is_asked;  // is_hidden is set:
	bool is_hidden; // ... read, but not passed on
};

// The newest raw value of a member.
struct pmon_kept {
	struct pmon_raw raw;
	uint32_t stamp; // pmon_slots.stamp of its sample
};

// The newest sample of a stream.
struct pmon_slot_stream {
	uint32_t stream;
	pmon_time time;  // PMON_TIME_NONE before the first
	pmon_time clock; // up to which `Elapsed Time` counts; PMON_TIME_NONE: unknown
	uint64_t ordinal;
	uint32_t stamp;
	uint32_t *there; // slots that it identified
	size_t n_there;
	size_t there_cap;
};

struct pmon_slots {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	bool from_start;     // detect processes that began or moved since the previous sample
	pmon_time log_start; // time from which samples before the first one were left out, if any
	uint64_t first_ordinal; // of the first sample, if any was seen
	bool is_begun;
	struct pmon_slot *list;
	size_t n;
	size_t cap;
	struct pmon_instance *instances;
	size_t n_instances;
	size_t instances_cap;
	uint64_t seed;                // of the hashes
	struct pmon_map instance_map; // of instances
	struct pmon_member *members;  // by series
	size_t n_members;
	size_t members_cap;
	struct pmon_kept *kept; // by series, with from_start
	size_t n_kept;
	size_t kept_cap;
	struct pmon_streams numbers; // of the streams, by their index
	struct pmon_slot_stream *streams;
	size_t n_streams;
	size_t streams_cap;
	struct pmon_slot_stream
		before;            // the stream of the newest sample, as it was before that sample
	struct pmon_map there_map; // of pmon_slot_stream.there, since pmon_slots_index()
	uint32_t *touched;         // slots that the newest sample identified
	size_t n_touched;
	size_t touched_cap;
	// The series of the newest sample, and the positions in it of those that identify
	// processes.
	uint32_t *series;
	size_t n_series;
	size_t series_cap;
	uint32_t *identifying;
	size_t n_identifying;
	size_t identifying_cap;
	bool is_alike;  // they equal those of the previous sample
	uint32_t stamp; // number of the newest sample; wraps around
	size_t n_changed;
	size_t n_led;     // slots whose process began or moved
	size_t n_waiting; // members
	size_t n_marked;  // raw values of the newest sample already marked PMON_RAW_CHANGED
};

// The slot of a series, or PMON_SLOT_NONE.
static inline uint32_t
pmon_slot_of(const struct pmon_slots *slots, uint32_t series)
{
	uint32_t instance = slots->members[series].instance;

	return instance != PMON_SLOT_NONE ? slots->instances[instance].slot : PMON_SLOT_NONE;
}

// Whether, in the newest sample, a slot moved to another process or a series still waits for its
// first usable value.
static inline bool
pmon_slots_changed(const struct pmon_slots *slots)
{
	return slots->n_changed > 0 || slots->n_led > 0 || slots->n_waiting > 0;
}

void pmon_slots_init(struct pmon_slots *slots, const struct pmon_allocator *allocator,
		     const struct pmon_schema *schema);
void pmon_slots_free(struct pmon_slots *slots);

// Discard the processes; keep the slots.
void pmon_slots_rewind(struct pmon_slots *slots);

// Process a sample, which may have new series. n_changed and n_led then count the slots whose
// process changed, and those whose process began or moved since the previous sample. False when
// memory is short.
PMON_NODISCARD bool pmon_slots_see(struct pmon_slots *slots, const struct pmon_sample *sample);

// With from_start: keep the raw values of the sample for processes that move before the next one.
void pmon_slots_keep(struct pmon_slots *slots, const struct pmon_sample *sample);

// Prepare pmon_slots_find() for the newest sample of a stream. False when memory is short.
PMON_NODISCARD bool pmon_slots_index(struct pmon_slots *slots,
				     const struct pmon_slot_stream *stream);

// The slot of a process in that sample, on the machine and object of `path`, if its ID and start
// are known; otherwise PMON_SLOT_NONE.
uint32_t pmon_slots_find(const struct pmon_slots *slots, const struct pmon_path *path,
			 const struct pmon_who *who);

// The raw value of the counter of `series` at another slot in that sample, for a preceding sample.
// False if there is no usable one.
bool pmon_slots_kept(const struct pmon_slots *slots, const struct pmon_slot_stream *stream,
		     uint32_t slot, const struct pmon_series *series, struct pmon_raw *out);

// Whether these may be the same process. Compares only fields known in both.
bool pmon_who_same(const struct pmon_who *a, const struct pmon_who *b);

// The slot of the instance of a path, or NULL.
const struct pmon_slot *pmon_slots_at(const struct pmon_slots *slots, const struct pmon_path *path);

// Whether slots of two schemas are the same instance.
bool pmon_slot_same(const struct pmon_slot *a, const struct pmon_slot *b);

// The same for PMON_RAW_OWNER.
bool pmon_owner_same(const struct pmon_raw *a, const struct pmon_raw *b);

// The identity of a process as a PMON_RAW_OWNER value.
struct pmon_raw pmon_who_owner(const struct pmon_who *who, pmon_time time);

// The names of the counters that identify a process; NULL after the last.
const char *pmon_role_counter(size_t i);

// Whether the instances of an object are processes or threads.
bool pmon_object_is_process(struct pmon_span object);

// The raw value 0 with which a series started when its process began, from a usable value at that
// age. False if the clock of the counter is unknown.
bool pmon_slot_started(const struct pmon_series *series, pmon_time age_100ns,
		       const struct pmon_raw *now, struct pmon_raw *out);

// Whether a process began after a sample taken at `time`. `clock` is the time up to which `Elapsed
// Time` counted in that sample, if known; when the process was first seen, that clock was
// ahead_100ns ahead of the sample time.
bool pmon_who_began_after(const struct pmon_who *who, pmon_time time, pmon_time clock,
			  pmon_time ahead_100ns);

#endif
