// kernel_log.h - the log of the kernel
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_KERNEL_LOG_H
#define PMON_OS_KERNEL_LOG_H

#include <pmon/base.h>

// Read its newest part, as lines "<4>[ 3216.581972] text" with the seconds since boot without suspend, and a NUL. The
// number of bytes; 0 if there is none, or if it may not be read.
size_t pmon_os_kernel_log(char *buf, size_t size);

#endif
