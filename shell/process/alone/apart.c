// apart.c - run work in this process, where a program cannot fork
// SPDX-License-Identifier: MIT

#include "shell/process/apart.h"

int
apart_run(int (*work)(void *ctx), void *ctx)
{
	return work(ctx);
}
