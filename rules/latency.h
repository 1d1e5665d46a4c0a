// latency.h - the counters that the average latency of a disk follows from
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_LATENCY_H
#define PMON_RULES_LATENCY_H

#include <pmon/path.h>

// Can the pattern match a latency of disks?
bool rules_may_be_latency(const struct pmon_path *pattern);

// Then these are to be read too.
#define RULES_LATENCY_NEEDS                                                                        \
	{                                                                                          \
		"\\PhysicalDisk(*)\\Avg. Disk *Queue Length", "\\PhysicalDisk(*)\\Disk *s/sec",    \
			"\\LogicalDisk(*)\\Avg. Disk *Queue Length",                               \
			"\\LogicalDisk(*)\\Disk *s/sec"                                            \
	}

#endif
