// processors.h - how many processors machines have, by the counters of a schema
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_PROCESSORS_H
#define PMON_RULES_PROCESSORS_H

#include <pmon/model.h>

#include "base/map.h"

struct rules_processors_of {
	struct pmon_span machine;
	struct pmon_span object;  // that they are counted by
	struct pmon_span counter; // one of its counters, so that each instance is counted once
	size_t n;
	bool is_told; // for the caller
};

// The processors of all machines. All zeros at the beginning.
struct rules_processors {
	struct rules_processors_of *list;
	size_t n;
	size_t cap;
	struct pmon_map map; // by the names of machines
	uint64_t seed;       // of its hashes
	size_t seen;         // series of the schema
};

// Count those of the series that have come since the last call: instances of Processor, or of Processor Information
// where those are missing, without totals. The schema must outlive it. False when memory is short.
bool rules_processors_take(struct rules_processors *p, const struct pmon_schema *schema);

// The element of a machine, which may be new. It may move at the next call. NULL when memory is short.
struct rules_processors_of *rules_processors_at(struct rules_processors *p,
						struct pmon_span machine);

void rules_processors_free(struct rules_processors *p);

#endif
