// place.c - an instance of Process in a memory source, with the counters that identify the process
// SPDX-License-Identifier: MIT

#include "place.h"

#include <stdio.h>

#include <pmon/counter.h>

static uint32_t
series(struct mem_source *m, const char *machine, const char *instance, const char *counter,
       uint32_t type)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s\\Process(%s)\\%s", machine, instance, counter);
	return mem_source_series(m, path, type, type == PMON_PERF_COUNTER_RAWCOUNT ? 0 : SECOND);
}

struct place
t_new_place(struct mem_source *m, const char *machine, const char *instance)
{
	struct place place;

	place.reads = series(m, machine, instance, "IO Read Operations/sec",
			     PMON_PERF_COUNTER_BULK_COUNT);
	place.pid = series(m, machine, instance, "ID Process", PMON_PERF_COUNTER_RAWCOUNT);
	place.elapsed = series(m, machine, instance, "Elapsed Time", PMON_PERF_ELAPSED_TIME);
	return place;
}

void
t_put(struct mem_source *m, const struct place *place, int64_t now, int64_t pid, int64_t start,
      int64_t reads)
{
	mem_source_raw(m, place->reads, reads, START + now * SECOND);
	mem_source_raw(m, place->pid, pid, 0);
	mem_source_raw(m, place->elapsed, START + start * SECOND, START + now * SECOND);
}
