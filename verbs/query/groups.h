// groups.h - series of a query that are averaged together
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_QUERY_GROUPS_H
#define PMON_VERBS_QUERY_GROUPS_H

#include "verbs/stats/by.h"
#include "push/query.h"

struct groups {
	uint32_t *series; // members, group by group
	uint32_t *of;     // the group of each member
	size_t n_members;
	char **names;                       // of the groups
	const struct pmon_series **example; // the first member of each
	size_t n;
};

// Group the chosen series, by the rules of pmon stats --by. False if out of memory.
bool groups_make(struct groups *groups, const struct pmon_schema *schema, const uint32_t *chosen,
		 size_t n, enum by by);
void groups_free(struct groups *groups);

#endif
