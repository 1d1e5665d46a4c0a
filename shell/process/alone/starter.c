// starter.c - a process that starts others: unsupported, where a program cannot fork
// SPDX-License-Identifier: MIT

#include "shell/process/starter.h"

struct starter *
starter_new(int (*work)(void *ctx, int output), void *ctx)
{
	(void)work, (void)ctx;
	return NULL;
}

int
starter_begin(struct starter *starter, const struct starter_ends *ends)
{
	(void)starter, (void)ends;
	return -1;
}

int
starter_end(struct starter *starter, int number)
{
	(void)starter, (void)number;
	return 0;
}

void
starter_stop(struct starter *starter)
{
	(void)starter;
}

void
starter_free(struct starter *starter)
{
	(void)starter;
}
