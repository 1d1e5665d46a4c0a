// lives.h - processes of one name that follow each other
// SPDX-License-Identifier: MIT
//
// A service that crashes is started again at once, a worker is recycled: the next process of its name starts where the
// last one ended. What a schedule starts has pauses in between, and is no loop.

#ifndef PMON_ANALYZE_LIVES_H
#define PMON_ANALYZE_LIVES_H

#include "analyze/shifts.h"
#include "analyze/tracks.h"

// Find processes that restart in a loop, and those that leak although they are recycled. False when memory is short, or
// if a call of `add` returned false.
bool lives_find(const struct tracks *tracks,
		bool (*add)(void *ctx, const struct track *track, const struct shift *shift),
		void *ctx);

#endif
