// who.h - what a process of this machine is: its command line, user, unit and limits
// SPDX-License-Identifier: MIT
//
// No counter has these, so they are read from /proc, once, for the few processes that are printed. Other users control
// these texts: print them with out_clean().

#ifndef PMON_SHELL_PROCESS_WHO_H
#define PMON_SHELL_PROCESS_WHO_H

#include <pmon/base.h>

#define WHO_COMMAND 512
#define WHO_USER    64
#define WHO_UNIT    128

struct who {
	char command[WHO_COMMAND]; // arguments separated by blanks; "" for a thread of the kernel
	char user[WHO_USER];       // the name, or the number if it has none
	char unit[WHO_UNIT];       // service, scope or container; "": none
	char state;                // 'R', 'S', 'D' ..., as in ps
	uint64_t memory;           // of its group
	uint64_t memory_limit;     // 0: unknown, or none
};

// Read it below a root folder, NULL for "/". False if there is no such process, or if it has another name than `name`,
// the instance of its counters: the ID belongs to another process by now.
bool who_is(const char *root, int64_t pid, struct pmon_span name, struct who *out);

// Read only its state; '\0' if there is no such process.
char who_state(const char *root, int64_t pid, struct pmon_span name);

// Read only its soft limit of open files; 0: unknown, or unlimited.
uint64_t who_files_limit(const char *root, int64_t pid, struct pmon_span name);

// Sample the newest process for a tenth of a second, and return which process starts most others, or WHO_NOBODY. Only
// processes for which counts() is true are considered.
#define WHO_NOBODY (-1)
int64_t who_starts(const char *root, bool (*counts)(const void *ctx, int64_t pid), const void *ctx);

#endif
