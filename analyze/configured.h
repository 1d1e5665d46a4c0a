// configured.h - changes of what a machine has: memory, limits, the speed of a link
// SPDX-License-Identifier: MIT

#ifndef PMON_ANALYZE_CONFIGURED_H
#define PMON_ANALYZE_CONFIGURED_H

#include "analyze/tracks.h"

// Add an event for each change of a counter that tells a configuration.
void configured_find(struct tracks *tracks);

#endif
