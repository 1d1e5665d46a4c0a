// limit.c - the limit of open files, on Windows
// SPDX-License-Identifier: MIT

#include "os/limit.h"

#define DESCRIPTORS 2048 // of the C library; Windows itself has none

uint64_t
pmon_os_open_files(void)
{
	return DESCRIPTORS;
}

void
pmon_os_raise_open_files(void)
{
}
