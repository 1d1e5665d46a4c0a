// picked.h - samples of some of the series of a source
// SPDX-License-Identifier: MIT
//
// A second reading of a log is for the few series of its pictures. Without the others their statistics are not
// made again.

#ifndef PMON_CLI_INPUT_PICKED_H
#define PMON_CLI_INPUT_PICKED_H

#include <pmon/model.h>

#include "cli/input/by_series.h"

struct picked {
	struct by_series chosen; // bool
	struct pmon_sample sample;
	uint32_t *series;
	struct pmon_raw *raw;
	size_t series_cap;
	size_t raw_cap;
	// Where the values of chosen series are in the newest sample, which most often has the series of the
	// one before it.
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

// The sample with the values of the chosen series alone, valid until the next call. NULL when memory is short.
const struct pmon_sample *picked_of(struct picked *picked, const struct pmon_sample *sample);

void picked_free(struct picked *picked);

#endif
