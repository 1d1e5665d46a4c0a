// zones.h - Windows' time zones by name
// SPDX-License-Identifier: MIT

#ifndef PMON_MODEL_ZONES_H
#define PMON_MODEL_ZONES_H

#include <pmon/base.h>

// How far ahead of UTC a zone is, in minutes, by the name that Windows has for its standard or daylight
// time, such as "W. Europe Standard Time". With is_cut, name is only the beginning. False if the name is
// unknown, or if zones with different offsets begin so.
bool pmon_zone_offset(struct pmon_span name, bool is_cut, int32_t *offset_min);

#endif
