// trend.c - the value of the key trend: the limit of a slope, and its time range
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/time.h"
#include "rules/rules.h"

#define TREND_MOST 64 // characters

static const struct {
	const char *name;
	double per_hour;
} units[] = {{"/h", 1}, {"/d", 1.0 / 24}, {"/min", 60}};

// Cut the unit of time off the end of a slope. Returns how many of it make an hour; 0: there is
// none.
static double
take_unit(char *slope)
{
	size_t len = strlen(slope);

	while (len > 0 && slope[len - 1] == ' ')
		slope[--len] = '\0';
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t of_unit = strlen(units[i].name);

		if (len <= of_unit || strcmp(slope + len - of_unit, units[i].name) != 0)
			continue;
		slope[len - of_unit] = '\0';
		return units[i].per_hour;
	}
	return 0;
}

bool
rules_parse_trend(struct pmon_span value, struct rules_rule *rule)
{
	struct rules_limit limit = {.given = true};
	char text[TREND_MOST];
	char *slope = text + 1;
	char *range;
	double per_hour;

	if (value.len >= sizeof(text) || (value.ptr[0] != '>' && value.ptr[0] != '<'))
		return false;
	memcpy(text, value.ptr, value.len);
	text[value.len] = '\0';
	limit.or_equal = text[1] == '=';
	slope += limit.or_equal;
	slope += strspn(slope, " ");
	range = strstr(slope, " for ");
	if (range == NULL || strlen(slope) >= sizeof(limit.threshold.text))
		return false;
	*range = '\0';
	range += strlen(" for ");
	range += strspn(range, " ");
	per_hour = take_unit(slope);
	if (per_hour == 0 || !draw_threshold_parse(slope, &limit.threshold) ||
	    !pmon_time_parse_span((struct pmon_span){range, strlen(range)}, &rule->trend_100ns) ||
	    rule->trend_100ns <= 0)
		return false;
	limit.threshold.value *= per_hour;
	limit.threshold.below = text[0] == '<';
	memcpy(limit.threshold.text, value.ptr + (slope - text),
	       value.len - (size_t)(slope - text));
	limit.threshold.text[value.len - (size_t)(slope - text)] = '\0';
	rule->limits[RULES_WARNING] = limit;
	return true;
}
