// limit.c - the limit of open files: WASI has none
// SPDX-License-Identifier: MIT

#include "os/limit.h"

uint64_t
pmon_os_open_files(void)
{
	return 0;
}

void
pmon_os_raise_open_files(void)
{
}
