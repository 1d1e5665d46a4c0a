// times.c - times on the command line, and their clock
// SPDX-License-Identifier: MIT

#include "shell/input/times.h"

#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "os/clock.h"
#include "shell/args/zone.h"
#include "shell/args/verb.h"
#include "shell/output/say.h"

#define DAY (24 * 60 * PMON_TIME_PER_MIN)

int
times_read_clock(const char *tz, struct clock *clock)
{
	const struct pmon_zone *zone;

	if (tz == NULL || strcmp(tz, "log") == 0)
		return EXIT_DONE;
	clock->mode = CLOCK_FIXED;
	if (strcmp(tz, "local") == 0) {
		clock->mode = CLOCK_LOCAL;
		return EXIT_DONE;
	}
	if (zone_read_offset(tz, &clock->offset_min))
		return EXIT_DONE;
	clock->zone = pmon_zone_find((struct pmon_span){tz, strlen(tz)});
	if (clock->zone != NULL) {
		clock->mode = CLOCK_ZONE;
		return EXIT_DONE;
	}
	zone = zone_of_city(tz);
	if (zone != NULL)
		return say(EXIT_USAGE, "--tz: there is no zone \"%s\"; did you mean %s?", tz,
			   zone->name);
	return say(EXIT_USAGE,
		   "--tz must be log, utc, local, an offset such as +01:00 or a zone such as "
		   "Europe/Berlin, not \"%s\"",
		   tz);
}

// ---- Dates as people write them ---------------------------------------------------------------

static bool
take_month(struct pmon_scan *s, int32_t *month)
{
	static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
	char word[4] = "";
	const char *found;

	for (size_t i = 0; i < 3 && s->at < s->end; i++)
		word[i] = (char)(*s->at++ | 0x20);
	while (s->at < s->end && *s->at != ' ')
		s->at++; // the rest of "November"
	found = strlen(word) == 3 ? strstr(names, word) : NULL;
	if (found == NULL || (found - names) % 3 != 0)
		return false;
	*month = (int32_t)((found - names) / 3) + 1;
	return true;
}

// "20.11.2026", "8/14/2007", "9 Mar 2026"
static bool
take_date(struct pmon_scan *s, struct pmon_civil *out)
{
	int32_t first;

	if (pmon_scan_digits(s, 2, &first) == 0)
		return false;
	if (pmon_scan_take(s, '/')) {
		out->month = first;
		return pmon_scan_digits(s, 2, &out->day) > 0 && pmon_scan_take(s, '/') &&
		       pmon_scan_digits(s, 4, &out->year) == 4;
	}
	out->day = first;
	if (pmon_scan_take(s, '.'))
		return pmon_scan_digits(s, 2, &out->month) > 0 && pmon_scan_take(s, '.') &&
		       pmon_scan_digits(s, 4, &out->year) == 4;
	return pmon_scan_take(s, ' ') && take_month(s, &out->month) && pmon_scan_take(s, ' ') &&
	       pmon_scan_digits(s, 4, &out->year) == 4;
}

// "14:00", "2:00 PM", "2pm"; to the end of the text.
static bool
take_day_time(struct pmon_scan *s, struct pmon_civil *out)
{
	struct pmon_scan hour = *s;
	bool has_seconds;

	if (pmon_scan_digits(&hour, 2, &out->hour) > 0 && pmon_time_scan_half(&hour, &out->hour))
		return hour.at == hour.end;
	if (!pmon_time_scan_clock(s, 1, ".", out, &has_seconds))
		return false;
	return s->at == s->end || (pmon_time_scan_half(s, &out->hour) && s->at == s->end);
}

static bool
read_date(struct pmon_span text, const struct clock *clock, pmon_time *out)
{
	struct pmon_scan s = pmon_scan_init(text);
	struct pmon_civil civil = {0};

	if (!take_date(&s, &civil) ||
	    (s.at != s.end && (!pmon_scan_take(&s, ' ') || !take_day_time(&s, &civil))))
		return false;
	*out = pmon_time_from_civil(&civil);
	if (*out == PMON_TIME_NONE)
		return false;
	*out = clock_utc(clock, *out);
	return true;
}

// "2pm", "2:30 PM", in 100 ns since midnight.
static bool
read_half_day(struct pmon_span text, int64_t *out)
{
	struct pmon_scan s = pmon_scan_init(text);
	struct pmon_civil civil = {0};

	if (!take_day_time(&s, &civil) || civil.hour > 23 || civil.minute > 59 || civil.second > 59)
		return false;
	*out = (civil.hour * 60 + civil.minute) * PMON_TIME_PER_MIN +
	       civil.second * PMON_TIME_PER_SEC + civil.ticks;
	return true;
}

// "14:00", "2pm", "2:30 PM", in 100 ns since midnight.
static bool
read_day_time(struct pmon_span text, int64_t *out)
{
	return pmon_time_parse_clock(text, out) || read_half_day(text, out);
}

static pmon_time
midnight_of(const struct clock *clock, pmon_time t)
{
	pmon_time local = t + clock_offset(clock, t) * PMON_TIME_PER_MIN;

	return local - local % DAY;
}

bool
times_read_day(const char *text, const struct clock *clock, pmon_time now, pmon_time *out)
{
	static const struct {
		const char *word;
		int days;
	} words[] = {{"today", 0}, {"yesterday", -1}};
	int64_t of_day = 0;

	if (pmon_text_same((struct pmon_span){text, strlen(text)}, PMON_SPAN("now"))) {
		*out = now;
		return true;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t len = strlen(words[i].word);
		struct pmon_span rest = {text + len, 0};

		if (strlen(text) < len || !pmon_text_same((struct pmon_span){text, len},
							  (struct pmon_span){words[i].word, len}))
			continue;
		rest.len = strlen(rest.ptr);
		if (rest.len > 0 && (rest.ptr[0] == ' ' || rest.ptr[0] == 'T'))
			rest = (struct pmon_span){rest.ptr + 1, rest.len - 1};
		else if (rest.len > 0)
			return false;
		if (rest.len > 0 && !read_day_time(rest, &of_day))
			return false;
		*out = clock_utc(clock, midnight_of(clock, now) + words[i].days * DAY + of_day);
		return true;
	}
	return false;
}

// ---- Times within a log ------------------------------------------------------------------------

// The time of day on the day of the first sample, on the displayed clock.
static pmon_time
on_day_of(const struct clock *clock, pmon_time first, int64_t clock_100ns)
{
	return clock_utc(clock, midnight_of(clock, first) + clock_100ns);
}

static bool
find_within(const char *text, const struct clock *clock, pmon_time first, pmon_time last,
	    pmon_time *out)
{
	struct pmon_span span = {text, strlen(text)};
	struct pmon_span rest = {text + 1, span.len > 0 ? span.len - 1 : 0};
	int64_t length;

	if ((text[0] == '-' || text[0] == '+') && pmon_time_parse_span(rest, &length)) {
		length = pmon_time_clamp(length);
		*out = pmon_time_clamp(text[0] == '-' ? last - length : first + length);
		return true;
	}
	if (text[0] == '@')
		span = rest;
	if (!read_day_time(span, &length))
		return false;
	*out = on_day_of(clock, first, length);
	return true;
}

bool
times_find(const char *text, const struct clock *clock, pmon_time first, pmon_time last,
	   pmon_time *out)
{
	return times_read_alone(text, clock, out) ||
	       (first != PMON_TIME_NONE && find_within(text, clock, first, last, out));
}

int
times_read_within(const char *text, const struct clock *clock, pmon_time first, pmon_time last,
		  pmon_time *out)
{
	if (find_within(text, clock, first, last, out))
		return EXIT_DONE;
	return say(EXIT_USAGE,
		   "invalid time \"%s\": use 2026-11-21T10:30, \"21.11.2026 10:30\", 10:30, 2pm, "
		   "\"yesterday 14:00\", -2h (before the end) or +5m (after the start)",
		   text);
}

bool
times_read_alone(const char *text, const struct clock *clock, pmon_time *out)
{
	struct pmon_span span = {text, strlen(text)};

	pmon_time shifted;

	if (pmon_time_parse(span, 0, out)) {
		// A text with an offset of its own is the same time for any default.
		if (pmon_time_parse(span, 1, &shifted) && shifted != *out)
			*out = clock_utc(clock, *out);
	} else if (!read_date(span, clock, out) &&
		   !times_read_day(text, clock, pmon_os_clocks().wall, out)) {
		return false;
	}
	*out = pmon_time_clamp(*out);
	return true;
}

int
times_read_step(const struct args *args, int64_t *step_100ns)
{
	const char *text = args->every;

	if (text == NULL ||
	    (pmon_time_parse_span((struct pmon_span){text, strlen(text)}, step_100ns) &&
	     *step_100ns > 0 && *step_100ns < PMON_TIME_LATEST / 4))
		return EXIT_DONE;
	return say(EXIT_USAGE, "%s: --every must be a length of time such as 1m or 1h, not \"%s\"",
		   args->verb->name, text);
}
