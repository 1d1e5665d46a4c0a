// time.c - convert times to text and back: ISO 8601, Windows' forms, calendar fields
// SPDX-License-Identifier: MIT
//
// FILETIME begins on 1601-01-01, the first day of a 400-year cycle of the Gregorian calendar.
// Counted from there, the longer unit is always the last one (the leap year is the last of four,
// the long century the last of four), so plain division finds the date.

#include "base/time.h"

#include <string.h>

#include "base/text.h"

#define PER_HOUR   (60 * PMON_TIME_PER_MIN)
#define PER_DAY    (24 * PER_HOUR)
#define FIRST_YEAR 1601
#define DAYS_YEAR  365
#define DAYS_4     (4 * DAYS_YEAR + 1)
#define DAYS_100   (25 * DAYS_4 - 1)
#define DAYS_400   (4 * DAYS_100 + 1)

// ---- Calendar -------------------------------------------------------------------------------

static int64_t
floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static bool
is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int32_t
days_in_month(int64_t year, int32_t month)
{
	static const int8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	return days[month - 1] + (month == 2 && is_leap(year));
}

static int64_t
min_i64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

// The date of a day counted from 1601-01-01.
static void
date_of_day(int64_t day, struct pmon_civil *out)
{
	int64_t n400 = floor_div(day, DAYS_400);
	int64_t left = day - n400 * DAYS_400;
	int64_t n100 = min_i64(left / DAYS_100, 3);
	int64_t n4;
	int64_t n1;

	left -= n100 * DAYS_100;
	n4 = left / DAYS_4;
	left -= n4 * DAYS_4;
	n1 = min_i64(left / DAYS_YEAR, 3);
	left -= n1 * DAYS_YEAR;
	out->year = (int32_t)(FIRST_YEAR + 400 * n400 + 100 * n100 + 4 * n4 + n1);
	out->month = 1;
	while (left >= days_in_month(out->year, out->month))
		left -= days_in_month(out->year, out->month++);
	out->day = (int32_t)left + 1;
}

static int64_t
day_of_date(const struct pmon_civil *civil)
{
	int64_t years = (int64_t)civil->year - FIRST_YEAR;
	int64_t day = years * DAYS_YEAR + floor_div(years, 4) - floor_div(years, 100) +
		      floor_div(years, 400);

	for (int32_t month = 1; month < civil->month; month++)
		day += days_in_month(civil->year, month);
	return day + civil->day - 1;
}

struct pmon_civil
pmon_time_civil(pmon_time t)
{
	int64_t day = floor_div(t, PER_DAY);
	int64_t left = t % PER_DAY; // day * PER_DAY may be less than an int64_t can hold
	struct pmon_civil civil = {0};

	if (left < 0)
		left += PER_DAY;
	date_of_day(day, &civil);
	civil.hour = (int32_t)(left / PER_HOUR);
	civil.minute = (int32_t)(left / PMON_TIME_PER_MIN % 60);
	civil.second = (int32_t)(left / PMON_TIME_PER_SEC % 60);
	civil.ticks = (int32_t)(left % PMON_TIME_PER_SEC);
	civil.weekday = (int32_t)((day % 7 + 7 + 1) % 7); // 1601-01-01 was a Monday
	return civil;
}

static bool
is_within(int32_t n, int32_t min, int32_t max)
{
	return n >= min && n <= max;
}

static bool
is_civil(const struct pmon_civil *c)
{
	// The range of years in 100 ns units of an int64_t, rounded outwards.
	return is_within(c->year, -27627, 30828) && is_within(c->month, 1, 12) &&
	       is_within(c->day, 1, days_in_month(c->year, c->month)) &&
	       is_within(c->hour, 0, 23) && is_within(c->minute, 0, 59) &&
	       is_within(c->second, 0, 59) && is_within(c->ticks, 0, PMON_TIME_PER_SEC - 1);
}

static bool
add_checked(int64_t a, int64_t b, int64_t *out)
{
	if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
		return false;
	*out = a + b;
	return true;
}

pmon_time
pmon_time_from_civil(const struct pmon_civil *civil)
{
	int64_t day;
	int64_t left;
	pmon_time t;

	if (!is_civil(civil))
		return PMON_TIME_NONE;
	day = day_of_date(civil);
	left = civil->hour * PER_HOUR + civil->minute * PMON_TIME_PER_MIN +
	       civil->second * PMON_TIME_PER_SEC + civil->ticks;
	// The midnight before the earliest times does not fit: count from the one after.
	if (day < 0) {
		day++;
		left -= PER_DAY;
	}
	if (day > INT64_MAX / PER_DAY || day < INT64_MIN / PER_DAY)
		return PMON_TIME_NONE;
	return add_checked(day * PER_DAY, left, &t) ? t : PMON_TIME_NONE;
}

// ---- To text --------------------------------------------------------------------------------

// t on a clock that is offset_min minutes ahead; clamped to the range of pmon_time.
static pmon_time
shift(pmon_time t, int32_t offset_min)
{
	pmon_time shifted;

	if (add_checked(t, offset_min * PMON_TIME_PER_MIN, &shifted))
		return shifted;
	return offset_min > 0 ? INT64_MAX : INT64_MIN;
}

static void
put_digits(struct pmon_text *text, int32_t n, int digits)
{
	char buf[10];

	for (int i = digits; i-- > 0; n /= 10)
		buf[i] = (char)('0' + n % 10);
	pmon_text_span(text, (struct pmon_span){buf, (size_t)digits});
}

// Years with other than four digits are printed like in ISO 8601 and ECMAScript: a sign and six
// digits.
static void
put_year(struct pmon_text *text, int32_t year)
{
	if (is_within(year, 0, 9999)) {
		put_digits(text, year, 4);
		return;
	}
	pmon_text_char(text, year < 0 ? '-' : '+');
	put_digits(text, year < 0 ? -year : year, 6);
}

static void
put_iso_date(struct pmon_text *text, const struct pmon_civil *civil)
{
	put_year(text, civil->year);
	pmon_text_char(text, '-');
	put_digits(text, civil->month, 2);
	pmon_text_char(text, '-');
	put_digits(text, civil->day, 2);
}

static void
put_clock(struct pmon_text *text, const struct pmon_civil *civil)
{
	put_digits(text, civil->hour, 2);
	pmon_text_char(text, ':');
	put_digits(text, civil->minute, 2);
	pmon_text_char(text, ':');
	put_digits(text, civil->second, 2);
}

static void
put_millis(struct pmon_text *text, const struct pmon_civil *civil)
{
	pmon_text_char(text, '.');
	put_digits(text, civil->ticks / (int32_t)PMON_TIME_PER_MSEC, 3);
}

static void
put_fraction(struct pmon_text *text, int32_t ticks)
{
	int digits = PMON_TICK_DIGITS;

	if (ticks == 0)
		return;
	for (; ticks % 10 == 0; ticks /= 10)
		digits--;
	pmon_text_char(text, '.');
	put_digits(text, ticks, digits);
}

static size_t
put_none(char buf[PMON_TIME_SIZE])
{
	memcpy(buf, "none", 5);
	return 4;
}

size_t
pmon_time_iso(pmon_time t, char buf[PMON_TIME_SIZE])
{
	struct pmon_text text = pmon_text_init(buf, PMON_TIME_SIZE);
	struct pmon_civil civil = pmon_time_civil(t);

	if (t == PMON_TIME_NONE)
		return put_none(buf);
	put_iso_date(&text, &civil);
	pmon_text_char(&text, 'T');
	put_clock(&text, &civil);
	put_fraction(&text, civil.ticks);
	pmon_text_char(&text, 'Z');
	return text.len;
}

size_t
pmon_time_local(pmon_time t, int32_t offset_min, char buf[PMON_TIME_SIZE])
{
	struct pmon_text text = pmon_text_init(buf, PMON_TIME_SIZE);
	struct pmon_civil civil = pmon_time_civil(shift(t, offset_min));

	if (t == PMON_TIME_NONE)
		return put_none(buf);
	put_iso_date(&text, &civil);
	pmon_text_char(&text, ' ');
	put_clock(&text, &civil);
	put_millis(&text, &civil);
	return text.len;
}

size_t
pmon_time_pdh(pmon_time t, int32_t offset_min, char buf[PMON_TIME_SIZE])
{
	struct pmon_text text = pmon_text_init(buf, PMON_TIME_SIZE);
	struct pmon_civil civil = pmon_time_civil(shift(t, offset_min));

	if (t == PMON_TIME_NONE)
		return put_none(buf);
	put_digits(&text, civil.month, 2);
	pmon_text_char(&text, '/');
	put_digits(&text, civil.day, 2);
	pmon_text_char(&text, '/');
	put_year(&text, civil.year);
	pmon_text_char(&text, ' ');
	put_clock(&text, &civil);
	put_millis(&text, &civil);
	return text.len;
}

size_t
pmon_time_offset(int32_t offset_min, char buf[PMON_TIME_SIZE])
{
	struct pmon_text text = pmon_text_init(buf, PMON_TIME_SIZE);
	int64_t minutes = offset_min < 0 ? -(int64_t)offset_min : offset_min;

	if (offset_min == 0) {
		pmon_text_char(&text, 'Z');
		return text.len;
	}
	pmon_text_char(&text, offset_min < 0 ? '-' : '+');
	if (minutes < 10 * 60)
		pmon_text_char(&text, '0');
	pmon_text_i64(&text, minutes / 60);
	pmon_text_char(&text, ':');
	put_digits(&text, (int32_t)(minutes % 60), 2);
	return text.len;
}

// ---- From text ------------------------------------------------------------------------------

bool
pmon_time_scan_clock(struct pmon_scan *s, int hour_digits, const char *marks,
		     struct pmon_civil *out, bool *has_seconds)
{
	if (pmon_scan_digits(s, 2, &out->hour) < hour_digits || !pmon_scan_take(s, ':') ||
	    pmon_scan_digits(s, 2, &out->minute) != 2)
		return false;
	*has_seconds = pmon_scan_take(s, ':');
	if (!*has_seconds)
		return true;
	if (pmon_scan_digits(s, 2, &out->second) != 2)
		return false;
	if (pmon_scan_peek(s) == '\0' || strchr(marks, *s->at) == NULL)
		return true;
	s->at++;
	return pmon_scan_ticks(s, &out->ticks);
}

// One blank of the kinds that locales have: U+0020, U+00A0 and U+202F.
static void
skip_blank(struct pmon_scan *s)
{
	size_t left = (size_t)(s->end - s->at);

	if (pmon_scan_take(s, ' '))
		return;
	if (left >= 2 && memcmp(s->at, "\xC2\xA0", 2) == 0)
		s->at += 2;
	else if (left >= 3 && memcmp(s->at, "\xE2\x80\xAF", 3) == 0)
		s->at += 3;
}

bool
pmon_time_scan_half(struct pmon_scan *s, int32_t *hour)
{
	bool is_pm;
	bool has_dots;

	skip_blank(s);
	is_pm = pmon_scan_take(s, 'P') || pmon_scan_take(s, 'p');
	if (!is_pm && !pmon_scan_take(s, 'A') && !pmon_scan_take(s, 'a'))
		return false;
	has_dots = pmon_scan_take(s, '.');
	if (has_dots)
		skip_blank(s);
	if ((!pmon_scan_take(s, 'M') && !pmon_scan_take(s, 'm')) ||
	    (has_dots && !pmon_scan_take(s, '.')) || !is_within(*hour, 1, 12))
		return false;
	*hour = *hour % 12 + (is_pm ? 12 : 0);
	return true;
}

static bool
at_end(const struct pmon_scan *s)
{
	return s->at == s->end;
}

static bool
take_clock(struct pmon_scan *s, int hour_digits, struct pmon_civil *out)
{
	bool has_seconds;

	return pmon_time_scan_clock(s, hour_digits, ".", out, &has_seconds);
}

// Exactly n digits.
static bool
take_digits(struct pmon_scan *s, int n, int32_t *out)
{
	return pmon_scan_digits(s, n, out) == n;
}

static bool
take_iso_year(struct pmon_scan *s, int32_t *out)
{
	if (pmon_scan_peek(s) != '+' && pmon_scan_peek(s) != '-')
		return take_digits(s, 4, out);
	if (pmon_scan_take(s, '+'))
		return take_digits(s, 6, out);
	(void)pmon_scan_take(s, '-');
	if (!take_digits(s, 6, out))
		return false;
	*out = -*out;
	return true;
}

static bool
take_iso_date(struct pmon_scan *s, struct pmon_civil *out)
{
	return take_iso_year(s, &out->year) && pmon_scan_take(s, '-') &&
	       take_digits(s, 2, &out->month) && pmon_scan_take(s, '-') &&
	       take_digits(s, 2, &out->day);
}

// Z, +hh:mm or nothing; nothing leaves the offset unchanged.
static bool
take_offset(struct pmon_scan *s, int32_t *offset_min)
{
	bool behind = pmon_scan_peek(s) == '-';
	int32_t hours;
	int32_t minutes;

	if (at_end(s))
		return true;
	if (pmon_scan_take(s, 'Z') || pmon_scan_take(s, 'z')) {
		*offset_min = 0;
		return true;
	}
	if (!pmon_scan_take(s, '+') && !pmon_scan_take(s, '-'))
		return false;
	if (!take_digits(s, 2, &hours) || !pmon_scan_take(s, ':') || !take_digits(s, 2, &minutes) ||
	    hours > 23 || minutes > 59)
		return false;
	*offset_min = (hours * 60 + minutes) * (behind ? -1 : 1);
	return true;
}

static bool
read_iso(struct pmon_span text, struct pmon_civil *out, int32_t *offset_min)
{
	struct pmon_scan s = pmon_scan_init(text);

	if (!take_iso_date(&s, out))
		return false;
	if (at_end(&s))
		return true;
	if (!pmon_scan_take(&s, 'T') && !pmon_scan_take(&s, 't') && !pmon_scan_take(&s, ' '))
		return false;
	return take_clock(&s, 2, out) && take_offset(&s, offset_min) && at_end(&s);
}

static bool
read_relog(struct pmon_span text, struct pmon_civil *out)
{
	struct pmon_scan s = pmon_scan_init(text);

	if (pmon_scan_digits(&s, 2, &out->month) == 0 || !pmon_scan_take(&s, '/') ||
	    pmon_scan_digits(&s, 2, &out->day) == 0 || !pmon_scan_take(&s, '/') ||
	    !take_digits(&s, 4, &out->year) || !pmon_scan_take(&s, ' ') || !take_clock(&s, 1, out))
		return false;
	if (at_end(&s))
		return true;
	return pmon_time_scan_half(&s, &out->hour) && at_end(&s);
}

bool
pmon_time_parse(struct pmon_span text, int32_t offset_min, pmon_time *out)
{
	struct pmon_civil iso = {0};
	struct pmon_civil relog = {0};
	pmon_time local;

	*out = PMON_TIME_NONE;
	if (read_iso(text, &iso, &offset_min))
		local = pmon_time_from_civil(&iso);
	else if (read_relog(text, &relog))
		local = pmon_time_from_civil(&relog);
	else
		return false;
	if (local == PMON_TIME_NONE ||
	    !add_checked(local, -(int64_t)offset_min * PMON_TIME_PER_MIN, out))
		return false;
	return *out != PMON_TIME_NONE;
}

static int64_t
unit_100ns(struct pmon_span unit)
{
	static const struct {
		struct pmon_span name;
		int64_t length;
	} units[] = {
		{{"", 0}, PMON_TIME_PER_SEC},  {{"ms", 2}, PMON_TIME_PER_MSEC},
		{{"s", 1}, PMON_TIME_PER_SEC}, {{"m", 1}, PMON_TIME_PER_MIN},
		{{"h", 1}, PER_HOUR},          {{"d", 1}, PER_DAY},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (unit.len == units[i].name.len &&
		    (unit.len == 0 || memcmp(unit.ptr, units[i].name.ptr, unit.len) == 0))
			return units[i].length;
	return 0;
}

// whole * unit; false if it does not fit.
static bool
whole_units(struct pmon_span digits, int64_t unit, int64_t *out)
{
	struct pmon_scan s = pmon_scan_init(digits);
	uint64_t n;

	if (!pmon_scan_u64(&s, &n) || n > (uint64_t)(INT64_MAX / unit))
		return false;
	*out = (int64_t)n * unit;
	return true;
}

// 0.digits * unit, rounded down; exact because it starts with the last digit.
static int64_t
part_of_unit(struct pmon_span digits, int64_t unit)
{
	int64_t part = 0;

	for (size_t i = digits.len; i-- > 0;)
		part = ((digits.ptr[i] - '0') * unit + part) / 10;
	return part;
}

static struct pmon_span
take_run_of_digits(struct pmon_scan *s)
{
	const char *start = s->at;

	while (pmon_is_digit(pmon_scan_peek(s)))
		s->at++;
	return (struct pmon_span){start, (size_t)(s->at - start)};
}

bool
pmon_time_parse_span(struct pmon_span text, int64_t *out_100ns)
{
	struct pmon_scan s = pmon_scan_init(text);
	struct pmon_span whole;
	struct pmon_span part = {NULL, 0};
	int64_t unit;
	int64_t ticks;

	*out_100ns = 0;
	if (text.len == 0)
		return false;
	whole = take_run_of_digits(&s);
	if (whole.len == 0)
		return false;
	if (pmon_scan_take(&s, '.')) {
		part = take_run_of_digits(&s);
		if (part.len == 0)
			return false;
	}
	unit = unit_100ns((struct pmon_span){s.at, (size_t)(s.end - s.at)});
	if (unit == 0 || !whole_units(whole, unit, &ticks))
		return false;
	if (!add_checked(ticks, part_of_unit(part, unit), &ticks))
		return false;
	*out_100ns = ticks;
	return true;
}

bool
pmon_time_parse_clock(struct pmon_span text, int64_t *out_100ns)
{
	struct pmon_scan s = pmon_scan_init(text);
	struct pmon_civil day = {.year = FIRST_YEAR, .month = 1, .day = 1};
	pmon_time t;

	*out_100ns = 0;
	if (!take_clock(&s, 1, &day) || !at_end(&s))
		return false;
	t = pmon_time_from_civil(&day);
	if (t == PMON_TIME_NONE)
		return false;
	*out_100ns = t; // of the first day, which begins at 0
	return true;
}
