// processors.h - the number of processors of each machine, derived from a schema's counters
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_PROCESSORS_H
#define PMON_RULES_PROCESSORS_H

#include <pmon/model.h>

#include "base/map.h"
#include "query/processors.h"

#define RULES_PROCESSOR_BITS 15

// The processors found in one object.
struct rules_processors_by {
	struct pmon_span counter; // one of its counters, so that each instance is counted once
	uint32_t n[RULES_PROCESSOR_BITS]; // number of instances, by the bit length of their numbers
	size_t all;
};

struct rules_processors_of {
	struct pmon_span machine;
	struct rules_processors_by by[PMON_PROCESSOR_OBJECTS]; // in the order of PMON_PROCESSORS
	size_t n;     // of the machine: the maximum over all objects
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

// The index of a path's object in PMON_PROCESSORS, or PMON_PROCESSOR_OBJECTS if it is none of them.
size_t rules_processors_object(const struct pmon_path *path);

// Count the processors in the series added since the last call: instances of these objects, except totals.
// The schema must outlive it. False when memory is short.
bool rules_processors_take(struct rules_processors *p, const struct pmon_schema *schema);

// Find or add a machine. The next call may move it. NULL when memory is short.
struct rules_processors_of *rules_processors_at(struct rules_processors *p,
						struct pmon_span machine);

void rules_processors_free(struct rules_processors *p);

#endif
