// wellknown.h - English names by title index that are the same on all Windows systems
// SPDX-License-Identifier: MIT

#ifndef PMON_PATH_WELLKNOWN_H
#define PMON_PATH_WELLKNOWN_H

#include <pmon/base.h>

// The name of an object or counter of Windows itself, as 238 "Processor" and 6 "% Processor Time".
// NUL-terminated static text; {NULL, 0} for any other index. Not for other producers of
// title indexes (Samba), which number as they like.
struct pmon_span pmon_wellknown_title(uint32_t index);

#endif
