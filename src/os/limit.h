// limit.h - how many files the process may have open
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_LIMIT_H
#define PMON_OS_LIMIT_H

#include <pmon/base.h>

// How many files may be open at once now.
uint64_t pmon_os_open_files(void);

// Raise the limit of open files to the maximum that the system allows. For a program, at its start:
// it changes the whole process, and the processes that it starts.
void pmon_os_raise_open_files(void);

#endif
