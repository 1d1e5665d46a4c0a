// when.c - parse the time of a line, as written by Windows and by other programs
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

// ---- The time of day ------------------------------------------------------------------------

// AM and PM as .NET and spreadsheets write them in languages that do not use the Latin letters.
static const struct {
	const char *text;
	bool is_pm;
} halves[] = {
	{"\u4E0A\u5348", false},                          // Chinese
	{"\u4E0B\u5348", true},  {"\u5348\u524D", false}, // Japanese
	{"\u5348\u5F8C", true},  {"\uC624\uC804", false}, // Korean
	{"\uC624\uD6C4", true},  {"\u03C0\u03BC", false}, // Greek
	{"\u03BC\u03BC", true},  {"\u00D6\u00D6", false}, // Turkish
	{"\u00D6S", true},
};

static void
skip_blanks(struct pmon_scan *s)
{
	while (pmon_scan_take(s, ' '))
		;
}

// Such a word. False if there is none.
static bool
take_half_word(struct pmon_scan *s, bool *is_pm)
{
	for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++) {
		size_t len = strlen(halves[i].text);

		if ((size_t)(s->end - s->at) < len || memcmp(s->at, halves[i].text, len) != 0)
			continue;
		s->at += len;
		*is_pm = halves[i].is_pm;
		return true;
	}
	return false;
}

// hh:mm[:ss[.f]], or hh.mm.ss with points as Finnish, Indonesian and old Italian settings have it.
static bool
take_clock_digits(struct pmon_scan *s, struct pdht_stamp *out)
{
	struct pmon_scan start = *s;

	if (pmon_time_scan_clock(s, 1, ".,", &out->clock, &out->has_seconds))
		return true;
	*s = start;
	out->has_seconds = true;
	return pmon_scan_digits(s, 2, &out->clock.hour) > 0 && pmon_scan_take(s, '.') &&
	       pmon_scan_digits(s, 2, &out->clock.minute) == 2 && pmon_scan_take(s, '.') &&
	       pmon_scan_digits(s, 2, &out->clock.second) == 2 &&
	       (!pmon_scan_take(s, ',') || pmon_scan_ticks(s, &out->clock.ticks));
}

// A time of day up to the end, which may have AM or PM.
static bool
take_clock(struct pmon_scan *s, struct pdht_stamp *out)
{
	bool is_pm;
	bool has_word = take_half_word(s, &is_pm); // before the time in East Asia

	skip_blanks(s);
	if (!take_clock_digits(s, out))
		return false;
	if (s->at == s->end && !has_word)
		return true;
	if (!has_word) {
		struct pmon_scan rest = *s;

		skip_blanks(&rest);
		if (!take_half_word(&rest, &is_pm))
			return pmon_time_scan_half(s, &out->clock.hour) && s->at == s->end;
		*s = rest;
	}
	if (s->at != s->end || out->clock.hour < 1 || out->clock.hour > 12)
		return false;
	out->clock.hour = out->clock.hour % 12 + (is_pm ? 12 : 0);
	return true;
}

// ---- The date -------------------------------------------------------------------------------

// A month's English name, or its first three letters.
static int32_t
take_month(struct pmon_scan *s)
{
	static const char *const names[] = {"january",   "february", "march",    "april",
					    "may",       "june",     "july",     "august",
					    "september", "october",  "november", "december"};
	const char *start = s->at;
	struct pmon_span name;

	while (s->at < s->end && pmon_is_letter(*s->at))
		s->at++;
	name = (struct pmon_span){start, (size_t)(s->at - start)};
	for (int32_t i = 0; i < 12; i++)
		if ((name.len == 3 || name.len == strlen(names[i])) &&
		    pmon_pdht_compare(name, (struct pmon_span){names[i], name.len}) == 0)
			return i + 1;
	return 0;
}

// "25-Feb-2026", after its day.
static bool
take_named_month(struct pmon_scan *s, int32_t day, struct pdht_stamp *out)
{
	int32_t month = take_month(s);
	int32_t year;
	int n;

	if (month == 0 || !pmon_scan_take(s, out->separator))
		return false;
	n = pmon_scan_digits(s, 4, &year);
	*out = (struct pdht_stamp){month, day, .clock.year = n == 2 ? year + 2000 : year,
				   .separator = out->separator, .is_clear = true};
	return n == 2 || n == 4;
}

// Three numbers with equal separators; the year is first or last, and the month may be a name.
static bool
take_date(struct pmon_scan *s, struct pdht_stamp *out)
{
	int32_t a;
	int32_t b;
	int32_t c;
	int n_a = pmon_scan_digits(s, 4, &a);
	int n_b;
	int n_c;

	if (n_a == 0 || s->at == s->end || memchr("/-. ", *s->at, 4) == NULL)
		return false;
	out->separator = *s->at++;
	if (n_a <= 2 && s->at < s->end && pmon_is_letter(*s->at))
		return take_named_month(s, a, out);
	if (out->separator == ' ')
		return false;
	n_b = pmon_scan_digits(s, 2, &b);
	if (n_b == 0 || !pmon_scan_take(s, out->separator))
		return false;
	n_c = pmon_scan_digits(s, 4, &c);
	if (n_a == 4) {
		*out = (struct pdht_stamp){b, c, .clock.year = a, .separator = out->separator,
					   .is_clear = true};
		return n_c == 1 || n_c == 2;
	}
	out->first = a;
	out->second = b;
	out->clock.year = n_c == 2 ? c + 2000 : c;
	out->is_padded = n_a == 2 && n_b == 2 && n_c == 4 && out->separator == '/';
	return n_a <= 2 && (n_c == 4 || n_c == 2);
}

// What separates the date from the time.
static bool
take_gap(struct pmon_scan *s)
{
	if (pmon_scan_take(s, 'T'))
		return true;
	if (!pmon_scan_take(s, ' '))
		return false;
	skip_blanks(s);
	return true;
}

static bool
is_windows(struct pmon_span text)
{
	static const char form[] = "00/00/0000 00:00:00.000";

	if (text.len != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (form[i] == '0' ? !pmon_is_digit(text.ptr[i]) : text.ptr[i] != form[i])
			return false;
	return true;
}

static int32_t
number_at(const char *p, int n)
{
	struct pmon_scan digits = {p, p + n};
	int32_t number;

	(void)pmon_scan_digits(&digits, n, &number);
	return number;
}

static void
read_windows(const char *p, struct pdht_stamp *out)
{
	out->first = number_at(p, 2);
	out->second = number_at(p + 3, 2);
	out->clock.year = number_at(p + 6, 4);
	out->clock.hour = number_at(p + 11, 2);
	out->clock.minute = number_at(p + 14, 2);
	out->clock.second = number_at(p + 17, 2);
	out->clock.ticks = number_at(p + 20, 3) * (int32_t)PMON_TIME_PER_MSEC;
	out->separator = '/';
	out->has_seconds = true;
	out->is_padded = true;
	out->is_windows = true;
}

bool
pmon_pdht_stamp_read(struct pmon_span text, struct pdht_stamp *out)
{
	struct pmon_scan s = pmon_scan_init(text);

	*out = (struct pdht_stamp){.utc = PMON_TIME_NONE};
	if (is_windows(text)) {
		read_windows(text.ptr, out);
		return true;
	}
	if (take_date(&s, out) && take_gap(&s) && take_clock(&s, out))
		return true;
	// The remaining part of ISO 8601: Z or an offset after the time.
	*out = (struct pdht_stamp){.is_zoned = true, .has_seconds = true};
	return text.len > 10 && pmon_time_parse(text, 0, &out->utc);
}

pmon_time
pmon_pdht_stamp_local(const struct pdht_stamp *stamp, enum pdht_order order)
{
	bool day_first = order == PDHT_DAY_FIRST && !stamp->is_clear;
	struct pmon_civil civil = stamp->clock;

	civil.month = day_first ? stamp->second : stamp->first;
	civil.day = day_first ? stamp->first : stamp->second;
	return pmon_time_from_civil(&civil);
}

// "56:30.9" or "56:30,9".
static bool
read_past_hour(struct pmon_span text, struct pmon_civil *clock)
{
	struct pmon_scan s = pmon_scan_init(text);

	return pmon_scan_digits(&s, 2, &clock->minute) > 0 && clock->minute < 60 &&
	       pmon_scan_take(&s, ':') && pmon_scan_digits(&s, 2, &clock->second) == 2 &&
	       clock->second < 60 && (pmon_scan_take(&s, '.') || pmon_scan_take(&s, ',')) &&
	       pmon_scan_ticks(&s, &clock->ticks) && s.at == s.end;
}

static bool
read_time_of_day(struct pmon_span text, struct pdht_stamp *out)
{
	struct pmon_scan s = pmon_scan_init(text);

	return take_clock(&s, out) && out->clock.hour < 24 && out->clock.minute < 60 &&
	       out->clock.second < 60;
}

// A number of days since 1899-12-30, as spreadsheets store times, in the years 1990 to 2099, with
// enough digits to distinguish milliseconds.
static bool
read_serial(struct pmon_span text, struct pdht_stamp *out)
{
	static const struct pmon_civil origin = {.year = 1899, .month = 12, .day = 30};
	double days;

	if (pmon_pdht_number(text, '.', &days) != PDHT_NUMBER &&
	    pmon_pdht_number(text, ',', &days) != PDHT_NUMBER)
		return false;
	if (!(days >= 32874 && days < 73051))
		return false;
	out->serial = pmon_time_from_civil(&origin) +
		      (pmon_time)(days * 86400000 + 0.5) * PMON_TIME_PER_MSEC;
	return true;
}

bool
pmon_pdht_stamp_read_form(struct pmon_span text, enum pdht_time_form form, struct pdht_stamp *out)
{
	if (form == PDHT_DATED)
		return pmon_pdht_stamp_read(text, out);
	*out = (struct pdht_stamp){.form = form, .utc = PMON_TIME_NONE, .has_seconds = true};
	if (form == PDHT_PAST_HOUR)
		return read_past_hour(text, &out->clock);
	return form == PDHT_SERIAL ? read_serial(text, out) : read_time_of_day(text, out);
}

enum pdht_time_form
pmon_pdht_time_form(struct pmon_span text)
{
	struct pdht_stamp stamp;
	int form = PDHT_DATED;

	while (form < PDHT_NO_TIME_FORM &&
	       !pmon_pdht_stamp_read_form(text, (enum pdht_time_form)form, &stamp))
		form++;
	return (enum pdht_time_form)form;
}

pmon_time
pmon_pdht_stamp_after(const struct pdht_stamp *stamp, pmon_time last, bool is_first)
{
	int64_t period = stamp->form == PDHT_PAST_HOUR ? 60 * PMON_TIME_PER_MIN
						       : 24 * 60 * PMON_TIME_PER_MIN;
	pmon_time time = last - last % period +
			 ((stamp->clock.hour * 60 + stamp->clock.minute) * (int64_t)60 +
			  stamp->clock.second) *
				 PMON_TIME_PER_SEC +
			 stamp->clock.ticks;

	if (stamp->form == PDHT_SERIAL)
		return stamp->serial;
	return time < last && !is_first ? time + period : time;
}
