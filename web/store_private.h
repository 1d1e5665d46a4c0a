// store_private.h - the internals of a store, for store_write.c and store_read.c
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_STORE_PRIVATE_H
#define PMON_WEB_STORE_PRIVATE_H

#include "model/schema.h"
#include "os/threads.h"
#include "web/store.h"

#define SEGMENTS 16 // the most files; a power of two

struct block {
	uint64_t offset; // in the file of its segment
	uint32_t length;
	uint32_t segment;
	uint32_t first_at;
	uint32_t last_at;
	uint16_t n;
	uint8_t flags;
};

// One series.
struct column {
	struct block *blocks;
	size_t n;
	size_t cap;
	struct store_value *open; // the newest values, not in a block yet
	size_t n_open;
	size_t cap_open;
};

struct segment {
	struct pmon_file *file;
	pmon_time start;
	uint32_t last_at;
};

// The start values of processes in the next sample.
struct starts {
	uint32_t *series;
	struct pmon_raw *raw;
	size_t n;
	size_t cap_series;
	size_t cap_raw;
};

struct store {
	const struct pmon_allocator *allocator;
	struct pmon_shared_lock lock;
	int64_t history_100ns;
	struct pmon_schema schema;
	struct column *columns;
	size_t n;
	size_t cap;
	struct store_samples samples;
	uint32_t begin;
	uint32_t end;
	uint32_t *streams; // of the samples
	size_t n_streams;
	size_t cap_streams;
	size_t last_stream;
	int64_t usual_100ns;               // as in struct pmon_sample, of the newest
	bool stepped;                      // some sample is earlier than its predecessor
	struct segment segments[SEGMENTS]; // number s at s % SEGMENTS
	uint32_t first_segment;
	uint32_t segment; // currently written
	size_t open_values;
	uint64_t raw_values;
	struct starts starts;
};

#endif
