// keys.h - wait for keys of a terminal
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_KEYS_H
#define PMON_SHELL_PROCESS_KEYS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Open the terminal for reading keys; the caller closes it. Standard input may be something else.
// NULL: no terminal.
FILE *keys_open(void);

// The terminal's name in ncurses; NULL: from the environment.
const char *keys_terminal(void);

// Use this descriptor as the terminal; changes of its size (SIGWINCH) are reported only in
// keys_wait().
void keys_begin(int fd);

// Restore signal handling.
void keys_end(void);

// Has the size of the terminal changed since the last call, or since the beginning? Always false if
// ncurses detects changes itself.
bool keys_resized(int *lines, int *columns);

// Wait for a key, until the other descriptor (-1: none) is readable, the size changes, or the
// timeout expires (less than 0: never). False if the terminal was closed.
bool keys_wait(int other, int64_t timeout_100ns);

#endif
