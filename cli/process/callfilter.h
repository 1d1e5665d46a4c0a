// callfilter.h - the system calls that a process may still make
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_PROCESS_CALLFILTER_H
#define PMON_CLI_PROCESS_CALLFILTER_H

// From then on this process, and every thread and child that it starts, makes only the system calls that
// reading, computing and drawing need. PR_SET_NO_NEW_PRIVS must be set. It cannot be undone. Where the system
// or this build has no filter, nothing changes.
void callfilter_load(void);

#endif
