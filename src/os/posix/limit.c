// limit.c - the limit of open files on POSIX systems
// SPDX-License-Identifier: MIT

#include "os/limit.h"

#include <sys/resource.h>

uint64_t
pmon_os_open_files(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (uint64_t)limit.rlim_cur : 0;
}

void
pmon_os_raise_open_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit); // a failure only makes pmon slower
}
