// zone.h - time zones on the command line
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_ZONE_H
#define PMON_SHELL_ARGS_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/zone_rules.h"

// Minutes ahead of UTC of "utc", "Z" or "+01:00"; false if the text is none of them.
bool zone_read_offset(const char *text, int32_t *offset_min);

// A zone of the IANA database by its city: "Berlin" is the end of "Europe/Berlin". NULL: there is none.
const struct pmon_zone *zone_of_city(const char *name);

#endif
