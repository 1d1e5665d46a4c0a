// wellknown.h - English names by title index that are the same on all Windows systems
// SPDX-License-Identifier: MIT

#ifndef PMON_PATH_WELLKNOWN_H
#define PMON_PATH_WELLKNOWN_H

#include <pmon/base.h>

// The name of one of Windows' own objects or counters, such as 238 "Processor" and 6 "% Processor
// Time". NUL-terminated static text; {NULL, 0} for any other index. Not for other programs that use
// title indexes (Samba), which number differently.
struct pmon_span pmon_wellknown_title(uint32_t index);

#endif
