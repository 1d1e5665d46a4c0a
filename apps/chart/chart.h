// chart.h - from logs to a figure
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_CHART_CHART_H
#define PMON_APPS_CHART_CHART_H

#include "apps/chart/parts.h"
#include "rules/disks.h"

// Open what the command line names; kind and thresholds of the figure are set. Then read all of it once
// and choose the series. Both return an exit status.
int chart_open(struct chart *chart, const struct args *args);
int chart_choose(struct chart *chart);

// Read it once more for this many columns. The panels are assigned. Returns an exit status.
int chart_fill(struct chart *chart, size_t columns);

// Name bars after their instances where all of a panel are of one counter, which the heading has. The panels are
// assigned.
void chart_name_bars(struct chart *chart);

// Free, and close the logs with what has come of it.
int chart_close(struct chart *chart, int status);

// ---- For other pictures ---------------------------------------------------------------------

// What a figure says of a series, but for its label and its columns.
void chart_describe(const struct pmon_series *series, const struct pmon_stats *stats,
		    struct draw_series *out);

// "~" or "?" after a mean that is not the average of the counter's type, else "".
const char *chart_average_mark(const struct pmon_series *series);

// The average of a latency of a disk that follows from other counters of a text log, with its mark, if it does.
void chart_take_latency(const struct rules_disks *disks, const struct pmon_statistics *statistics,
			const struct pmon_series *series, struct draw_series *out);

struct draw_clock chart_clock(const struct clock *clock);

#endif
