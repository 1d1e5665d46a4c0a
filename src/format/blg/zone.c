// zone.c - convert local time to UTC by the time zone in the header, or by the data
// SPDX-License-Identifier: MIT
//
// Times in a BLG are local wall-clock time of the machine that wrote it. Its offset to UTC can be
// found in two ways: the time zone in the header, and any counter on the 100 ns system clock, whose
// second value is the same moment in UTC. The latter is exact: it does not depend on rules and is
// right even if a log is exported on a machine in another zone.

#include "format/blg/blg.h"

#include "base/time.h"

#define QUARTER_MIN   15
#define MAX_OFFSET    (15 * 60) // minutes; actual time zones are within -12:00..+14:00
#define MAX_RESIDUE   (2 * PMON_TIME_PER_SEC)
#define TICKS_PER_DAY (INT64_C(24) * 60 * PMON_TIME_PER_MIN)
#define NAME_CHARS    32

// SYSTEMTIME as TIME_ZONE_INFORMATION uses it: year 0 means "the wDay-th wDayOfWeek of the month,
// each year" (5 is the last), month 0 means "never".
static struct blg_change
read_change(struct pmon_rd *r)
{
	struct pmon_civil civil = {0};
	struct blg_change change = {0};

	civil.year = pmon_rd_u16(r);
	civil.month = pmon_rd_u16(r);
	civil.weekday = pmon_rd_u16(r);
	civil.day = pmon_rd_u16(r);
	civil.hour = pmon_rd_u16(r);
	civil.minute = pmon_rd_u16(r);
	civil.second = pmon_rd_u16(r);
	civil.ticks = pmon_rd_u16(r) * (int32_t)PMON_TIME_PER_MSEC;
	if (civil.year != 0) {
		change.once = true;
		change.moment = pmon_time_from_civil(&civil);
		change.exists = change.moment != PMON_TIME_NONE;
		return change;
	}
	change.month = civil.month;
	change.week = civil.day;
	change.weekday = civil.weekday;
	change.of_day = (civil.hour * INT64_C(60) + civil.minute) * PMON_TIME_PER_MIN +
			civil.second * PMON_TIME_PER_SEC + civil.ticks;
	change.exists = change.month >= 1 && change.month <= 12 && change.week >= 1 &&
			change.week <= 5 && change.weekday <= 6 && change.of_day < TICKS_PER_DAY;
	return change;
}

static int32_t
offset_of(int64_t bias_min)
{
	return bias_min >= -MAX_OFFSET && bias_min <= MAX_OFFSET ? (int32_t)-bias_min : 0;
}

static struct pmon_perf_name
read_name(struct pmon_rd *r)
{
	const uint8_t *p = pmon_rd_bytes(r, NAME_CHARS * 2);
	size_t len = 0;

	while (p != NULL && len < NAME_CHARS * 2 && (p[len] != 0 || p[len + 1] != 0))
		len += 2;
	return (struct pmon_perf_name){.ptr = p, .len = len, .unit = 2};
}

// TIME_ZONE_INFORMATION, 172 bytes
//	0x00  i32         bias: UTC = local time + bias, in minutes
//	0x04  WCHAR[32]   name of standard time; may be a reference such as "@tzres.dll,-212"
//	0x44  SYSTEMTIME  when standard time begins, on the clock of daylight time
//	0x54  i32         more bias in standard time, normally 0
//	0x58  WCHAR[32]   name of daylight time
//	0x98  SYSTEMTIME  when daylight time begins, on the clock of standard time
//	0xA8  i32         more bias in daylight time, normally -60
// Source: TIME_ZONE_INFORMATION in the Windows documentation.
struct blg_zone
pmon_blg_zone_read(struct pmon_rd *r, struct pmon_perf_name *name_out)
{
	struct blg_zone zone = {0};
	int64_t bias = pmon_rd_i32(r);
	int64_t standard, daylight;

	*name_out = read_name(r);
	zone.to_standard = read_change(r);
	standard = pmon_rd_i32(r);
	(void)read_name(r);
	zone.to_daylight = read_change(r);
	daylight = pmon_rd_i32(r);
	// Without dates the two extra biases have no meaning.
	if (zone.to_standard.exists && zone.to_daylight.exists) {
		zone.standard_min = offset_of(bias + standard);
		zone.daylight_min = offset_of(bias + daylight);
	} else {
		zone.to_standard.exists = false;
		zone.to_daylight.exists = false;
		zone.standard_min = offset_of(bias);
		zone.daylight_min = zone.standard_min;
	}
	return zone;
}

static pmon_time
change_moment(const struct blg_change *change, pmon_time local)
{
	struct pmon_civil day = pmon_time_civil(local);
	struct pmon_civil first = {.year = day.year, .month = change->month, .day = 1};
	struct pmon_civil next = first;
	pmon_time t, end;

	if (change->once)
		return change->moment;
	next.month++;
	if (next.month > 12) {
		next.month = 1;
		next.year++;
	}
	t = pmon_time_from_civil(&first);
	end = pmon_time_from_civil(&next);
	t += (change->weekday - pmon_time_civil(t).weekday + 7) % 7 * TICKS_PER_DAY;
	t += (change->week - 1) * 7 * TICKS_PER_DAY;
	while (t >= end)
		t -= 7 * TICKS_PER_DAY;
	return t + change->of_day;
}

// Is `local` in the part of the year from `from` to `to`?
static bool
is_between(pmon_time local, pmon_time from, pmon_time to)
{
	if (from < to)
		return local >= from && local < to;
	return local >= from || local < to; // the part spans new year
}

int32_t
pmon_blg_zone_offset(const struct blg_zone *zone, pmon_time local, pmon_time after)
{
	pmon_time daylight_from, daylight_to, twice_from;

	if (!zone->to_daylight.exists)
		return zone->standard_min;
	daylight_from = change_moment(&zone->to_daylight, local);
	daylight_to = change_moment(&zone->to_standard, local);
	if (!is_between(local, daylight_from, daylight_to))
		return zone->standard_min;
	// Local times shortly before the change back occur again after it.
	twice_from = daylight_to - (zone->daylight_min - zone->standard_min) * PMON_TIME_PER_MIN;
	if (local >= twice_from && local < daylight_to && after != PMON_TIME_NONE &&
	    blg_time_utc(local, zone->daylight_min) < after)
		return zone->standard_min;
	return zone->daylight_min;
}

bool
pmon_blg_zone_from_pair(pmon_time local, pmon_time utc, int32_t *offset_min_out)
{
	const int64_t quarter = QUARTER_MIN * PMON_TIME_PER_MIN;
	int64_t apart, quarters, residue;

	if (!pmon_time_is_sane(local) || !pmon_time_is_sane(utc))
		return false;
	apart = local - utc;
	quarters = (apart + (apart < 0 ? -quarter / 2 : quarter / 2)) / quarter;
	residue = apart - quarters * quarter;
	if (residue > MAX_RESIDUE || residue < -MAX_RESIDUE ||
	    quarters * QUARTER_MIN > MAX_OFFSET || quarters * QUARTER_MIN < -MAX_OFFSET)
		return false;
	*offset_min_out = (int32_t)(quarters * QUARTER_MIN);
	return true;
}
