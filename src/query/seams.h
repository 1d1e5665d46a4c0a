// seams.h - processes across the parts of a log, or across logs, that are read apart
// SPDX-License-Identifier: MIT
//
// Parts that are read by several threads do not know which process was at a place before them. When
// their statistics are merged in order, this corrects the first value of each series that belongs
// to another process, so that the result is that of reading all of it in one.

#ifndef PMON_QUERY_SEAMS_H
#define PMON_QUERY_SEAMS_H

#include <pmon/query.h>

#include "query/places.h"

// What is known of a series at the end of a part.
struct pmon_seam {
	struct pmon_who newest; // of whom its newest value is
	bool is_known;
	bool is_waiting; // another one has the place, and no usable value has come since
};

struct pmon_seams {
	const struct pmon_allocator *allocator;
	struct pmon_seam *list; // by series of the whole
	size_t n;
	size_t cap;
	pmon_time time;  // of the newest sample; PMON_TIME_NONE: there is none yet
	pmon_time clock; // that `Elapsed Time` counted to then; PMON_TIME_NONE: not known
	struct pmon_places *before; // of the part that the next one follows on, or NULL
};

void pmon_seams_init(struct pmon_seams *seams, const struct pmon_allocator *allocator);
void pmon_seams_free(struct pmon_seams *seams);

// Before the statistics of a part are added to those of the whole. part is the source that was read,
// of pmon_identity_open(); map gives the series of the whole for its series. follows: its first sample
// is the one after the newest of the part before, which is still open. False when memory is short.
PMON_NODISCARD bool pmon_seams_join(struct pmon_seams *seams, struct pmon_source *part,
				    const uint32_t *map, struct pmon_statistics *statistics,
				    bool follows);

#endif
