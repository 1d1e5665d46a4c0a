// zone.c - time zones on the command line
// SPDX-License-Identifier: MIT

#include "shell/args/zone.h"

#include <stdio.h>
#include <string.h>

#include <pmon/path.h>

bool
zone_read_offset(const char *text, int32_t *offset_min)
{
	int hours;
	int minutes = 0;
	char sign;
	int used = 0;

	*offset_min = 0;
	if (strcmp(text, "utc") == 0 || strcmp(text, "UTC") == 0 || strcmp(text, "Z") == 0)
		return true;
	if (sscanf(text, "%c%2d:%2d%n", &sign, &hours, &minutes, &used) != 3 &&
	    sscanf(text, "%c%2d%n", &sign, &hours, &used) != 2)
		return false;
	if ((sign != '+' && sign != '-') || text[used] != '\0' || hours < 0 || hours > 18 ||
	    minutes < 0 || minutes > 59)
		return false;
	*offset_min = (sign == '-' ? -1 : 1) * (hours * 60 + minutes);
	return true;
}

const struct pmon_zone *
zone_of_city(const char *name)
{
	for (const struct pmon_zone *zone = pmon_zones; zone->name != NULL; zone++) {
		const char *city = strrchr(zone->name, '/');

		if (city != NULL && pmon_text_same((struct pmon_span){name, strlen(name)},
						   (struct pmon_span){city + 1, strlen(city + 1)}))
			return zone;
	}
	return NULL;
}
