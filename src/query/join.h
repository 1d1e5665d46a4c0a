// join.h - the series of several sources as those of one
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_JOIN_H
#define PMON_QUERY_JOIN_H

#include "base/map.h"
#include "model/schema.h"

// A schema that others are mapped into: series of the same path, type and time base become one.
struct pmon_join {
	const struct pmon_allocator *allocator;
	struct pmon_schema *schema;
	uint64_t seed;       // of their hashes
	struct pmon_map map; // of its series
};

// How the series of one source are mapped. Initialize with zeros.
struct pmon_join_map {
	uint32_t *to; // its series -> those of the joined schema
	size_t n;
	size_t cap;
	uint8_t *taken; // one byte per joined series: whether a series of this source maps to it
	size_t taken_n;
	size_t taken_cap;
};

void pmon_join_init(struct pmon_join *join, struct pmon_schema *schema,
		    const struct pmon_allocator *allocator);
void pmon_join_free(struct pmon_join *join);

// Map the new series of source `number`. If a source has the same path twice, both stay separate.
PMON_NODISCARD enum pmon_status pmon_join_add(struct pmon_join *join, struct pmon_join_map *map,
					      const struct pmon_schema *from, uint32_t number,
					      struct pmon_err *err);
void pmon_join_map_free(const struct pmon_join *join, struct pmon_join_map *map);

#endif
