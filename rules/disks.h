// disks.h - the counters of text logs that the average latency of a disk follows from
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_DISKS_H
#define PMON_RULES_DISKS_H

#include <pmon/query.h>

#include "base/map.h"

// Can the pattern match a latency of disks?
bool rules_may_be_latency(const struct pmon_path *pattern);

// Then these are to be read too.
#define RULES_LATENCY_NEEDS                                                                        \
	"\\PhysicalDisk(*)\\Avg. Disk *Queue Length", "\\PhysicalDisk(*)\\Disk *s/sec",            \
		"\\LogicalDisk(*)\\Avg. Disk *Queue Length", "\\LogicalDisk(*)\\Disk *s/sec"

// The displayed queue lengths and rates of disks; empty when it is all zeros.
struct rules_disks {
	const struct pmon_series **list;
	size_t n;
	size_t cap;
	struct pmon_map map; // by their paths
	uint64_t seed;       // of its hashes
};

// Note a series, if it is one; or all of a schema, whose series must outlive it. False when memory is short.
bool rules_disks_note(struct rules_disks *disks, const struct pmon_series *series);
bool rules_disks_find(struct rules_disks *disks, const struct pmon_schema *schema);
void rules_disks_free(struct rules_disks *disks);

// What the latency of a series of displayed values follows from. False: it is not such a series, or the log lacks one of them.
bool rules_disks_beside(const struct rules_disks *disks, const struct pmon_series *series,
			const struct pmon_series **queue, const struct pmon_series **rate);

// The average latency that follows from the statistics of a queue length and of a rate over the same time: the mean of
// one divided by that of the other, as all intervals of a log are alike. False where values are missing.
bool rules_latency_from(const struct pmon_stats *queue, const struct pmon_stats *rate,
			struct pmon_value *out);

// The average latency of a series of displayed values over all that the statistics hold, in this way. False where the
// log lacks such counters.
bool rules_latency_of(const struct rules_disks *disks, const struct pmon_statistics *statistics,
		      const struct pmon_series *series, struct pmon_value *out);

#endif
