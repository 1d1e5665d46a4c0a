// memsource.h - a source over samples that a test writes down
// SPDX-License-Identifier: MIT
//
//	struct mem_source *m = mem_source_new();
//	uint32_t reads = mem_source_series(m, "\\\\SRV\\Disk(0)\\Reads/sec", PMON_PERF_COUNTER_COUNTER, 1);
//
//	mem_source_sample(m, 10 * PMON_TIME_PER_SEC);
//	mem_source_raw(m, reads, 100, 10);               // first, second
//	source = mem_source_open(m);                     // closing it frees m
//
// Samples and values lie open: a test changes what the calls have no parameter for.

#ifndef PMON_TESTS_MEMSOURCE_H
#define PMON_TESTS_MEMSOURCE_H

#include <pmon/model.h>
#include <pmon/path.h>

#include "model/source.h"

struct mem_source {
	struct pmon_source base;
	struct pmon_sample *samples;
	size_t *from; // where the values of each begin
	size_t n, samples_cap, from_cap;
	uint32_t *series;
	struct pmon_raw *raw;
	size_t n_values, series_cap, raw_cap;
	size_t next;          // the sample that is read next
	uint64_t ordinals[4]; // of the next sample of each stream
};

struct mem_source *mem_source_new(void);

// A series of a path; its number. The test fails on a path that does not parse.
uint32_t mem_source_series(struct mem_source *m, const char *path, uint32_t type,
			   int64_t time_base);

// A series whose path has parts that no text can say, or whose counter has more to it.
uint32_t mem_source_add(struct mem_source *m, const struct pmon_path *path,
			const struct pmon_counter *counter);

// Begin the next sample; mem_source_sample_of() one of a stream and at a place.
void mem_source_sample(struct mem_source *m, pmon_time time);
void mem_source_sample_of(struct mem_source *m, pmon_time time, int32_t offset_min,
			  uint32_t stream);

// Leave a number out of the ordinals, as if a sample of the stream was without any of these series.
void mem_source_skip(struct mem_source *m);

// Put a raw value into the newest sample; mem_source_bad() one with a bad status, mem_source_put()
// one that is not of the sample's time.
void mem_source_raw(struct mem_source *m, uint32_t series, int64_t first, int64_t second);
void mem_source_bad(struct mem_source *m, uint32_t series, uint32_t status);
void mem_source_put(struct mem_source *m, uint32_t series, const struct pmon_raw *raw);

struct pmon_source *mem_source_open(struct mem_source *m);

#endif
