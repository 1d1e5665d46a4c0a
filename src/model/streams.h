// streams.h - the streams of a source, in the order of their first samples
// SPDX-License-Identifier: MIT
//
// A stream's number can be any 32-bit number: merged logs have their own numbers, and files may
// contain anything. So per-stream data is kept by index, which begins at 0:
//
//	at = pmon_streams_index(&streams, allocator, sample->stream);
//	if (at == PMON_STREAM_NONE)
//		... no memory
//	if (at == n_leads)
//		... a new one
//
// Finding an index takes constant time.

#ifndef PMON_MODEL_STREAMS_H
#define PMON_MODEL_STREAMS_H

#include <pmon/base.h>

#include "base/map.h"

#define PMON_STREAM_NONE UINT32_MAX
#define PMON_STREAMS_MAX ((size_t)1 << 16) // per log: a merge has 16 bits for the streams of each

// Zeros are an empty table.
struct pmon_streams {
	struct pmon_map map;
	uint64_t seed;     // of its hashes
	uint32_t *numbers; // by index
	size_t n;
	size_t cap;
	// The index of the last lookup: most samples are in the same stream as the one before.
	uint32_t newest;
};

// The index of a stream; for a new one, the number of streams before it. PMON_STREAM_NONE: out of
// memory.
PMON_NODISCARD uint32_t pmon_streams_index(struct pmon_streams *streams,
					   const struct pmon_allocator *allocator, uint32_t number);

// The same for a log that is being read, whose streams are renumbered by their index. PMON_E_LIMIT:
// there are already PMON_STREAMS_MAX streams. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_streams_number(struct pmon_streams *streams,
						    const struct pmon_allocator *allocator,
						    uint32_t number, uint32_t *index_out);

// Remove all; their memory stays reserved.
void pmon_streams_clear(struct pmon_streams *streams);
void pmon_streams_free(struct pmon_streams *streams, const struct pmon_allocator *allocator);

#endif
