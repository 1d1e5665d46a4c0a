// kernel_log.c - the log of the kernel, on Linux
// SPDX-License-Identifier: MIT

// klogctl() is an extension.
#define _DEFAULT_SOURCE

#include "os/kernel_log.h"

#include <sys/klog.h>

#define READ_ALL 3 // SYSLOG_ACTION_READ_ALL: without removing it

size_t
pmon_os_kernel_log(char *buf, size_t size)
{
	int n = size > 1
			? klogctl(READ_ALL, buf, (int)(size - 1 < INT32_MAX ? size - 1 : INT32_MAX))
			: 0;

	if (size > 0)
		buf[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}
