// absent.h - objects that had no values for a while
// SPDX-License-Identifier: MIT

#ifndef PMON_ANALYZE_ABSENT_H
#define PMON_ANALYZE_ABSENT_H

#include "analyze/tracks.h"

// Add an event for each provider all of whose counters had no values in the same samples, and had some before and
// after. False when memory is short.
bool absent_find(struct tracks *tracks);

#endif
