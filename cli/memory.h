// memory.h - what the command does when memory is short
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_MEMORY_H
#define PMON_CLI_MEMORY_H

// Once at the start. From then on the program ends with a message where a library has no memory and would
// go on with less than it was given: jansson leaves out characters of names and numbers.
void memory_begin(void);

// Something is missing in the output, for which there was no memory.
void memory_was_short(void);

// At the end: status, or EXIT_FAILED after a message when something is missing.
int memory_check(int status);

#endif
