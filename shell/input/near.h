// near.h - suggest counters for a pattern without matches
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_NEAR_H
#define PMON_SHELL_INPUT_NEAR_H

#include <pmon/model.h>

#define NEAR_NAMES 3

// The nearest of all names added, the nearest first. Initialize with zeros.
struct near {
	size_t n;
	const struct pmon_series *series[NEAR_NAMES];
	size_t distance[NEAR_NAMES];
};

void near_add(struct near *near, const struct pmon_path *pattern, const struct pmon_series *series);

// Is the distance of the nearest more than 0 and at most `most`?
bool near_is_within(const struct near *near, size_t most);

#endif
