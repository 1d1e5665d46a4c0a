// door.h - open files through the keeper, for a sandboxed process
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_DOOR_H
#define PMON_SHELL_PROCESS_DOOR_H

#include "os/door.h"

struct keeper_outputs;
struct words;

// Start the process that opens files for this one. From then on, SQLite uses it too. Returns an
// exit status.
int door_open_by_keeper(const struct words *inputs, const struct keeper_outputs *outputs);

// For the options of functions that open files. NULL: this process opens files itself.
const struct pmon_door *door_get(void);

// End that process, which removes an unfinished output, and wait for it. May be called from a
// signal handler.
void door_close(void);

#endif
