// shifts.h - intervals in which a counter differs from its own usual level
// SPDX-License-Identifier: MIT

#ifndef PMON_ANALYZE_SHIFTS_H
#define PMON_ANALYZE_SHIFTS_H

#include "analyze/bins.h"
#include "analyze/meanings.h"

enum shift_kind {
	SHIFT_PULSE,    // beyond the usual level for a while
	SHIFT_STALL,    // a sample so extreme that its operations waited for seconds
	SHIFT_RAMP,     // still growing, or falling, at the end
	SHIFT_RECYCLED, // each of several processes that follow each other grows
	SHIFT_PERIOD,   // several pulses at a regular distance
	SHIFT_COUNT,    // of errors: so many more
	SHIFT_LOOP,     // processes of one name that start again and again
	SHIFT_KINDS
};

struct shift {
	enum shift_kind kind;
	uint32_t from; // the first sample, and the one after the last
	uint32_t to;
	double usual; // the median of the series; of a ramp the level where it begins
	double level; // the mean; of a ramp the level where it ends, of errors their number
	double worst; // of the bins
	double score; // how much it stands out; larger is more
	uint32_t
		times; // of a period its pulses, of a loop its starts, of what is recycled the processes
	uint32_t
		every; // of a period: samples from one pulse to the next; of a process that is recycled
	uint32_t each; // ... and samples of one
};

#define SHIFTS_MOST 2 // of one series, besides a ramp

// The shifts of a series whose stream has `samples` samples: the strongest first.
// is_process: its level is that of one process, of which only ramps count. is_days: the samples are of days, in which
// a latency may drift.
size_t shifts_find(const struct bins *bins, const struct meaning *meaning, uint32_t samples,
		   bool is_process, bool is_days, struct shift out[SHIFTS_MOST]);

// The least distance from the usual level that counts as a shift.
double shifts_threshold(const struct bins *bins, const struct meaning *meaning);
#define SHIFTS_SPREADS 6                            // at least so many spreads, ...
double shifts_share(const struct meaning *meaning); // ... and this share of the usual level

// "pulse"
const char *shift_name(enum shift_kind kind);

#endif
