// scale.h - the ticks of an axis and their labels
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_SCALE_H
#define PMON_DRAW_SCALE_H

#include <pmon/base.h>

// ---- Numbers --------------------------------------------------------------------------------

// The one algorithm for the axes of values, which web/page/panels.js follows too; tools/gen-axes computes
// ranges and ticks for the tests of both.

// What an axis shows, in any unit. From values low..high:
// - percentages of a whole, which are from 0 to less than 100.05: 0 to 100;
// - otherwise 0 is included if the values vary by a fifth of the largest or more, or by less than a double can
//   tell, or if from_zero asks for it; a twentieth of the range is left free at each end that is not 0.
struct draw_range {
	double low;
	double high;
	double magnitude; // the largest absolute value, which chooses the multiple of the unit
};
struct draw_range draw_range_fit(double low, double high, bool is_percent, bool from_zero);

// Ticks within an axis, at multiples of a step of 1, 2 or 5 times a power of ten.
struct draw_axis {
	double low;
	double high;
	double step;
	int n;            // number of ticks, at least 2
	int decimals;     // decimals in their labels
	bool logarithmic; // ticks are consecutive powers of ten
};

// The axis of a range, in multiples of `size`: the smallest step of which the range holds at most max(`most`, 1),
// or the largest one of which it shows two ticks.
struct draw_axis draw_axis_fit(const struct draw_range *range, double size, double most);

// The axis from 10^low to 10^high, low < high.
struct draw_axis draw_axis_powers(int low, int high);

double draw_axis_tick(const struct draw_axis *axis, int i);
size_t draw_axis_label(const struct draw_axis *axis, int i, char *buf, size_t size);

// The position of a value on the axis: 0 at the beginning, 1 at the end.
double draw_axis_place(const struct draw_axis *axis, double value);

// ---- Times ----------------------------------------------------------------------------------

// The offset of the displayed clock from UTC at a given time, in minutes.
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

// Ticks for from..to at round clock times, at most `most` (and DRAW_TIME_TICKS).
size_t draw_time_ticks(pmon_time from, pmon_time to, const struct draw_clock *clock, size_t most,
		       struct draw_time_tick ticks[DRAW_TIME_TICKS]);

// "2016-11-26 13:46:30 - 13:47:43, UTC-08:00", with a second date if it differs.
size_t draw_time_range(pmon_time from, pmon_time to, const struct draw_clock *clock, char *buf,
		       size_t size);

#endif
