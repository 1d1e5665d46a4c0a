// zone_names.c - the texts for references such as "@tzres.dll,-212"
// SPDX-License-Identifier: MIT
//
// Since Windows Vista a log names its time zone by a resource of tzres.dll. The resource number of
// a zone's standard name ends in 2, that of its daylight name in 1. Text logs contain the name:
// that of 212 is from Windows' own export of a log with the reference. The others are the values
// MUI_Std of the zones under "Time Zones" in the registry, as far as they are certain; an unknown
// reference is shown unchanged.

#include <string.h>

#include "base/num.h"
#include "format/blg/blg.h"

static const struct {
	uint16_t resource; // of the standard name
	const char *standard;
	const char *daylight;
} zones[] = {
	{82, "Atlantic Standard Time", "Atlantic Daylight Time"},
	{112, "Eastern Standard Time", "Eastern Daylight Time"},
	{162, "Central Standard Time", "Central Daylight Time"},
	{192, "Mountain Standard Time", "Mountain Daylight Time"},
	{212, "Pacific Standard Time", "Pacific Daylight Time"},
	{222, "Alaskan Standard Time", "Alaskan Daylight Time"},
	{232, "Hawaiian Standard Time", "Hawaiian Daylight Time"},
	{262, "GMT Standard Time", "GMT Daylight Time"},
	{282, "Central Europe Standard Time", "Central Europe Daylight Time"},
	{292, "Central European Standard Time", "Central European Daylight Time"},
	{302, "Romance Standard Time", "Romance Daylight Time"},
	{322, "W. Europe Standard Time", "W. Europe Daylight Time"},
	{492, "India Standard Time", "India Daylight Time"},
	{572, "China Standard Time", "China Daylight Time"},
	{622, "Korea Standard Time", "Korea Daylight Time"},
	{632, "Tokyo Standard Time", "Tokyo Daylight Time"},
	{672, "AUS Eastern Standard Time", "AUS Eastern Daylight Time"},
};

const char *
pmon_blg_zone_known_name(const char *name, bool daylight)
{
	static const char prefix[] = "@tzres.dll,-";
	struct pmon_span number = {name + sizeof(prefix) - 1, 0};
	uint64_t resource;

	if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
		return name;
	number.len = strlen(number.ptr);
	if (!pmon_num_parse_u64(number, &resource))
		return name;
	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++)
		if (zones[i].resource == resource)
			return daylight ? zones[i].daylight : zones[i].standard;
	return name;
}
