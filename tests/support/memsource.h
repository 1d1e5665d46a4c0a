// memsource.h - a source over samples that a test writes down
// SPDX-License-Identifier: MIT
//
//	struct mem_source *m = mem_source_new();
//	uint32_t reads = mem_source_series(m, "\\\\SRV\\Disk(0)\\Reads/sec", PMON_PERF_COUNTER_COUNTER, 1);
//
//	mem_source_sample(m, 10 * PMON_TIME_PER_SEC);
//	mem_source_raw(m, reads, 100, 10);               // first, second
//	source = mem_source_open(m);                     // closing it frees m

#ifndef PMON_TESTS_MEMSOURCE_H
#define PMON_TESTS_MEMSOURCE_H

#include <pmon/model.h>

struct mem_source;

struct mem_source *mem_source_new(void);

// A series of a path; its number. The test fails on a path that does not parse.
uint32_t mem_source_series(struct mem_source *m, const char *path, uint32_t type,
			   int64_t time_base);

// Begin the next sample.
void mem_source_sample(struct mem_source *m, pmon_time time);

// Leave a number out of the ordinals, as if a sample of the stream was without any of these series.
void mem_source_skip(struct mem_source *m);

// Put a raw value into the newest sample; mem_source_bad() one with a bad status.
void mem_source_raw(struct mem_source *m, uint32_t series, int64_t first, int64_t second);
void mem_source_bad(struct mem_source *m, uint32_t series, uint32_t status);

struct pmon_source *mem_source_open(struct mem_source *m);

#endif
