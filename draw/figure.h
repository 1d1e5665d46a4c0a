// figure.h - a picture as data: its series, panels and axes
// SPDX-License-Identifier: MIT
//
// Panels are stacked and share the time axis; each has one quantity. The figure is independent of
// pixels and terminal cells; cairo.h and term.h draw it.
//
//	draw_assign_panels(&figure, 6);     // uses the statistics of its series
//	...                                 // fill in the columns
//	draw_fit_axes(&figure, 5);
//	draw_cairo(&figure, &options, write, ctx);

#ifndef PMON_DRAW_FIGURE_H
#define PMON_DRAW_FIGURE_H

#include <pmon/query.h>

#include "draw/scale.h"
#include "draw/unit.h"

#define DRAW_SERIES PMON_ENVELOPE_SERIES
#define DRAW_PANELS 16 // at least DRAW_QUANTITIES, so that each quantity has one
#define DRAW_LABEL  256

#define DRAW_PERCENTILES 101 // from 0 to 100

enum draw_kind {
	DRAW_LINE,
	DRAW_AREA,
	DRAW_STACKED,
	DRAW_BAR, // averages, with minimum and maximum
	DRAW_HEATMAP,
	DRAW_DISTRIBUTION, // the share of the time in which a value was not exceeded
};

struct draw_series {
	char label[DRAW_LABEL]; // draw_clean()
	struct pmon_span counter;
	struct draw_unit unit;
	struct pmon_value last; // displayed values
	struct pmon_value average;
	struct pmon_value minimum;
	struct pmon_value maximum;
	const char *average_mark; // "~", "?" or "", as in pmon stats
	// Displayed values. If stacked: running sums, which include the preceding series of the panel. NULL
	// for bars.
	const struct pmon_envelope_column *columns;
	const double *percentiles; // displayed values, DRAW_PERCENTILES of them; of a distribution
	size_t panel;
	unsigned colour;  // draw_series_colour(); set with the panel
	bool is_stacked;  // on the preceding ones of its panel; all are in a figure of stacks
	bool is_rest;     // the sum of the series without a colour of their own: grey
	bool has_usual;   // a band behind the line shows where most of its values are:
	double usual_low; // displayed values
	double usual_high;
};

struct draw_panel {
	enum draw_quantity quantity;
	const struct draw_multiple *multiple;
	struct draw_axis axis; // in multiples of the unit
	bool is_stacked;
	char heading[DRAW_LABEL];
};

struct draw_figure {
	enum draw_kind kind;
	const char *title;
	const char *subtitle;
	pmon_time from;
	pmon_time to;
	struct draw_clock clock;
	bool has_incident; // a part of the time that is shaded:
	pmon_time incident_from;
	pmon_time incident_to;
	size_t columns;
	struct draw_series *series;
	size_t n; // at most DRAW_SERIES
	const struct draw_threshold *thresholds;
	size_t n_thresholds;
	struct draw_panel panels[DRAW_PANELS];
	size_t n_panels;
};

// Assign each series to a panel: one per quantity, plus, up to `most` panels (and DRAW_PANELS), further ones
// for counters of other orders of magnitude. Lines and stacks are apart, and the colours of each begin with the first.
void draw_assign_panels(struct draw_figure *figure, size_t most);

// Choose the units and axes of the panels, with at most `steps` intervals between ticks.
void draw_fit_axes(struct draw_figure *figure, int steps);

// The axis of a heat map: a nonlinear scale if a linear one would give most cells the same colour.
// draw_fit_axes() calls it.
void draw_fit_heat(struct draw_figure *figure, struct draw_panel *panel);

// The position of a displayed value on its panel's axis: 0 at the beginning, 1 at the end.
double draw_place(const struct draw_figure *figure, const struct draw_series *series, double value);

// The same for the value of a column, which may be a sum.
double draw_column_place(const struct draw_figure *figure, const struct draw_series *series,
			 double value);

// Does the threshold apply to the panel? *place is its position on the axis.
bool draw_threshold_place(const struct draw_figure *figure, const struct draw_panel *panel,
			  const struct draw_threshold *threshold, double *place);

// The time position of a column's values, from 0 at the beginning of the window to 1 at its end: a single
// value is placed at its own time, several in the middle of the column.
double draw_column_time(const struct draw_figure *figure, const struct draw_series *series,
			size_t i);

// The index of the column whose value covers column i: i itself or, if it is empty, the next one with values,
// provided that these are joined to the preceding ones. The first value of a run covers as much time before
// it as the next sample is after it. figure->columns if there is no such column.
size_t draw_column_cover(const struct draw_figure *figure, const struct draw_series *series,
			 size_t i);

// The label of a series in at most `most` characters: a longer one is elided in the middle, at a position
// that keeps different labels different.
void draw_label_text(const struct draw_figure *figure, size_t series, size_t most, bool ascii,
		     char *buf, size_t size);

// A value of a series in the unit of its panel, "-" if there is none, followed by a tick's unit.
size_t draw_value_text(const struct draw_figure *figure, const struct draw_series *series,
		       const struct pmon_value *value, char *buf, size_t size);
size_t draw_tick_text(const struct draw_panel *panel, int tick, char *buf, size_t size);

// A series as a sentence: its label, and its average, minimum, maximum and last value with their unit.
#define DRAW_SENTENCE (DRAW_LABEL + 160)
void draw_series_sentence(const struct draw_figure *figure, const struct draw_series *series,
			  char *buf, size_t size);

// Explains the marks after the figure's averages; "" if there are none. Returns the length.
size_t draw_marks_text(const struct draw_figure *figure, char *buf, size_t size);

// The text of a threshold in the output's number format: "20 ms" for 20ms.
void draw_threshold_amount(struct draw_threshold *threshold);

// The same for a limit of a counter with this unit: a number without a unit is one of its displayed values.
void draw_threshold_of(struct draw_threshold *threshold, const struct draw_unit *unit);

// "20 ms", "80%", "100/s": a number in this multiple.
struct pmon_text;
void draw_with_unit(struct pmon_text *t, const char *number, const struct draw_multiple *multiple);

// Why values are missing, with the number of columns affected: "no value: the counter went back: a reset
// or a restart (3 times)"; "" if none are.
size_t draw_missing_text(const struct draw_figure *figure, char *buf, size_t size);

#endif
