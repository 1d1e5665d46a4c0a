// scale.c - the ticks of an axis, and their labels
// SPDX-License-Identifier: MIT

#include "draw/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/time.h"
#include "draw/label.h"

#define SEC  PMON_TIME_PER_SEC
#define MIN  PMON_TIME_PER_MIN
#define HOUR (60 * PMON_TIME_PER_MIN)
#define DAY  (24 * HOUR)

#define SAME      1e-11  // relative to the magnitude; a double has 15 digits
#define LARGEST   1e300  // a larger range does not fit into a double
#define ABOVE_ALL 100.05 // percent: with four digits it shows as more than 100
#define VARIES    0.2    // of the largest value: from here on, the axis shows 0
#define FREE      0.05   // of the range, beyond the values

// ---- Numbers --------------------------------------------------------------------------------

// mantissa * 10^exponent, as exact as a literal.
static double
decimal(double mantissa, int exponent)
{
	return exponent < 0 ? mantissa / pow(10, -exponent) : mantissa * pow(10, exponent);
}

struct draw_range
draw_range_fit(double low, double high, bool is_percent, bool from_zero)
{
	double magnitude;
	double room;

	low = fmax(low, -LARGEST);
	high = fmin(fmax(low, high), LARGEST);
	if (is_percent && low >= 0 && high < ABOVE_ALL)
		return (struct draw_range){0, 100, 100};
	magnitude = fmax(fabs(low), fabs(high));
	if (magnitude < 1 / LARGEST)
		return (struct draw_range){0, 1, 1};
	if (from_zero || !(high - low > magnitude * SAME) || high - low >= magnitude * VARIES) {
		low = fmin(low, 0);
		high = fmax(high, 0);
	}
	room = (high - low) * FREE;
	return (struct draw_range){low == 0 ? 0 : low - room, high == 0 ? 0 : high + room,
				   magnitude};
}

// Ticks at the multiples of mantissa * 10^exponent within the axis.
static void
set_ticks(struct draw_axis *axis, double mantissa, int exponent)
{
	axis->step = decimal(mantissa, exponent);
	axis->decimals = exponent < 0 ? -exponent : 0;
	axis->n =
		(int)(floor(axis->high / axis->step + 1e-9) - ceil(axis->low / axis->step - 1e-9)) +
		1;
}

struct draw_axis
draw_axis_fit(const struct draw_range *range, double size, double most)
{
	static const int mantissas[] = {1, 2, 5};
	struct draw_axis axis = {.low = range->low / size, .high = range->high / size};
	double least = (axis.high - axis.low) / fmax(most, 1) * (1 - 1e-9);
	int exponent = (int)floor(log10(least)) - 1;
	int i = 3;

	while (decimal(mantissas[i % 3], exponent + i / 3) < least)
		i++;
	do {
		set_ticks(&axis, mantissas[i % 3], exponent + i / 3);
		i--;
	} while (axis.n < 2);
	return axis;
}

struct draw_axis
draw_axis_powers(int low, int high)
{
	return (struct draw_axis){.low = decimal(1, low),
				  .high = decimal(1, high),
				  .step = 10,
				  .n = high - low + 1,
				  .logarithmic = true};
}

double
draw_axis_tick(const struct draw_axis *axis, int i)
{
	if (axis->logarithmic)
		return decimal(1, (int)lround(log10(axis->low)) + i);
	return (ceil(axis->low / axis->step - 1e-9) + i) * axis->step;
}

// The digits needed to distinguish neighbouring labels.
static int
label_digits(const struct draw_axis *axis)
{
	double largest = fmax(fabs(axis->low), fabs(axis->high));
	int digits = (int)(floor(log10(largest) + 1e-9) - floor(log10(axis->step) + 1e-9)) + 1;

	return digits < 4 ? 4 : digits;
}

size_t
draw_axis_label(const struct draw_axis *axis, int i, char *buf, size_t size)
{
	double tick = draw_axis_tick(axis, i);
	char number[PMON_NUM_SIZE];
	struct pmon_text t;
	int n;

	if (axis->logarithmic)
		return draw_number(tick, buf, size);
	if (fabs(tick) >= 1e15 || axis->decimals > 6) {
		t = pmon_text_init(buf, size);
		pmon_num_digits(tick, label_digits(axis), number);
		pmon_text_str(&t, number);
		return t.len;
	}
	// All labels of an axis have the same number of decimals.
	if (axis->decimals == 0)
		return draw_number(tick, buf, size);
	n = snprintf(buf, size, "%.*f", axis->decimals, tick == 0 ? 0.0 : tick);
	return n < 0 ? 0 : (size_t)n;
}

double
draw_axis_place(const struct draw_axis *axis, double value)
{
	if (axis->logarithmic)
		return log10(fmax(value, axis->low) / axis->low) / log10(axis->high / axis->low);
	return (value - axis->low) / (axis->high - axis->low);
}

// ---- Times ----------------------------------------------------------------------------------

#define FAR (INT64_MAX / 2)

// Steps of up to two weeks, in 100 ns; longer steps are in months.
static const int64_t steps[] = {
	SEC / 1000, SEC / 500, SEC / 200, SEC / 100, SEC / 50, SEC / 20, SEC / 10, SEC / 5,
	SEC / 2,    SEC,       2 * SEC,   5 * SEC,   10 * SEC, 15 * SEC, 30 * SEC, MIN,
	2 * MIN,    5 * MIN,   10 * MIN,  15 * MIN,  30 * MIN, HOUR,     2 * HOUR, 3 * HOUR,
	6 * HOUR,   12 * HOUR, DAY,       2 * DAY,   7 * DAY,  14 * DAY,
};
static const int month_steps[] = {1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 12000, 120000};

static const char *const month_names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct times {
	pmon_time from;
	pmon_time to;
	const struct draw_clock *clock;
	struct draw_time_tick *ticks;
	size_t n;
	size_t most;
};

static pmon_time
to_local(const struct draw_clock *clock, pmon_time t)
{
	return t + clock->offset_min(clock->ctx, t) * MIN;
}

// The time at which the clock shows a local time; either one if it shows that time twice.
static pmon_time
from_local(const struct draw_clock *clock, pmon_time local)
{
	pmon_time guess = local - clock->offset_min(clock->ctx, local) * MIN;

	return local - clock->offset_min(clock->ctx, guess) * MIN;
}

static void
label_tick(struct draw_time_tick *tick, const struct pmon_civil *c, int64_t step)
{
	int decimals = step < SEC / 100 ? 3 : step < SEC / 10 ? 2 : 1;
	int divisor = decimals == 3 ? 10000 : decimals == 2 ? 100000 : 1000000;
	bool midnight = c->hour == 0 && c->minute == 0 && c->second == 0 && c->ticks == 0;

	if (step < SEC)
		(void)snprintf(tick->label, sizeof(tick->label), "%02d:%02d:%02d.%0*d",
			       (int)c->hour, (int)c->minute, (int)c->second, decimals,
			       (int)(c->ticks / divisor));
	else if (step >= DAY || midnight)
		(void)snprintf(tick->label, sizeof(tick->label), "%d %s", (int)c->day,
			       month_names[c->month - 1]);
	else if (step < MIN)
		(void)snprintf(tick->label, sizeof(tick->label), "%02d:%02d:%02d", (int)c->hour,
			       (int)c->minute, (int)c->second);
	else
		(void)snprintf(tick->label, sizeof(tick->label), "%02d:%02d", (int)c->hour,
			       (int)c->minute);
	tick->is_date = step >= SEC && step < DAY && midnight;
}

// Put ticks at the multiples of a step; false if there are too many.
static bool
try_step(struct times *t, int64_t step)
{
	pmon_time local = to_local(t->clock, t->from);

	t->n = 0;
	if ((t->to - t->from) / step > (int64_t)t->most)
		return false;
	for (local -= local % step; from_local(t->clock, local) <= t->to; local += step) {
		struct pmon_civil civil = pmon_time_civil(local);
		struct draw_time_tick tick = {.time = from_local(t->clock, local)};

		if (tick.time < t->from)
			continue;
		if (t->n == t->most)
			return false;
		label_tick(&tick, &civil, step);
		t->ticks[t->n++] = tick;
	}
	return true;
}

static bool
try_months(struct times *t, int step)
{
	struct pmon_civil first = pmon_time_civil(to_local(t->clock, t->from));
	int32_t month = first.year * 12 + first.month - 1;

	t->n = 0;
	for (month -= month % step;; month += step) {
		struct pmon_civil c = {.year = month / 12, .month = month % 12 + 1, .day = 1};
		pmon_time local = pmon_time_from_civil(&c);
		struct draw_time_tick tick = {.time = PMON_TIME_NONE};

		if (local == PMON_TIME_NONE || from_local(t->clock, local) > t->to)
			return true;
		tick.time = from_local(t->clock, local);
		if (tick.time < t->from)
			continue;
		if (t->n == t->most)
			return false;
		if (step < 12)
			(void)snprintf(tick.label, sizeof(tick.label), "%s %d",
				       month_names[c.month - 1], (int)c.year);
		else
			(void)snprintf(tick.label, sizeof(tick.label), "%d", (int)c.year);
		t->ticks[t->n++] = tick;
	}
}

size_t
draw_time_ticks(pmon_time from, pmon_time to, const struct draw_clock *clock, size_t most,
		struct draw_time_tick ticks[DRAW_TIME_TICKS])
{
	struct times t = {.from = from, .to = to, .clock = clock, .ticks = ticks, .most = most};

	if (from < -FAR || to > FAR)
		return 0; // a step past the end would overflow pmon_time
	if (t.most > DRAW_TIME_TICKS)
		t.most = DRAW_TIME_TICKS;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (try_step(&t, steps[i]))
			return t.n;
	for (size_t i = 0; i < sizeof(month_steps) / sizeof(month_steps[0]); i++)
		if (try_months(&t, month_steps[i]))
			return t.n;
	return 0;
}

size_t
draw_time_range(pmon_time from, pmon_time to, const struct draw_clock *clock, char *buf,
		size_t size)
{
	int32_t offset_min = clock->offset_min(clock->ctx, to);
	struct pmon_text t = pmon_text_init(buf, size);
	char a[PMON_TIME_SIZE];
	char b[PMON_TIME_SIZE];
	char zone[PMON_TIME_SIZE];
	size_t day = strlen("2016-11-26");

	pmon_time_local(from, clock->offset_min(clock->ctx, from), a);
	pmon_time_local(to, offset_min, b);
	pmon_time_offset(offset_min, zone);
	if (to - from >= 10 * SEC) // no decimals
		a[strlen(a) - 4] = b[strlen(b) - 4] = '\0';
	pmon_text_str(&t, a);
	pmon_text_str(&t, " \xE2\x80\x93 ");
	pmon_text_str(&t, strncmp(a, b, day) == 0 ? b + day + 1 : b);
	pmon_text_str(&t, ", UTC");
	pmon_text_str(&t, strcmp(zone, "Z") == 0 ? "" : zone);
	return t.len;
}
