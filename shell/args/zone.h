// zone.h - time zones on the command line
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_ZONE_H
#define PMON_SHELL_ARGS_ZONE_H

#include <stdbool.h>
#include <stdint.h>

// Minutes ahead of UTC of "utc", "Z" or "+01:00"; false if the text is none of them.
bool zone_read_offset(const char *text, int32_t *offset_min);

#endif
