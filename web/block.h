// block.h - encode the values of a block as bytes
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_BLOCK_H
#define PMON_WEB_BLOCK_H

#include "web/samples.h"

// Fields that a block omits because they are constant or follow from the samples. Bytes are in native order,
// because only this process reads them.
enum {
	BLOCK_NO_SECOND = 1,   // all second values are 0
	BLOCK_SAMPLE_TIME = 2, // all times are those of their samples
	BLOCK_ONE_STATUS = 4,
	BLOCK_ONE_MULTI = 8,
	BLOCK_IN_ROW = 16, // the samples are consecutive
};

#define BLOCK_BYTES (STORE_BLOCK * (3 * sizeof(int64_t) + 3 * sizeof(uint32_t)) + 64)

// Write n values, 1 to STORE_BLOCK, into bytes, which has room for BLOCK_BYTES. Returns the length.
size_t block_encode(const struct store_samples *samples, const struct store_value *values, size_t n,
		    uint8_t *bytes, uint8_t *flags);

// Returns false if the bytes are too few.
bool block_decode(const struct store_samples *samples, const uint8_t *bytes, size_t len,
		  uint8_t flags, uint32_t first_at, struct store_value *values, size_t n);

#endif
