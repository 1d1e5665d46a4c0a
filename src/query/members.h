// members.h - sums whose members were not logged
// SPDX-License-Identifier: MIT
//
// `_Total` is not ranked among the instances it sums up. If a log has only `_Total`, it is ranked
// in their place.

#ifndef PMON_QUERY_MEMBERS_H
#define PMON_QUERY_MEMBERS_H

#include <pmon/model.h>

#include "base/map.h"

// Zeros are an empty set.
struct pmon_members {
	const struct pmon_schema *schema;
	size_t seen;         // series of the schema
	struct pmon_map map; // one member for each counter of each object of each machine
	uint64_t seed;
};

// Add the new series of the schema, which must be the same in each call. False when memory is
// short.
PMON_NODISCARD bool pmon_members_learn(struct pmon_members *members,
				       const struct pmon_schema *schema);

// Whether a series may be ranked: pmon_path_ranks(), or it is a sum without members.
bool pmon_members_ranks(const struct pmon_members *members, const struct pmon_series *series);

void pmon_members_free(struct pmon_members *members);

#endif
