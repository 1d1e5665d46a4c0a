// process.h - start and end of the command
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_PROCESS_H
#define PMON_SHELL_PROCESS_PROCESS_H

#include <stdint.h>

// Call it before anything else: sets up descriptors, signals and memory. Returns the n words of the
// command line in UTF-8.
char **process_begin(int *n, char **words);

// Complete standard output, or print a message if that fails. Returns the exit status, which may
// change.
int process_end(int status);

int64_t process_id(void);

// In a child: end with the parent, and leave Ctrl-C and other terminal signals to it.
void process_follow(int64_t parent);

#endif
