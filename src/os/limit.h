// limit.h - the limit of open files
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_LIMIT_H
#define PMON_OS_LIMIT_H

#include <pmon/base.h>

uint64_t pmon_os_open_files(void);

// Raise the limit of open files to the maximum that the system allows. Call this at program start: it
// affects the whole process and its children.
void pmon_os_raise_open_files(void);

#endif
