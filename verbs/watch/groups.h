// groups.h - alerts of one resource, of which only the gravest is told
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_WATCH_GROUPS_H
#define PMON_VERBS_WATCH_GROUPS_H

#include "analyze/meanings.h"
#include "model/schema.h"
#include "rules/rules.h"

// The alerts of one disk, or of all processors, of a machine.
struct alert_group {
	const struct pmon_series *series; // one of them
	const struct meaning *meaning;
	size_t told[RULES_LEVELS]; // alerts that have not ended, or whose end was not told yet
	size_t untold;
};

// Zeros before alert_groups_begin().
struct alert_groups {
	struct meanings meanings;
	struct alert_group *list;
	size_t n;
	size_t cap;
	struct pmon_map map;
	uint64_t seed;
};

bool alert_groups_begin(struct alert_groups *groups);
void alert_groups_free(struct alert_groups *groups);

// The number of the group that alerts of a series belong to; PMON_MAP_NONE when memory is short.
uint32_t alert_groups_of(struct alert_groups *groups, const struct pmon_series *series);

#endif
