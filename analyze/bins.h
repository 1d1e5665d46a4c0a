// bins.h - the course of one series in bounded memory
// SPDX-License-Identifier: MIT
//
// Samples are numbered from 0 in their stream. Each sample begins as a bin of its own; when there is no room for
// another one, the neighbours that differ least become one bin. So edges and extremes keep their place to the sample,
// however long the log is, and the noise between them is averaged. Some samples are picked in addition, evenly
// spread: the median and the spread of the series come from them, as bins have lost the noise.

#ifndef PMON_ANALYZE_BINS_H
#define PMON_ANALYZE_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BINS_MOST  144
#define BINS_PICKS 96

struct bin {
	uint32_t n; // samples
	float mean; // NaN: they have no value
};

struct bins_pick {
	uint32_t at; // the number of the sample
	float value;
};

// All zeros at the beginning.
struct bins {
	uint32_t from; // the first sample
	uint32_t next; // the one after the newest; 0: there is none
	uint32_t n;
	uint32_t cap;
	uint32_t n_picks;
	uint32_t cap_picks;
	struct bin open; // the newest, until bins_end(); n is 0: there is none
	float joins;     // neighbours become one that lose no more than this
	uint32_t skips;  // samples are picked whose hash has none of these bits
	struct bin *list;
	struct bins_pick *picks;
};

// Add the value of a sample; the samples since the one before have none. False when memory is short.
bool bins_add(struct bins *bins, uint32_t at, double value);

// Call it before the bins are read; samples may follow. False when memory is short.
bool bins_end(struct bins *bins);

void bins_free(struct bins *bins);

// The median of the picked samples, and their median distance from it as the standard deviation that a normal
// distribution with it has. NaN where there are no samples.
struct bins_usual {
	double median;
	double spread;
};
struct bins_usual bins_usual(const struct bins *bins);

// The mean over the samples [from, to); NaN where none has a value.
double bins_mean(const struct bins *bins, uint32_t from, uint32_t to);

// The median of a list, which is put in order.
double bins_median(float *list, size_t n);

#endif
