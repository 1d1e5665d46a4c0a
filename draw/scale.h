// scale.h - where the ticks of an axis are, and their labels
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_SCALE_H
#define PMON_DRAW_SCALE_H

#include <pmon/base.h>

// ---- Numbers --------------------------------------------------------------------------------

// Ticks at multiples of a step of 1, 2 or 5 times a power of ten. The axis begins and ends at one.
struct draw_axis {
	double low;
	double high;
	double step;
	int n;            // ticks, both ends included
	int decimals;     // that their labels need
	bool logarithmic; // ticks are powers of ten, one after the other
	bool ends_early;  // values beyond the end are shown as the end
};

// The axis for low..high with at most `most` steps, or 2.
struct draw_axis draw_axis_fit(double low, double high, int most);

// The axis from 10^low to 10^high, low < high.
struct draw_axis draw_axis_powers(int low, int high);

double draw_axis_tick(const struct draw_axis *axis, int i);
size_t draw_axis_label(const struct draw_axis *axis, int i, char *buf, size_t size);

// Where a value is on the axis: 0 at its beginning, 1 at its end.
double draw_axis_place(const struct draw_axis *axis, double value);

// ---- Times ----------------------------------------------------------------------------------

// How far the clock that is shown is ahead of UTC at a moment, in minutes.
struct draw_clock {
	int32_t (*offset_min)(const void *ctx, pmon_time t);
	const void *ctx;
};

struct draw_time_tick {
	pmon_time time;
	char label[24]; // "13:46:30", "13:46", "26 Nov", "Nov 2016", "2016"
	bool is_date;   // a date among times of day
};

#define DRAW_TIME_TICKS 64

// The ticks of from..to at round times of the clock, at most `most` of them (and DRAW_TIME_TICKS).
size_t draw_time_ticks(pmon_time from, pmon_time to, const struct draw_clock *clock, size_t most,
		       struct draw_time_tick ticks[DRAW_TIME_TICKS]);

// "2016-11-26 13:46:30 - 13:47:43, UTC-08:00", with a second date where there is one.
size_t draw_time_range(pmon_time from, pmon_time to, const struct draw_clock *clock, char *buf,
		       size_t size);

#endif
