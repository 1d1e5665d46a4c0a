// paced.h - a log whose samples say how long the usual interval is
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_PACED_H
#define PMON_QUERY_PACED_H

#include <pmon/model.h>

// Set usual_100ns in the samples of a source, from its first intervals. Reads the first few samples
// before it returns one, because the first interval may be a gap. Takes ownership of the source,
// even on failure; returns it unchanged if it is live or sets the interval itself.
PMON_NODISCARD enum pmon_status pmon_paced_open(struct pmon_source *source,
						const struct pmon_allocator *allocator,
						struct pmon_source **out, struct pmon_err *err);

#endif
