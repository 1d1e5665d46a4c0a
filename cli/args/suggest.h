// suggest.h - suggestions for a mistyped word
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_ARGS_SUGGEST_H
#define PMON_CLI_ARGS_SUGGEST_H

#include <pmon/pmon.h>

// How unlike two texts are: insertions, deletions, changes and swaps, without regard to case.
size_t suggest_distance(struct pmon_span a, struct pmon_span b);

#endif
