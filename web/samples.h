// samples.h - samples and values as the store keeps them
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_SAMPLES_H
#define PMON_WEB_SAMPLES_H

#include <pmon/pmon.h>

// One sample: its time, and its position in its stream. Samples are numbered as they came, from 0; `at`
// is such a number.
struct store_sample {
	pmon_time time;
	uint32_t ordinal; // the low bits
	uint16_t stream;  // numbered as they came
	int16_t utc_offset_min;
};

#define STORE_CHUNK 4096 // samples that are allocated at once

struct store_samples {
	struct store_sample **chunks; // NULL once forgotten
	size_t n_chunks;
	size_t cap_chunks;
};

static inline const struct store_sample *
store_samples_at(const struct store_samples *samples, uint32_t at)
{
	return &samples->chunks[at / STORE_CHUNK][at % STORE_CHUNK];
}

struct store_value {
	struct pmon_raw raw;
	uint32_t at; // the sample that it is of. What its process counted from is of it too, and
		     // comes first
};

#define STORE_BLOCK 256 // values of a full block

#endif
