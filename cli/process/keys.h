// keys.h - waiting for the keys of a terminal
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_KEYS_H
#define PMON_CLI_PROCESS_KEYS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// The keys of the terminal, to be read and closed; standard input may be something else. NULL: there is no terminal.
FILE *keys_open(void);

// What ncurses calls the terminal; NULL: as the environment says.
const char *keys_terminal(void);

// From now on this descriptor is the terminal's, and a change of its size (SIGWINCH) is reported only while
// keys_wait() waits.
void keys_begin(int fd);

// Signals are as before.
void keys_end(void);

// Has the terminal another size than at the last call, or at the beginning? Where ncurses sees that by itself, never.
bool keys_resized(int *lines, int *columns);

// Wait until a key is there, the other descriptor (-1: none) is readable, the size has changed or time is up (less than
// 0: never). False when the terminal is gone.
bool keys_wait(int other, int64_t timeout_100ns);

#endif
