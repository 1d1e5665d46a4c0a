// process_groups.h - processes of one name, summed, for metrics
// SPDX-License-Identifier: MIT
//
// What each process of a name counts is added up while it runs, so the sum stays when it ends. Values of one moment
// are those of the processes that there are. The clock that a sum is divided by is that of one process, as for
// \Process(name)\% Processor Time.

#ifndef PMON_WEB_PROCESS_GROUPS_H
#define PMON_WEB_PROCESS_GROUPS_H

#include "format/openmetrics/openmetrics.h"

struct process_groups;

// The counters that groups have; "NULL" is after the last. Groups are ranked by the first two.
extern const char *const process_group_patterns[];

// top: how many groups are shown by each of them. NULL: memory is short.
struct process_groups *process_groups_open(const struct om_registry *registry, size_t top);
void process_groups_close(struct process_groups *groups); // NULL is fine

// Is this a series that is only shown as a part of a group?
bool process_groups_has(const struct om_track *track);

// Add what pmon_om_take() made of a value. is_start: only what the process counts from. false when memory is short.
PMON_NODISCARD bool process_groups_take(struct process_groups *groups, const struct om_track *track,
					bool is_start, const double numbers[OM_PARTS]);

// Choose the groups that are shown.
void process_groups_rank(struct process_groups *groups);

// Give the numbers of a part of a family that are shown. The track has the labels of the group.
typedef void (*process_group_fn)(void *ctx, const struct om_track *track, double number);
void process_groups_each(const struct process_groups *groups, uint32_t family, int part,
			 process_group_fn give, void *ctx);

#endif
