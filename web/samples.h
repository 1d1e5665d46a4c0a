// samples.h - samples and values as the store keeps them
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_SAMPLES_H
#define PMON_WEB_SAMPLES_H

#include <pmon/pmon.h>

// One sample: its time, and its position in its stream. Samples are numbered in order of arrival, from 0;
// `at` is such a number.
struct store_sample {
	pmon_time time;
	int64_t perf_100ns; // as in struct pmon_sample
	uint32_t ordinal;   // the low bits
	uint16_t stream;    // numbered in order of arrival
	int16_t utc_offset_min;
};

#define STORE_CHUNK 4096 // samples samples per allocation

struct store_samples {
	struct store_sample **chunks; // NULL once dropped
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
	uint32_t
		at; // its sample. A process's start value belongs to the same sample and comes first
};

#define STORE_BLOCK 256 // values of a full block

#endif
