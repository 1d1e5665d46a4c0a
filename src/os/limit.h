// limit.h - how many files the process may have open
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_LIMIT_H
#define PMON_OS_LIMIT_H

#include <pmon/base.h>

// How many files may be open at once now.
uint64_t pmon_os_open_files(void);

// Let as many be open as the system permits without asking. For a program, at its start: it changes
// the whole process, and what it starts.
void pmon_os_raise_open_files(void);

#endif
