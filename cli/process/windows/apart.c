// apart.c - work in a process apart: Windows, which cannot copy a process
// SPDX-License-Identifier: MIT

#include "cli/process/apart.h"

int
apart_run(int (*work)(void *ctx), void *ctx)
{
	return work(ctx);
}
