// shifts.h - what changed in a log by itself: the shifts of all counters
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_CHANGES_SHIFTS_H
#define PMON_VERBS_CHANGES_SHIFTS_H

#include "shell/args/args.h"

// List them, the strongest first. Returns an exit status.
int changes_shifts(const struct args *args);

#endif
