// perfblock_build.h - build PERF_DATA_BLOCKs field by field, in either byte order
// SPDX-License-Identifier: MIT
//
//	struct pb b = {.big_endian = true};
//
//	pb_begin(&b, time_100ns, perf_time, "SRV");
//	pb_object(&b, 238, counters, 2, 1, 0);
//	pb_instance(&b, 0, 0, -1, "0");
//	pb_values(&b, counters, 2, (uint64_t[]){1, 2});
//	pb_end(&b);
//	... b.bytes, b.len; begin the next block, or pb_free(&b)

#ifndef PMON_TESTS_PERFBLOCK_BUILD_H
#define PMON_TESTS_PERFBLOCK_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PB_HEAD        88 // bytes in the header without its name
#define PB_FREQ        INT64_C(1000000)
#define PB_OBJECT_TIME 5000
#define PB_OBJECT_FREQ 1000
#define PB_NO_INST     (-1)
#define PB_NO_PARENT   0
#define PB_ASCII_PAGE  20127

struct pb_counter {
	uint32_t title;
	uint32_t type;
	uint32_t size;
	int32_t scale;
};

struct pb {
	bool big_endian;
	bool without_head; // the total excludes the header, as in Samba
	uint32_t
		// extra bytes in each definition, so that sizes differ from those in winperf.h
		slack;
	int32_t local_min; // SystemTime minus PerfTime100nSec
	uint8_t *bytes;
	size_t len;
	size_t cap;
	// State while building.
	size_t block;
	size_t object;
	bool in_object;
	int32_t code_page;
	uint32_t n_objects;
	uint32_t n_instances;
};

void pb_begin(struct pb *b, int64_t time_100ns, int64_t perf_time, const char *machine);

// n_instances: PB_NO_INST, or any other value for instances, which are counted. Texts are UTF-8 in
// the Basic Multilingual Plane; instance names in code_page (0 is UTF-16) are written as they are.
void pb_object(struct pb *b, uint32_t title, const struct pb_counter *counters, size_t n,
	       int n_instances, int32_t code_page);
void pb_instance(struct pb *b, uint32_t parent_title, uint32_t parent, int32_t unique_id,
		 const char *name);
void pb_values(struct pb *b, const struct pb_counter *counters, size_t n, const uint64_t *values);
void pb_end(struct pb *b);
void pb_free(struct pb *b);

// Add 4 zero bytes.
void pb_zero(struct pb *b);

// Change a u32 at an offset.
void pb_patch(struct pb *b, size_t at, uint32_t v);

#endif
