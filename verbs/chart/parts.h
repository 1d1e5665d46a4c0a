// parts.h - the data behind a figure
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_CHART_PARTS_H
#define PMON_VERBS_CHART_PARTS_H

#include "shell/input/logs.h"
#include "draw/figure.h"

// Options of pmon chart only.
struct chart_options {
	const char *kind;
	const char *size;
	const char *dpi;
	const char *theme;
	struct words threshold;
	const char *incident;
	bool ascii;
};

#define CHART_FIRST_CHOICE 8 // at most

struct chart_incident;
struct stack;

// A series of the logs that is part of a stack, and the series of the figure that shows it.
struct chart_part {
	uint32_t id;
	size_t slot;
};

struct chart {
	const struct args *args;
	struct request request; // with default patterns if the command line has none
	bool overwrite;         // overwrite the picture
	bool one_counter;       // label rows with their instances
	size_t first_choice;    // number of series in a picture if nothing is requested
	struct logs *logs;
	struct logs opened; // by chart_open()
	// the chosen series, in the order of the figure
	const struct pmon_series *chosen[DRAW_SERIES];
	struct draw_series series[DRAW_SERIES];
	struct chart_part *parts; // parts of a stack
	size_t n_parts;
	size_t n_stacked;    // the first series are stacked
	struct stack *stack; // while a pass fills the figure
	struct chart_incident
		*incident;        // what is drawn instead of what the options choose; NULL: nothing
	size_t rest[DRAW_SERIES]; // how many parts each series of a stack sums, if more than one
	struct draw_figure figure;
	struct pmon_statistics *statistics;
	struct pmon_envelope *envelope;
	struct pmon_envelope *sums;              // of the stacked series
	double (*percentiles)[DRAW_PERCENTILES]; // of each series, of a distribution
	char title[DRAW_LABEL];
	char subtitle[2 * DRAW_LABEL];
};

#endif
