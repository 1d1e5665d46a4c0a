// when.c - the time of a line, as Windows writes it and as other programs re-save it
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

// AM or PM, or nothing.
static bool
take_half_of_day(struct pmon_scan *s, int32_t *hour)
{
	(void)pmon_scan_take(s, ' ');
	return s->at == s->end || (pmon_time_scan_half(s, hour) && s->at == s->end);
}

// Three numbers with the same separator between them; the year is the first or the last.
static bool
take_date(struct pmon_scan *s, struct pdht_stamp *out)
{
	int32_t a;
	int32_t b;
	int32_t c;
	int n_a = pmon_scan_digits(s, 4, &a);
	int n_b;
	int n_c;

	if (n_a == 0 || s->at == s->end || memchr("/-.", *s->at, 3) == NULL)
		return false;
	out->separator = *s->at++;
	n_b = pmon_scan_digits(s, 2, &b);
	if (n_b == 0 || !pmon_scan_take(s, out->separator))
		return false;
	n_c = pmon_scan_digits(s, 4, &c);
	out->year_first = n_a == 4;
	if (out->year_first) {
		*out = (struct pdht_stamp){b, c, .clock.year = a, .separator = out->separator,
					   .year_first = true};
		return n_c == 1 || n_c == 2;
	}
	out->first = a;
	out->second = b;
	out->clock.year = n_c == 2 ? c + 2000 : c;
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
	if (take_date(&s, out) && (pmon_scan_take(&s, ' ') || pmon_scan_take(&s, 'T')) &&
	    pmon_time_scan_clock(&s, 1, ".,", &out->clock, &out->has_seconds) &&
	    take_half_of_day(&s, &out->clock.hour))
		return true;
	// What is left of ISO 8601: a Z or an offset after the time.
	*out = (struct pdht_stamp){.is_zoned = true, .has_seconds = true};
	return text.len > 10 && pmon_time_parse(text, 0, &out->utc);
}

pmon_time
pmon_pdht_stamp_local(const struct pdht_stamp *stamp, enum pdht_order order)
{
	bool day_first = order == PDHT_DAY_FIRST && !stamp->year_first;
	struct pmon_civil civil = stamp->clock;

	civil.month = day_first ? stamp->second : stamp->first;
	civil.day = day_first ? stamp->first : stamp->second;
	return pmon_time_from_civil(&civil);
}

bool
pmon_pdht_stamp_is_stump(struct pmon_span text)
{
	struct pmon_scan s = pmon_scan_init(text);
	int32_t n;

	return pmon_scan_digits(&s, 2, &n) > 0 && n < 60 && pmon_scan_take(&s, ':') &&
	       pmon_scan_digits(&s, 2, &n) == 2 && n < 60 &&
	       (pmon_scan_take(&s, '.') || pmon_scan_take(&s, ',')) && pmon_scan_ticks(&s, &n) &&
	       s.at == s.end;
}
