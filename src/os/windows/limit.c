// limit.c - how many files the process may have open, on Windows
// SPDX-License-Identifier: MIT

#include "os/limit.h"

#define DESCRIPTORS 2048 // of the C library; Windows itself has no limit

uint64_t
pmon_os_open_files(void)
{
	return DESCRIPTORS;
}

void
pmon_os_raise_open_files(void)
{
}
