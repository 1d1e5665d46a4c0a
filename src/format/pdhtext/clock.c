// clock.c - find daylight saving changes of the clock
// SPDX-License-Identifier: MIT
//
// A text log has local times and one offset to UTC, that of its beginning. When the clock is
// changed an hour is missing or repeated: the next line is an hour earlier or later than expected.
// That is treated as a change only when clocks are actually changed: at night, at the weekend, in
// spring or autumn. If the caller knows the zone, its rules say when.

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/err.h"
#include "base/time.h"
#include "model/zone_rules.h"

#define HOUR         (60 * PMON_TIME_PER_MIN)
#define NIGHT_BEGINS 23 // o'clock
#define NIGHT_ENDS   4
#define TOLERANCE    (5 * PMON_TIME_PER_MIN) // at most
#define PRECISION    (2 * PMON_TIME_PER_SEC) // of the times in any log

void
pmon_pdht_clock_start(struct pdht_clock *clock, int32_t offset_min, const struct pmon_zone *zone)
{
	*clock =
		(struct pdht_clock){.base_min = offset_min, .offset_min = offset_min, .zone = zone};
}

enum pmon_status
pmon_pdht_given_zone(const struct pmon_log_options *options, const struct pmon_zone **zone,
		     struct pmon_err *err)
{
	*zone = NULL;
	if (options->zone == NULL)
		return PMON_OK;
	*zone = pmon_zone_find((struct pmon_span){options->zone, strlen(options->zone)});
	return *zone != NULL ? PMON_OK
			     : pmon_err_set(err, PMON_E_ARG, 0, "there is no time zone \"%s\"",
					    options->zone);
}

static bool
is_time_of_changes(pmon_time local)
{
	static const bool months[13] = {
		[3] = true, [4] = true, [9] = true, [10] = true, [11] = true};
	struct pmon_civil civil = pmon_time_civil(local);

	return (civil.hour < NIGHT_ENDS || civil.hour >= NIGHT_BEGINS) && months[civil.month] &&
	       (civil.weekday == 0 || civil.weekday >= 5);
}

static bool
is_near(int64_t a, int64_t b, int64_t interval)
{
	int64_t tolerance = interval / 2 < TOLERANCE ? interval / 2 : TOLERANCE;

	if (tolerance < PRECISION)
		tolerance = PRECISION;
	return a - b <= tolerance && b - a <= tolerance;
}

static enum pdht_change
find_change(const struct pdht_clock *clock, int64_t step, pmon_time local)
{
	if (clock->interval == 0 || clock->interval > 2 * HOUR || !is_time_of_changes(local))
		return PDHT_NO_CHANGE;
	if (is_near(step, clock->interval - HOUR, clock->interval))
		return PDHT_BACK;
	if (is_near(step, clock->interval + HOUR, clock->interval))
		return PDHT_FORWARD;
	return PDHT_NO_CHANGE;
}

// The changes of the zone's clock are known. Lines of the same time, such as those of a log that lost its seconds, are in
// the same one of two hours.
static void
take_in_zone(struct pdht_clock *clock, pmon_time local)
{
	pmon_time last;

	if (clock->has_last && local == clock->last)
		return;
	last = clock->has_last ? clock->last - clock->offset_min * PMON_TIME_PER_MIN
			       : PMON_TIME_NONE;

	clock->offset_min = pmon_zone_offset_local(clock->zone, local, last);
	clock->has_last = true;
	clock->last = local;
}

enum pdht_change
pmon_pdht_clock_take(struct pdht_clock *clock, pmon_time local, bool repair)
{
	enum pdht_change change = PDHT_NO_CHANGE;
	int32_t offset = clock->offset_min;
	int64_t step;

	if (clock->zone != NULL) {
		take_in_zone(clock, local);
		return PDHT_NO_CHANGE;
	}
	if (clock->has_last && (local > clock->last ? local - 4 * HOUR <= clock->last
						    : local + 2 * HOUR >= clock->last)) {
		step = local - clock->last;
		change = find_change(clock, step, local);
		if (change == PDHT_NO_CHANGE && step > 0)
			clock->interval = step;
	}
	clock->has_last = true;
	clock->last = local;
	if (change == PDHT_NO_CHANGE)
		return change;
	// There is one hour between summer and winter, never two, whatever the times are.
	offset += change == PDHT_FORWARD ? 60 : -60;
	if (offset < clock->base_min - 60 || offset > clock->base_min + 60)
		return PDHT_NO_CHANGE;
	if (repair)
		clock->offset_min = offset;
	return change;
}
