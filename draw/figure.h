// figure.h - a picture as data: what is drawn, on which panels and axes
// SPDX-License-Identifier: MIT
//
// Panels are stacked and share the time axis; each has one quantity. The figure is independent of
// pixels and terminal cells; cairo.h and term.h draw it.
//
//	draw_assign_panels(&figure, 6);     // from the statistics of its series
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

enum draw_kind {
	DRAW_LINE,
	DRAW_AREA,
	DRAW_STACKED,
	DRAW_BAR, // averages, with the extremes
	DRAW_HEATMAP,
};

struct draw_series {
	char label[DRAW_LABEL]; // draw_clean()
	struct pmon_span counter;
	struct draw_unit unit;
	struct pmon_value last; // displayed values
	struct pmon_value average;
	struct pmon_value minimum;
	struct pmon_value maximum;
	const char *average_mark; // "~", "?" or "", as pmon stats has it
	// Displayed values; of stacked ones the running sums of quantities up to this series, those of
	// the series before it in its panel included. NULL in a picture of bars.
	const struct pmon_envelope_column *columns;
	size_t panel;
	bool is_rest; // a sum of those that have no colour of their own: grey
};

struct draw_panel {
	enum draw_quantity quantity;
	const struct draw_multiple *multiple;
	struct draw_axis axis; // of multiples
	char heading[DRAW_LABEL];
};

struct draw_figure {
	enum draw_kind kind;
	const char *title;
	const char *subtitle;
	pmon_time from;
	pmon_time to;
	struct draw_clock clock;
	size_t columns;
	struct draw_series *series;
	size_t n; // at most DRAW_SERIES
	const struct draw_threshold *thresholds;
	size_t n_thresholds;
	struct draw_panel panels[DRAW_PANELS];
	size_t n_panels;
};

// Give each series a panel: one for each quantity, and while there are fewer than `most` (and
// DRAW_PANELS) more of them for counters that are of other orders of magnitude.
void draw_assign_panels(struct draw_figure *figure, size_t most);

// Choose units and axes of the panels, with at most `steps` steps between ticks.
void draw_fit_axes(struct draw_figure *figure, int steps);

// The axis of a heat map: another scale where the linear one would give most cells one colour. It is
// part of draw_fit_axes().
void draw_fit_heat(struct draw_figure *figure, struct draw_panel *panel, int steps);

// Where on the axis of its panel a displayed value of a series is: 0 at its beginning, 1 at its end.
double draw_place(const struct draw_figure *figure, const struct draw_series *series, double value);

// The same of a value of a column, which may be a sum.
double draw_column_place(const struct draw_figure *figure, const struct draw_series *series,
			 double value);

// Is the threshold one of the panel? *place is where on its axis.
bool draw_threshold_place(const struct draw_figure *figure, const struct draw_panel *panel,
			  const struct draw_threshold *threshold, double *place);

// When a column's values are, from 0 at the beginning of the window to 1 at its end: a value that is
// alone in its column at its own time, several in the middle of the column.
double draw_column_time(const struct draw_figure *figure, const struct draw_series *series,
			size_t i);

// The number of the column whose value covers column i: i itself, or, where it is empty, the next one
// that has values if they are joined to those before. The first of a run covers as much before it as
// the next sample is after it. figure->columns when there is no such column.
size_t draw_column_cover(const struct draw_figure *figure, const struct draw_series *series,
			 size_t i);

// The label of a series with at most `most` characters: its middle is cut out where it is longer, at a
// place at which labels that differ stay different.
void draw_label_text(const struct draw_figure *figure, size_t series, size_t most, bool ascii,
		     char *buf, size_t size);

// A value of a series in the unit of its panel, "-" where there is none, and after a tick its unit.
size_t draw_value_text(const struct draw_figure *figure, const struct draw_series *series,
		       const struct pmon_value *value, char *buf, size_t size);
size_t draw_tick_text(const struct draw_panel *panel, int tick, char *buf, size_t size);

// A series in words: its label, and its average, minimum, maximum and last value with their unit.
#define DRAW_SENTENCE (DRAW_LABEL + 160)
void draw_series_sentence(const struct draw_figure *figure, const struct draw_series *series,
			  char *buf, size_t size);

// What the marks after the averages of the figure mean; "" when there are none. Returns the length.
size_t draw_marks_text(const struct draw_figure *figure, char *buf, size_t size);

// The text of a threshold as numbers are written elsewhere: "20 ms" for 20ms.
void draw_threshold_amount(struct draw_threshold *threshold);

// "20 ms", "80%", "100/s": a number in this multiple.
struct pmon_text;
void draw_with_unit(struct pmon_text *t, const char *number, const struct draw_multiple *multiple);

// Why values are missing, with how often a column shows it: "no value: the counter went back: a reset
// or a restart (3 times)"; "" when none is.
size_t draw_missing_text(const struct draw_figure *figure, char *buf, size_t size);

#endif
