// prometheus.h - samples into Prometheus and VictoriaMetrics by remote write
// SPDX-License-Identifier: MIT
//
// docs/prometheus.md says what is sent. What a counter becomes, and how it is counted, is that of
// format/openmetrics.

#ifndef PMON_PUSH_PROMETHEUS_H
#define PMON_PUSH_PROMETHEUS_H

#include "format/openmetrics/openmetrics.h"
#include "push/prometheus/snappy.h"
#include "push/push.h"

// ---- message.c: the body of a request --------------------------------------------------------

#define PROM_LABELS 12 // at most: the name, and those of format/openmetrics

// The labels of a series on the server, without the name of its part. Texts are UTF-8.
struct prom_labels {
	const char *names[PROM_LABELS];
	const char *values[PROM_LABELS];
	size_t n;
};

// One number at one time, as bits: a marker of staleness is a NaN with bits of its own.
struct prom_point {
	int64_t ms;
	uint64_t bits;
};

#define PROM_STALE UINT64_C(0x7FF0000000000002)

// Put labels in arena, with the first place kept for the name. false when memory is short.
bool pmon_prom_labels(struct pmon_arena *arena, const struct om_track *track,
		      struct prom_labels *out);

// Those of the description of its family.
bool pmon_prom_description(struct pmon_arena *arena, const struct om_family *family,
			   const struct om_track *track, struct prom_labels *out);

// Add a series and its points to a body. false when memory is short.
bool pmon_prom_add(const struct pmon_allocator *allocator, struct pmon_push_bytes *body,
		   struct prom_labels *labels, const char *name, bool is_counter,
		   const struct prom_point *points, size_t n);

// The body as it is sent. false when memory is short.
bool pmon_prom_compress(const struct snappy_calls *snappy, const struct pmon_allocator *allocator,
			const struct pmon_push_bytes *body, struct pmon_push_bytes *out);

// ---- memory.c: what was pushed of each series before ------------------------------------------

#define PROM_STRETCHES 8 // that are remembered, the newest

// What a log had of a series, from its first sample to its last. What it had not in between was absent.
struct prom_stretch {
	pmon_time from;
	pmon_time to;
};

// The counts of a series after all logs that were pushed from here to one URL.
struct prom_memory {
	struct pmon_hash128 key;
	struct prom_stretch stretches[PROM_STRETCHES]; // ascending, apart; empty ones are first
	struct pmon_raw raw;                           // the newest
	struct pmon_raw owner; // of which process that is, PMON_RAW_OWNER; multi is 0: not known
	uint64_t n;
	uint64_t d;
	uint64_t pairs;
};

struct prom_memories {
	struct prom_memory *list; // ascending by key
	size_t n;
	size_t cap;
};

// Read what a folder has on a URL; a missing file is not an error. PMON_E_FORMAT: the file is
// damaged.
PMON_NODISCARD enum pmon_status pmon_prom_memories_load(struct prom_memories *memories,
							const struct pmon_allocator *allocator,
							const char *folder, const char *url,
							struct pmon_err *err);

// Put these, ascending by key, in the place of, or beside, those that the folder has.
PMON_NODISCARD enum pmon_status pmon_prom_memories_save(const struct prom_memories *memories,
							const struct pmon_allocator *allocator,
							const char *folder, const char *url,
							struct pmon_err *err);
// Bring them into the order of their keys; and take others into such a list, in the place of, or beside, what
// is there.
void pmon_prom_memories_sort(struct prom_memories *memories);
PMON_NODISCARD enum pmon_status pmon_prom_memories_merge(struct prom_memories *memories,
							 const struct prom_memories *newer,
							 const struct pmon_allocator *allocator,
							 struct pmon_err *err);
const struct prom_memory *pmon_prom_memories_find(const struct prom_memories *memories,
						  struct pmon_hash128 key);
void pmon_prom_memories_free(struct prom_memories *memories,
			     const struct pmon_allocator *allocator);

// The same for the file of pmon 0.1, whose keys are those of pmon_prom_old_key(). It is only read:
// the state of a series after this push is in the new file.
PMON_NODISCARD enum pmon_status pmon_prom_memories_load_old(struct prom_memories *memories,
							    const struct pmon_allocator *allocator,
							    const char *folder, const char *url,
							    struct pmon_err *err);

// ---- memory_old.c: keys and digests of pmon 0.1 -------------------------------------------------

struct pmon_hash128 pmon_prom_old_key(const struct pmon_series *series, uint32_t duplicate);
struct pmon_hash128 pmon_prom_old_digest(const char *url);

// ---- memory.c again -----------------------------------------------------------------------------

// Add an interval and merge it with those that it touches. If there are too many, the oldest is
// dropped.
void pmon_prom_stretch_add(struct prom_memory *memory, struct prom_stretch stretch);

// Is the time in one of them? And the end of the newest.
bool pmon_prom_stretch_has(const struct prom_memory *memory, pmon_time time);

static inline pmon_time
pmon_prom_newest(const struct prom_memory *memory)
{
	return memory->stretches[PROM_STRETCHES - 1].to;
}

extern const struct pmon_push_engine pmon_push_prometheus;

#endif
