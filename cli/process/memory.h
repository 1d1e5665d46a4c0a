// memory.h - how much memory a verb may need, and what the command does when memory is short
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_MEMORY_H
#define PMON_CLI_PROCESS_MEMORY_H

#include <pmon/base.h>

#include "cli/args/args.h"

struct args;

// Once at the start. From then on the program ends with a message where a library has no memory and would
// go on with less than it was given: jansson leaves out characters of names and numbers.
void memory_begin(void);

// The same for snappy, which is written in C++. Call it before something is pushed.
void memory_guard_cxx(void);

// Something is missing in the output, for which there was no memory.
void memory_was_short(void);

// At the end: status, or EXIT_FAILED after a message when something is missing.
int memory_check(int status);

// How many bytes the verb keeps for each series of a log at the most. How many series it reads follows from
// it (struct pmon_limits.series_bytes).
size_t memory_of_series(const struct args *args);

#define MEMORY_MOST 2048 // of a series, where neither the verb nor its options say less

// After the message of a failure: what to do if a log has more series than are read. Short memory is noted.
void memory_hint(const struct pmon_err *err);

#endif
