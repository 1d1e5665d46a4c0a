// picked.h - pass on only selected series of a source
// SPDX-License-Identifier: MIT
//
// A second pass over a log only needs the few series of its charts. Without the others, their
// statistics are not computed again.

#ifndef PMON_SHELL_INPUT_PICKED_H
#define PMON_SHELL_INPUT_PICKED_H

#include <pmon/model.h>

#include "shell/input/by_series.h"

struct picked {
	struct by_series chosen; // bool
	struct pmon_sample sample;
	uint32_t *series;
	struct pmon_raw *raw;
	size_t series_cap;
	size_t raw_cap;
	// The positions of the chosen series in the newest sample; usually the sample has the same
	// series as the one before.
	uint32_t *all; // its series
	size_t n_all;
	size_t all_cap;
	size_t *places;
	size_t n_places;
	size_t places_cap;
};
#define PICKED ((struct picked){.chosen = BY_SERIES_OF(bool)})

// Choose a series. False when memory is short.
bool picked_add(struct picked *picked, uint32_t series);

// No longer choose it.
void picked_drop(struct picked *picked, uint32_t series);

// The sample with only the chosen series, valid until the next call. NULL if out of memory.
const struct pmon_sample *picked_of(struct picked *picked, const struct pmon_sample *sample);

void picked_free(struct picked *picked);

#endif
