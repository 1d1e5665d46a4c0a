// zone_rules.c - the zones of the IANA time zone database, with the changes of their clocks
// SPDX-License-Identifier: MIT

#include "model/zone_rules.h"

#include <pmon/path.h>

#include <string.h>

#include "base/time.h"

// The calendar repeats after 28 years, until 2100.
#define CYCLE_MINUTES ((int64_t)(28 * 365 + 7) * 24 * 60)
#define DAY           (24 * 60 * PMON_TIME_PER_MIN)
#define BEGIN_100NS   (PMON_TIME_EARLIEST + PMON_ZONES_BEGIN_UNIX * PMON_TIME_PER_SEC)

const struct pmon_zone *
pmon_zone_find(struct pmon_span name)
{
	for (const struct pmon_zone *zone = pmon_zones; zone->name != NULL; zone++)
		if (pmon_text_same(name, (struct pmon_span){zone->name, strlen(zone->name)}))
			return zone;
	return NULL;
}

// Minutes since the beginning of the table. Years after the table have the rules of its last 28.
static uint32_t
minute_of(pmon_time t)
{
	int64_t minute = (t - BEGIN_100NS) / PMON_TIME_PER_MIN;

	if (t < BEGIN_100NS)
		return 0;
	if (minute >= PMON_ZONES_MINUTES)
		minute -= ((minute - PMON_ZONES_MINUTES) / CYCLE_MINUTES + 1) * CYCLE_MINUTES;
	return (uint32_t)minute;
}

int32_t
pmon_zone_offset_at(const struct pmon_zone *zone, pmon_time t)
{
	uint32_t minute = minute_of(t);
	uint32_t low = zone->first;
	uint32_t high = zone->first + zone->n;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (pmon_zone_minutes[middle] <= minute)
			low = middle;
		else
			high = middle;
	}
	return pmon_zone_quarters[low] * 15;
}

int32_t
pmon_zone_offset_local(const struct pmon_zone *zone, pmon_time local, pmon_time last)
{
	int32_t before = pmon_zone_offset_at(zone, local - DAY);
	int32_t after = pmon_zone_offset_at(zone, local + DAY);
	pmon_time first = local - before * PMON_TIME_PER_MIN;
	pmon_time second = local - after * PMON_TIME_PER_MIN;

	if (pmon_zone_offset_at(zone, second) != after)
		return before;
	if (pmon_zone_offset_at(zone, first) != before)
		return after;
	return last != PMON_TIME_NONE && first <= last ? after : before;
}
