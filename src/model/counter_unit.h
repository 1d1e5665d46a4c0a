// counter_unit.h - the units of displayed values, by English counter name
// SPDX-License-Identifier: MIT

#ifndef PMON_MODEL_COUNTER_UNIT_H
#define PMON_MODEL_COUNTER_UNIT_H

#include <pmon/path.h>

// The unit that a counter's names imply: "ms", "KB"; NULL if none. If *whole is set, it is a unit
// of time and applies to the value, whatever the type; otherwise it is the unit of what is counted,
// so a counter of a rate type is in that unit per second.
const char *pmon_counter_unit(const struct pmon_path *path, bool *whole);

bool pmon_unit_is_time(const char *unit);

// The unit of so many a second: "ms/s". NULL: it is not the unit of an amount.
const char *pmon_unit_per_second(const char *unit);

#endif
