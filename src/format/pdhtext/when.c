// when.c - the time of a line, as Windows writes it and as other programs re-save it
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include "base/time.h"

#define FRACTION 7 // decimals of a second that a pmon_time has

struct scan {
	const char *p;
	const char *end;
};

static bool
is_digit(const struct scan *s)
{
	return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

static bool
take(struct scan *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

// A run of at most max digits; returns how many, 0 also when there are more.
static int
take_number(struct scan *s, int max, int32_t *out)
{
	int n = 0;

	*out = 0;
	for (; is_digit(s) && n < max; n++, s->p++)
		*out = *out * 10 + (*s->p - '0');
	return is_digit(s) ? 0 : n;
}

static bool
take_fraction(struct scan *s, int32_t *ticks_out)
{
	int n = 0;

	*ticks_out = 0;
	for (; is_digit(s); s->p++)
		if (n < FRACTION) {
			*ticks_out = *ticks_out * 10 + (*s->p - '0');
			n++;
		}
	if (n == 0)
		return false;
	for (; n < FRACTION; n++)
		*ticks_out *= 10;
	return true;
}

// h:mm[:ss[.fraction]]
static bool
take_clock(struct scan *s, struct pdht_stamp *out)
{
	if (take_number(s, 2, &out->hour) == 0 || !take(s, ':') ||
	    take_number(s, 2, &out->minute) != 2)
		return false;
	out->has_seconds = take(s, ':');
	if (!out->has_seconds)
		return true;
	if (take_number(s, 2, &out->second_of_minute) != 2)
		return false;
	return (!take(s, '.') && !take(s, ',')) || take_fraction(s, &out->ticks);
}

// AM or PM, or nothing.
static bool
take_half_of_day(struct scan *s, int32_t *hour)
{
	bool is_pm;

	(void)take(s, ' ');
	if (s->p == s->end)
		return true;
	is_pm = *s->p == 'P' || *s->p == 'p';
	if (!is_pm && *s->p != 'A' && *s->p != 'a')
		return false;
	s->p++;
	if ((!take(s, 'M') && !take(s, 'm')) || *hour < 1 || *hour > 12)
		return false;
	*hour = *hour % 12 + (is_pm ? 12 : 0);
	return s->p == s->end;
}

// Three numbers with the same separator between them; the year is the first or the last.
static bool
take_date(struct scan *s, struct pdht_stamp *out)
{
	int32_t a;
	int32_t b;
	int32_t c;
	int n_a = take_number(s, 4, &a);
	int n_b;
	int n_c;

	if (n_a == 0 || s->p == s->end || (*s->p != '/' && *s->p != '-' && *s->p != '.'))
		return false;
	out->separator = *s->p++;
	n_b = take_number(s, 2, &b);
	if (n_b == 0 || !take(s, out->separator))
		return false;
	n_c = take_number(s, 4, &c);
	out->year_first = n_a == 4;
	if (out->year_first) {
		*out = (struct pdht_stamp){b, c, .year = a, .separator = out->separator,
					   .year_first = true};
		return n_c == 1 || n_c == 2;
	}
	out->first = a;
	out->second = b;
	out->year = n_c == 2 ? c + 2000 : c;
	out->is_padded = n_a == 2 && n_b == 2 && n_c == 4 && out->separator == '/';
	return n_a <= 2 && (n_c == 4 || n_c == 2);
}

static bool
is_windows(struct pmon_span text)
{
	static const char form[] = "00/00/0000 00:00:00.000";

	if (text.len != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (form[i] == '0' ? text.ptr[i] < '0' || text.ptr[i] > '9'
				   : text.ptr[i] != form[i])
			return false;
	return true;
}

static int32_t
number_at(const char *p, int n)
{
	int32_t number = 0;

	for (int i = 0; i < n; i++)
		number = number * 10 + (p[i] - '0');
	return number;
}

static void
read_windows(const char *p, struct pdht_stamp *out)
{
	out->first = number_at(p, 2);
	out->second = number_at(p + 3, 2);
	out->year = number_at(p + 6, 4);
	out->hour = number_at(p + 11, 2);
	out->minute = number_at(p + 14, 2);
	out->second_of_minute = number_at(p + 17, 2);
	out->ticks = number_at(p + 20, 3) * (int32_t)PMON_TIME_PER_MSEC;
	out->separator = '/';
	out->has_seconds = true;
	out->is_padded = true;
	out->is_windows = true;
}

bool
pmon_pdht_stamp_read(struct pmon_span text, struct pdht_stamp *out)
{
	struct scan s = {text.ptr, text.ptr + text.len};

	*out = (struct pdht_stamp){.utc = PMON_TIME_NONE};
	if (is_windows(text)) {
		read_windows(text.ptr, out);
		return true;
	}
	if (take_date(&s, out) && (take(&s, ' ') || take(&s, 'T')) && take_clock(&s, out) &&
	    take_half_of_day(&s, &out->hour))
		return true;
	// What is left of ISO 8601: a Z or an offset after the time.
	*out = (struct pdht_stamp){.is_zoned = true, .has_seconds = true};
	return text.len > 10 && pmon_time_parse(text, 0, &out->utc);
}

pmon_time
pmon_pdht_stamp_local(const struct pdht_stamp *stamp, enum pdht_order order)
{
	bool day_first = order == PDHT_DAY_FIRST && !stamp->year_first;
	struct pmon_civil civil = {
		.year = stamp->year,
		.month = day_first ? stamp->second : stamp->first,
		.day = day_first ? stamp->first : stamp->second,
		.hour = stamp->hour,
		.minute = stamp->minute,
		.second = stamp->second_of_minute,
		.ticks = stamp->ticks,
	};

	return pmon_time_from_civil(&civil);
}

bool
pmon_pdht_stamp_is_stump(struct pmon_span text)
{
	struct scan s = {text.ptr, text.ptr + text.len};
	int32_t n;

	return take_number(&s, 2, &n) > 0 && n < 60 && take(&s, ':') &&
	       take_number(&s, 2, &n) == 2 && n < 60 && (take(&s, '.') || take(&s, ',')) &&
	       take_fraction(&s, &n) && s.p == s.end;
}
