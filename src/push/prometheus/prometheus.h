// prometheus.h - push samples to Prometheus and VictoriaMetrics by remote write
// SPDX-License-Identifier: MIT
//
// docs/prometheus.md describes what is sent. format/openmetrics defines what a counter becomes, and
// how it is counted.

#ifndef PMON_PUSH_PROMETHEUS_H
#define PMON_PUSH_PROMETHEUS_H

#include "format/openmetrics/openmetrics.h"
#include "push/prometheus/snappy.h"
#include "push/push.h"

// ---- message.c: the body of a request --------------------------------------------------------

// The most: the name, and those of format/openmetrics.
#define PROM_LABELS (12 + PMON_LABELS)

// The labels of a series on the server, without the name of its part. The texts are UTF-8.
struct prom_labels {
	const char *names[PROM_LABELS];
	const char *values[PROM_LABELS];
	size_t n;
};

// A number at a time, as bits, because a staleness marker is a NaN with special bits.
struct prom_point {
	int64_t ms;
	uint64_t bits;
};

#define PROM_STALE UINT64_C(0x7FF0000000000002)

// A copy of text in arena; what is not UTF-8 becomes U+FFFD. NULL when memory is short.
const char *pmon_prom_clean(struct pmon_arena *arena, struct pmon_span text);

// Put the labels in the arena, leaving the first place for the name. False if memory runs out.
bool pmon_prom_labels(struct pmon_arena *arena, const struct om_track *track,
		      struct prom_labels *out);

// The labels of its family's description.
bool pmon_prom_description(struct pmon_arena *arena, const struct om_family *family,
			   const struct om_track *track, struct prom_labels *out);

// Add a series and its points to a body. false when memory is short.
bool pmon_prom_add(const struct pmon_allocator *allocator, struct pmon_push_bytes *body,
		   struct prom_labels *labels, const char *name, bool is_counter,
		   const struct prom_point *points, size_t n);

// Compress the body for sending. Returns false if out of memory.
bool pmon_prom_compress(const struct snappy_calls *snappy, const struct pmon_allocator *allocator,
			const struct pmon_push_bytes *body, struct pmon_push_bytes *out);

// ---- memory.c: what was pushed of each series before ------------------------------------------

#define PROM_INTERVALS 8 // remembered at most: the newest ones

// When a log had a series, from its first sample to its last. Where the log had no sample, the
// series was absent.
struct prom_interval {
	pmon_time from;
	pmon_time to;
};

// The state of a series after all logs that were pushed from this machine to one URL.
struct prom_memory {
	struct pmon_hash128 key;
	struct prom_interval intervals[PROM_INTERVALS]; // ascending and disjoint; empty ones first
	struct pmon_raw raw;                            // the newest value
	struct pmon_raw owner; // its process, PMON_RAW_OWNER; multi is 0: unknown
	uint64_t n;
	uint64_t d;
	uint64_t pairs;
};

struct prom_memories {
	struct prom_memory *list; // ascending by key
	size_t n;
	size_t cap;
};

// Load the record of what was sent to a URL from a folder; a missing file is not an error. PMON_E_FORMAT: the file
// is damaged.
PMON_NODISCARD enum pmon_status pmon_prom_memories_load(struct prom_memories *memories,
							const struct pmon_allocator *allocator,
							const char *folder, const char *url,
							struct pmon_err *err);

// Merge these, sorted by key, into those in the folder, replacing those with the same key.
PMON_NODISCARD enum pmon_status pmon_prom_memories_save(const struct prom_memories *memories,
							const struct pmon_allocator *allocator,
							const char *folder, const char *url,
							struct pmon_err *err);
// Sort them by key. Merge others into a sorted list, replacing those with the same key.
void pmon_prom_memories_sort(struct prom_memories *memories);
PMON_NODISCARD enum pmon_status pmon_prom_memories_merge(struct prom_memories *memories,
							 const struct prom_memories *newer,
							 const struct pmon_allocator *allocator,
							 struct pmon_err *err);
const struct prom_memory *pmon_prom_memories_find(const struct prom_memories *memories,
						  struct pmon_hash128 key);
void pmon_prom_memories_free(struct prom_memories *memories,
			     const struct pmon_allocator *allocator);

// Add an interval and merge it with those that it touches. If there are too many, the oldest is
// dropped.
void pmon_prom_interval_add(struct prom_memory *memory, struct prom_interval interval);

// Is the time in one of the intervals? And the end of the newest.
bool pmon_prom_interval_has(const struct prom_memory *memory, pmon_time time);

static inline pmon_time
pmon_prom_newest(const struct prom_memory *memory)
{
	return memory->intervals[PROM_INTERVALS - 1].to;
}

extern const struct pmon_push_engine pmon_push_prometheus;

#endif
