// zone_rules.h - the zones of the IANA time zone database, with the changes of their clocks
// SPDX-License-Identifier: MIT

#ifndef PMON_MODEL_ZONE_RULES_H
#define PMON_MODEL_ZONE_RULES_H

#include <pmon/base.h>

// The table of tools/gen-zones.c has the changes of these years. Windows NT 3.1 is of 1993.
#define PMON_ZONES_BEGIN_UNIX 631152000 // 1990-01-01, in seconds since 1970
#define PMON_ZONES_MINUTES    25771680  // until 2039-01-01

struct pmon_zone {
	const char *name; // "Europe/Berlin"; NULL after the last
	uint32_t first;   // its first change in the tables
	uint32_t n;
};

// Sorted by name; empty if the build machine had no time zones.
extern const struct pmon_zone pmon_zones[];
// Of each change: minutes since the beginning, and the offset in quarters of an hour. The first
// change of a zone is the beginning.
extern const uint32_t pmon_zone_minutes[];
extern const int8_t pmon_zone_quarters[];

// Upper and lower case are the same. NULL: there is no such zone.
const struct pmon_zone *pmon_zone_find(struct pmon_span name);

// How many minutes the clock of a zone is ahead of UTC at a time.
int32_t pmon_zone_offset_at(const struct pmon_zone *zone, pmon_time t);

// The same at a local time. An hour that the clock repeats is the first one, unless that would not be later than
// `last`, in UTC (PMON_TIME_NONE: nothing is known). An hour that the clock leaves out counts as before the change.
int32_t pmon_zone_offset_local(const struct pmon_zone *zone, pmon_time local, pmon_time last);

#endif
