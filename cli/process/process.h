// process.h - the beginning and the end of the command
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_PROCESS_H
#define PMON_CLI_PROCESS_PROCESS_H

#include <stdint.h>

// Before all else: descriptors, signals, memory. Returns the words of the command line in UTF-8, n of them.
char **process_begin(int *n, char **words);

// Standard output is complete, or a message says why not. Returns the exit status, which may be another one then.
int process_end(int status);

// The ID of this process.
int64_t process_id(void);

// In a child: end with the parent, which alone decides what Ctrl-C and other signals of a terminal mean.
void process_follow(int64_t parent);

#endif
