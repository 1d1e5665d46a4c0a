// logs_time.c - the clock that times are shown on, and times of the command line
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/time.h"
#include "cli/input/logs.h"
#include "cli/output/say.h"

static bool
parse_offset(const char *text, int32_t *offset_min)
{
	int hours;
	int minutes = 0;
	char sign;
	int used = 0;

	if (sscanf(text, "%c%2d:%2d%n", &sign, &hours, &minutes, &used) != 3 &&
	    sscanf(text, "%c%2d%n", &sign, &hours, &used) != 2)
		return false;
	if ((sign != '+' && sign != '-') || text[used] != '\0' || hours < 0 || hours > 18 ||
	    minutes < 0 || minutes > 59)
		return false;
	*offset_min = (sign == '-' ? -1 : 1) * (hours * 60 + minutes);
	return true;
}

int
logs_parse_clock(const char *tz, struct clock *clock)
{
	if (tz == NULL || strcmp(tz, "log") == 0)
		return EXIT_DONE;
	clock->mode = CLOCK_FIXED;
	if (strcmp(tz, "utc") == 0 || strcmp(tz, "UTC") == 0 || strcmp(tz, "Z") == 0) {
		clock->offset_min = 0;
		return EXIT_DONE;
	}
	if (strcmp(tz, "local") == 0) {
		clock->mode = CLOCK_LOCAL;
		return EXIT_DONE;
	}
	if (parse_offset(tz, &clock->offset_min))
		return EXIT_DONE;
	return say(EXIT_USAGE, "--tz takes log, utc, local or an offset such as +01:00, not \"%s\"",
		   tz);
}

int
logs_set_clock(struct logs *logs)
{
	const char *tz = logs->args->tz;

	logs->clock = (struct clock){.mode = CLOCK_LOG};
	logs->clock.offset_min = pmon_source_info(logs->source)->utc_offset_min;
	// Live: the local clock, also after a change for daylight saving.
	if (tz == NULL && pmon_source_info(logs->source)->live && logs->args->replay == NULL)
		logs->clock.mode = CLOCK_LOCAL;
	return logs_parse_clock(tz, &logs->clock);
}

// The times of the first and the last sample, for times that are given relative to them.
static int
find_range(struct logs *logs, pmon_time *first, pmon_time *last)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	*first = *last = PMON_TIME_NONE;
	while (logs_next(logs, &sample, &status)) {
		if (*first == PMON_TIME_NONE)
			*first = sample->time;
		*last = sample->time;
	}
	if (status != EXIT_DONE)
		return status;
	return logs_rewind(logs);
}

// The moment of a time of day on the day of the first sample, on the clock that is shown.
static pmon_time
on_day_of(const struct clock *clock, pmon_time first, int64_t clock_100ns)
{
	int64_t ahead = clock_offset(clock, first) * PMON_TIME_PER_MIN;
	pmon_time local = first + ahead;

	return local - local % (24 * 60 * PMON_TIME_PER_MIN) + clock_100ns - ahead;
}

int
logs_time_within(const char *text, const struct clock *clock, pmon_time first, pmon_time last,
		 pmon_time *out)
{
	struct pmon_span span = {text, strlen(text)};
	struct pmon_span rest = {text + 1, span.len > 0 ? span.len - 1 : 0};
	int64_t length;

	if ((text[0] == '-' || text[0] == '+') && pmon_time_parse_span(rest, &length)) {
		length = pmon_time_clamp(length);
		*out = pmon_time_clamp(text[0] == '-' ? last - length : first + length);
		return EXIT_DONE;
	}
	if (pmon_time_parse_clock(text[0] == '@' ? rest : span, &length)) {
		*out = on_day_of(clock, first, length);
		return EXIT_DONE;
	}
	return say(
		EXIT_USAGE,
		"invalid time \"%s\": use 2026-11-21T10:30, 10:30, @10:30, -2h (before the end) or "
		"+5m (after the start)",
		text);
}

bool
logs_time_alone(const char *text, const struct clock *clock, pmon_time *out)
{
	struct pmon_span span = {text, strlen(text)};

	if (!pmon_time_parse(span, clock_offset(clock, PMON_TIME_PER_SEC), out))
		return false;
	*out = pmon_time_clamp(*out);
	return true;
}

int
logs_time(struct logs *logs, const char *text, pmon_time *out)
{
	pmon_time first;
	pmon_time last;
	int status;

	*out = PMON_TIME_NONE;
	if (logs_time_alone(text, &logs->clock, out))
		return EXIT_DONE;
	status = find_range(logs, &first, &last);
	if (status != EXIT_DONE)
		return status;
	if (first == PMON_TIME_NONE)
		return say(EXIT_FAILED, "the time %s is relative to samples, and there are none",
			   text);
	return logs_time_within(text, &logs->clock, first, last, out);
}
