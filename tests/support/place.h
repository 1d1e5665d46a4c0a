// place.h - an instance of Process in a memory source, with the counters that identify the process
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_PLACE_H
#define PMON_TESTS_PLACE_H

#include <pmon/base.h>

#include "memsource.h"

#define SECOND PMON_TIME_PER_SEC
#define START  (INT64_C(134200000) * SECOND) // of the clock in all samples

// Add the series IO Read Operations/sec, ID Process and Elapsed Time of an instance.
struct place {
	uint32_t reads, pid, elapsed;
};

// machine: "" or with its leading backslashes.
struct place t_new_place(struct mem_source *m, const char *machine, const char *instance);

// Add to the newest sample: at second `now`, process `pid`, which started at second `start`, has
// done this many reads.
void t_put(struct mem_source *m, const struct place *place, int64_t now, int64_t pid, int64_t start,
	   int64_t reads);

#endif
