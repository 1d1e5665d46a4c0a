// memsource.h - a source with samples from a test
// SPDX-License-Identifier: MIT
//
//	struct mem_source *m = mem_source_new();
//	uint32_t reads = mem_source_series(m, "\\\\SRV\\Disk(0)\\Reads/sec", PMON_PERF_COUNTER_COUNTER, 1);
//
//	mem_source_sample(m, 10 * PMON_TIME_PER_SEC);
//	mem_source_raw(m, reads, 100, 10);               // first, second
//	source = mem_source_open(m);                     // closing it frees m
//
// Samples and values are accessible, so that tests can change what the functions have no parameter
// for.

#ifndef PMON_TESTS_MEMSOURCE_H
#define PMON_TESTS_MEMSOURCE_H

#include <pmon/model.h>
#include <pmon/path.h>

#include "model/source.h"

struct mem_source {
	struct pmon_source base;
	struct pmon_sample *samples;
	size_t *from; // the offset of each sample's values
	size_t n, samples_cap, from_cap;
	uint32_t *series;
	struct pmon_raw *raw;
	size_t n_values, series_cap, raw_cap;
	size_t next;          // the next sample to read
	uint64_t ordinals[4]; // for the next sample of each stream
};

struct mem_source *mem_source_new(void);

// Add a series by its path; returns its number. Fails the test if the path is invalid.
uint32_t mem_source_series(struct mem_source *m, const char *path, uint32_t type,
			   int64_t time_base);

// Add a series whose path has parts that a path text cannot express, or with more counter
// properties.
uint32_t mem_source_add(struct mem_source *m, const struct pmon_path *path,
			const struct pmon_counter *counter);

// Begin the next sample; mem_source_sample_of() sets its stream and position.
void mem_source_sample(struct mem_source *m, pmon_time time);
void mem_source_sample_of(struct mem_source *m, pmon_time time, int32_t offset_min,
			  uint32_t stream);

// Skip an ordinal, as if the stream had a sample without any of these series.
void mem_source_skip(struct mem_source *m);

// Add a raw value to the newest sample; mem_source_bad() adds one with a bad status,
// mem_source_put() one with its own time.
void mem_source_raw(struct mem_source *m, uint32_t series, int64_t first, int64_t second);
void mem_source_bad(struct mem_source *m, uint32_t series, uint32_t status);
void mem_source_put(struct mem_source *m, uint32_t series, const struct pmon_raw *raw);

struct pmon_source *mem_source_open(struct mem_source *m);

#endif
