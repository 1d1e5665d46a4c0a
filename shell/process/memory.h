// memory.h - memory limits of verbs, and handling of memory exhaustion
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_MEMORY_H
#define PMON_SHELL_PROCESS_MEMORY_H

#include <pmon/base.h>

// Call once at the start. From then on, the program exits with a message if a library runs out of memory and
// would continue with truncated data: jansson drops characters of names and numbers.
void memory_begin(void);

// The same for snappy, which is written in C++. Call it before pushing data.
void memory_guard_cxx(void);

// Record that the output is incomplete because memory ran out.
void memory_was_short(void);

// Call at the end. Returns status, or EXIT_FAILED after a message if the output is incomplete.
int memory_check(int status);

#define MEMORY_MOST 2048 // per series, unless the verb or its options set less

// After the message of a failure: what to do if a log has more series than are read. Memory
// exhaustion is recorded.
void memory_hint(const struct pmon_err *err);

#endif
