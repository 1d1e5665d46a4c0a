// near.h - the counters that a pattern without matches may have meant
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_INPUT_NEAR_H
#define PMON_CLI_INPUT_NEAR_H

#include <pmon/model.h>

#define NEAR_NAMES 3

// The nearest of all that were added, the nearest first. Initialize it with zeros.
struct near {
	size_t n;
	const struct pmon_series *series[NEAR_NAMES];
	size_t distance[NEAR_NAMES];
};

// Look at a series.
void near_add(struct near *near, const struct pmon_path *pattern, const struct pmon_series *series);

// Is there one whose distance is not 0, nor more than most?
bool near_is_within(const struct near *near, size_t most);

#endif
