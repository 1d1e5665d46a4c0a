// suggest.h - suggestions for a mistyped word
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_ARGS_SUGGEST_H
#define PMON_SHELL_ARGS_SUGGEST_H

#include <pmon/pmon.h>

// The edit distance of two texts: insertions, deletions, changes and swaps, ignoring case.
size_t suggest_distance(struct pmon_span a, struct pmon_span b);

#endif
