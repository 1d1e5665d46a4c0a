// parts.h - a figure and what it is made from
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_CHART_PARTS_H
#define PMON_APPS_CHART_PARTS_H

#include "cli/input/logs.h"
#include "draw/figure.h"

#define CHART_FIRST_CHOICE 8 // at the most

// A series of the logs that is part of a stack, and the series of the figure that shows it.
struct chart_part {
	uint32_t id;
	size_t slot;
};

struct chart {
	struct args args; // those of the command line, and patterns of ours where it has none
	bool ours;
	bool one_counter;    // rows are named after their instances
	size_t first_choice; // series of a picture of which nothing is asked
	struct logs logs;
	const struct pmon_series *chosen[DRAW_SERIES]; // those of the figure, in its order
	struct draw_series series[DRAW_SERIES];
	struct chart_part *parts; // of a stack
	size_t n_parts;
	size_t rest[DRAW_SERIES]; // how many parts a series of a stack sums, if more than one
	struct draw_figure figure;
	struct pmon_statistics *statistics;
	struct pmon_envelope *envelope;
	char title[DRAW_LABEL];
	char subtitle[2 * DRAW_LABEL];
};

#endif
