// time.h - convert times to text and back: ISO 8601, Windows' forms, calendar fields
// SPDX-License-Identifier: MIT

#ifndef PMON_BASE_TIME_H
#define PMON_BASE_TIME_H

#include "base/scan.h"

#define PMON_TIME_SIZE 40 // enough for every form printed here, NUL included

// The times that a log may contain: readers treat others as damage. So sums and differences of
// sample times, offsets to UTC and durations fit in a pmon_time.
#define PMON_TIME_EARLIEST INT64_C(116444736000000000) // 1970-01-01
#define PMON_TIME_LATEST   INT64_C(252139392000000000) // before 2400-01-01

static inline bool
pmon_time_is_sane(pmon_time t)
{
	return t >= PMON_TIME_EARLIEST && t < PMON_TIME_LATEST;
}

// A time in a log that is not a sample time: PMON_TIME_NONE if it is outside these limits.
static inline pmon_time
pmon_time_if_sane(pmon_time t)
{
	return pmon_time_is_sane(t) ? t : PMON_TIME_NONE;
}

// Clamp a time from the user to 1601 through 8900, so that arithmetic cannot overflow.
static inline pmon_time
pmon_time_clamp(pmon_time t)
{
	if (t < 0)
		return 0;
	return t < INT64_MAX / 4 ? t : INT64_MAX / 4;
}

// The difference of two times, or of two sums of intervals. Clocks of damaged logs may be set so often and so far that a
// sum of it wraps.
static inline int64_t
pmon_time_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

// Calendar fields, proleptic Gregorian.
struct pmon_civil {
	int32_t year;  // 1601..30828 for FILETIMEs; other times may be outside
	int32_t month; // 1..12
	int32_t day;   // 1..31
	int32_t hour;
	int32_t minute;
	int32_t second;
	int32_t ticks;   // 100 ns units, 0..9,999,999
	int32_t weekday; // 0 Sunday .. 6 Saturday
};

struct pmon_civil pmon_time_civil(pmon_time t);

// The time for calendar fields (weekday is ignored). PMON_TIME_NONE if a field is out of range or
// the day does not exist.
pmon_time pmon_time_from_civil(const struct pmon_civil *civil);

// "2016-11-26T21:46:30.874Z", with as many decimals as needed, at most 7. Years with other than
// four digits have a sign and six ("+030828-09-14T..."), as in ECMAScript. PMON_TIME_NONE is
// printed as "none" here and below. Returns the length.
size_t pmon_time_iso(pmon_time t, char buf[PMON_TIME_SIZE]);

// The same on a clock that is offset_min minutes ahead of UTC: "2016-11-26 13:46:30.874", always
// three decimals, rounded down.
size_t pmon_time_local(pmon_time t, int32_t offset_min, char buf[PMON_TIME_SIZE]);

// As in PDH's text logs: "11/26/2016 13:46:30.874".
size_t pmon_time_pdh(pmon_time t, int32_t offset_min, char buf[PMON_TIME_SIZE]);

// "+01:00", "-08:00", "Z" for 0.
size_t pmon_time_offset(int32_t offset_min, char buf[PMON_TIME_SIZE]);

// Read an absolute time:
//   ISO 8601    2016-11-26T21:46:30.874Z   2016-11-26 13:46[:30[.874]][+01:00]   2016-11-26
//   as relog    11/26/2016 1:46:30 PM      11/26/2016 13:46[:30[.874]]
// The space before AM or PM may be missing; decimals beyond 100 ns are dropped. Times without Z or
// offset are taken as offset_min minutes ahead of UTC. Returns false, with *out PMON_TIME_NONE,
// when the text has another form.
bool pmon_time_parse(struct pmon_span text, int32_t offset_min, pmon_time *out);

// Parse a duration: "90" or "90s", "1.5m", "2h", "3d", "250ms". The result is in 100 ns, rounded
// down. Returns false, with *out_100ns 0, if the text is invalid or the duration too long.
bool pmon_time_parse_span(struct pmon_span text, int64_t *out_100ns);

// Parse a time of day "10:30[:15[.5]]", in 100 ns since midnight. Returns false, with *out_100ns 0,
// if the text is invalid.
bool pmon_time_parse_clock(struct pmon_span text, int64_t *out_100ns);

// Read a time of day "h:mm[:ss[.decimals]]" at the beginning of a text. The hour has two digits, or
// one if hour_digits is 1; any of `marks` may precede the decimals.
bool pmon_time_scan_clock(struct pmon_scan *s, int hour_digits, const char *marks,
			  struct pmon_civil *out, bool *has_seconds);

// Read "AM" or "PM", or "a. m." as in Spanish, and convert the hour from the 12-hour clock. Blanks before it are
// skipped. False if there is neither, or the hour is invalid.
bool pmon_time_scan_half(struct pmon_scan *s, int32_t *hour);

#endif
