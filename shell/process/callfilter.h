// callfilter.h - restrict the system calls of a process
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_PROCESS_CALLFILTER_H
#define PMON_SHELL_PROCESS_CALLFILTER_H

#include <stdbool.h>

// From then on this process, and every thread and child that it starts, can only make the system
// calls that reading, computing and drawing need. PR_SET_NO_NEW_PRIVS must be set. It cannot be
// undone. Returns false, without a change, if the system or this build has no filter.
bool callfilter_load(void);

#endif
