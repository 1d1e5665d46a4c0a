// blg_mixed.h - a small binary log with every form of value record, in many buffers
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_BLG_MIXED_H
#define PMON_TESTS_BLG_MIXED_H

#include "blg_build.h"

#define BLG_MIXED_SAMPLES 8
#define BLG_MIXED_BUFFER  0x400 // bytes of a buffer

struct blg_mixed {
	uint8_t *file; // to be freed with free()
	size_t len;
	size_t first_buffer[BLG_MIXED_SAMPLES]; // that contains a part of the sample
	size_t last_buffer[BLG_MIXED_SAMPLES];
};

// Samples have one to three parts; buffer 1 contains the names of the counters. os_major below 6:
// buffers of the older generation.
struct blg_mixed blg_mixed_build(uint8_t os_major);

#endif
