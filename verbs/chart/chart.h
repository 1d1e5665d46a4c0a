// chart.h - from logs to a figure
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_CHART_CHART_H
#define PMON_VERBS_CHART_CHART_H

#include "verbs/chart/parts.h"
#include "query/rates.h"
#include "query/statistics.h"
#include "shell/input/picked.h"

// Open the input that the command line names; kind and thresholds of the figure are set. Then read
// all of it once and choose the series. Both return an exit status.
int chart_open(struct chart *chart, const struct args *args);
int chart_choose(struct chart *chart);

// Read it again for this many columns. The panels are assigned. Returns an exit status.
int chart_fill(struct chart *chart, size_t columns);

// Label bars with their instances if all bars of a panel belong to one counter, which the heading
// names. The panels are assigned.
void chart_name_bars(struct chart *chart);

// Free, and close the logs with the given status.
int chart_close(struct chart *chart, int status);

// ---- Several charts of one reading -----------------------------------------------------------

// A verb that reads logs by itself fills any number of charts in one pass: begin each, add each sample to each, end
// each. `picked` gets the series whose values are needed; the sample is on the axis of time (pmon_paces_axis()).
// They return exit statuses. chart_fill_end() is called in any case.
int chart_fill_begin(struct chart *chart, size_t columns, struct picked *picked);
int chart_fill_add(struct chart *chart, const struct pmon_sample *on_axis,
		   const struct pmon_value *values);
void chart_fill_end(struct chart *chart);

// Choose the series of chart->incident: its logs, args, statistics and times are set. None may be chosen.
int chart_choose_incident(struct chart *chart);

// Free what chart_open() did not open.
void chart_free(struct chart *chart);

// ---- For other pictures ---------------------------------------------------------------------

// Describe a series in a figure, except its label and columns.
void chart_describe(const struct pmon_series *series, const struct pmon_stats *stats,
		    struct draw_series *out);

// "~" or "?" after a mean that is not the average of the counter's type, otherwise "".
const char *chart_average_mark(const struct pmon_series *series);

// Use the average of a displayed latency that is weighted by operations, with its mark, if the log
// has their rate.
void chart_take_derived(const struct pmon_statistics *statistics, const struct pmon_series *series,
			struct draw_series *out);

struct draw_clock chart_clock(const struct clock *clock);

#endif
