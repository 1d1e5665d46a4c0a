// draw.h - pmon chart: counters over time as a picture, or as characters in a terminal
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_CHART_DRAW_H
#define PMON_APPS_CHART_DRAW_H

struct args;

// Runs the verb. Returns an exit status.
int chart_run(const struct args *args);

// cairo, if there is a file to draw.
int chart_load(const struct args *args);

#endif
