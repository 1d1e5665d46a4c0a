// pager.c - show long output in a pager: unsupported, where a program cannot start others
// SPDX-License-Identifier: MIT

#include "shell/process/pager.h"

void
pager_begin(void)
{
}

void
pager_end(void)
{
}
