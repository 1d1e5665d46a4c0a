// latency.h - the counters that the average latency of a disk follows from
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_LATENCY_H
#define PMON_RULES_LATENCY_H

#include <pmon/query.h>

// Can the pattern match a latency of disks?
bool rules_may_be_latency(const struct pmon_path *pattern);

// The average latency of a series of displayed values over all that the statistics hold: the mean of its queue length
// divided by the mean of its rate, as all intervals of a log are alike. False where there are no such counters.
bool rules_latency_of(const struct pmon_schema *schema, const struct pmon_statistics *statistics,
		      const struct pmon_series *series, struct pmon_value *out);

// Then these are to be read too.
#define RULES_LATENCY_NEEDS                                                                        \
	"\\PhysicalDisk(*)\\Avg. Disk *Queue Length", "\\PhysicalDisk(*)\\Disk *s/sec",            \
		"\\LogicalDisk(*)\\Avg. Disk *Queue Length", "\\LogicalDisk(*)\\Disk *s/sec"

#endif
