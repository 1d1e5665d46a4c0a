// boundaries.h - match processes across parts of a log, or logs, that are read separately
// SPDX-License-Identifier: MIT
//
// A thread that reads one part of a log does not know which process had a slot before that part.
// When the statistics of the parts are merged in order, this corrects the first value of each
// series whose process changed, so that the result is the same as reading the log in one pass.

#ifndef PMON_QUERY_BOUNDARIES_H
#define PMON_QUERY_BOUNDARIES_H

#include <pmon/query.h>

#include "query/slots.h"

// The state of a series at the end of a part.
struct pmon_boundary {
	struct pmon_who newest; // the process of its newest value
	bool is_known;
	bool is_waiting; // another process has the slot, without a usable value so far
};

struct pmon_boundaries {
	const struct pmon_allocator *allocator;
	struct pmon_boundary *list; // by series of the merged statistics
	size_t n;
	size_t cap;
	pmon_time time;  // of the newest sample; PMON_TIME_NONE: no sample yet
	pmon_time clock; // up to which `Elapsed Time` counted then; PMON_TIME_NONE: unknown
	struct pmon_slots *before; // of the part before the next one, or NULL
};

void pmon_boundaries_init(struct pmon_boundaries *boundaries,
			  const struct pmon_allocator *allocator);
void pmon_boundaries_free(struct pmon_boundaries *boundaries);

// Call this before adding the statistics of a part to the merged ones. part is the source that was
// read, from pmon_identity_open(); map translates its series to merged series. follows: its first
// sample comes right after the newest one of the previous part, which is still open. False when
// memory is short.
PMON_NODISCARD bool pmon_boundaries_join(struct pmon_boundaries *boundaries,
					 struct pmon_source *part, const uint32_t *map,
					 struct pmon_statistics *statistics, bool follows);

#endif
