// rank.h - the runs of eight series of one formula, side by side
// SPDX-License-Identifier: MIT
//
// What a run (run.h) has of a series lies in lanes here, one of eight, so that eight raw values of a
// sample are taken at a time, wherever in it they stand. A run goes into a lane and comes out of it as
// it is, so that the results are the same to the last bit.

#ifndef PMON_CORE_RANK_H
#define PMON_CORE_RANK_H

#include "core/eight.h"
#include "core/run.h"

// A lane of each; where nothing is in it `at` is any position.
struct pmon_rank {
	int64_t first[PMON_EIGHT]; // of the newest raw value
	int64_t second[PMON_EIGHT];
	double minimum[PMON_EIGHT];
	double maximum[PMON_EIGHT];
	uint32_t at[PMON_EIGHT]; // position of its raw value in the sample
	double ticks;
	uint8_t formula;
	uint8_t zero;         // as in the run
	uint8_t there;        // a bit for each lane that has a run
	uint8_t was_zero;     // ... and whose newest value had a denominator of 0,
	uint8_t minimum_zero; // ... or whose smallest
	uint8_t maximum_zero;
	uint64_t head[PMON_EIGHT]; // status and multi of the newest raw value
	pmon_time time[PMON_EIGHT];
	double last[PMON_EIGHT];
	int64_t sum[PMON_EIGHT];
	uint64_t n_zero[PMON_EIGHT];
	pmon_time minimum_time[PMON_EIGHT]; // PMON_TIME_NONE where it stood before the run
	pmon_time maximum_time[PMON_EIGHT];
	uint32_t begun[PMON_EIGHT]; // how many samples there were before the run
};

// Can runs be taken side by side on this processor?
bool pmon_rank_is_there(void);

// Is it a run that a rank can take at all?
bool pmon_rank_takes(const struct pmon_run *run);

// An empty rank for runs as this one.
void pmon_rank_begin(struct pmon_rank *rank, const struct pmon_run *run);

// Has it the formula of the rank, and all that goes with it?
bool pmon_rank_fits(const struct pmon_rank *rank, const struct pmon_run *run);

// Take a run that has just begun, after n_samples, into a lane in which nothing is.
void pmon_rank_take(struct pmon_rank *rank, unsigned lane, const struct pmon_run *run,
		    uint32_t n_samples);

// Give it back as it has become: of each sample since it had a raw value.
void pmon_rank_give(struct pmon_rank *rank, unsigned lane, struct pmon_run *run,
		    uint32_t n_samples);

// Add the raw values of a sample. Returns the lanes whose raw value is not plain: nothing has changed
// in them.
uint8_t pmon_rank_add(struct pmon_rank *rank, const struct pmon_raw *raws);

#endif
