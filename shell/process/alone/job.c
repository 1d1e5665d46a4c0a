// job.c - run a function in a process of its own: unsupported, where a program cannot fork
// SPDX-License-Identifier: MIT

#include "shell/process/job.h"

#include <errno.h>

bool
job_begin(struct job *job, int (*work)(void *ctx), void *ctx)
{
	(void)work, (void)ctx;
	*job = (struct job){.output = -1, .errors = -1};
	errno = ENOSYS;
	return false;
}

struct job_ready
job_wait(const struct job *job, int input, int answers, int stop)
{
	(void)job, (void)answers, (void)stop;
	return (struct job_ready){.input = input >= 0};
}

size_t
job_read(int fd, char *bytes, size_t size)
{
	(void)fd, (void)bytes, (void)size;
	return 0;
}

void
job_errors(const struct job *job, char *text, size_t size)
{
	(void)job, (void)size;
	text[0] = '\0';
}

int
job_end(struct job *job, bool kill_it)
{
	(void)job, (void)kill_it;
	return -1;
}

char *
job_real_path(const char *path)
{
	(void)path;
	errno = ENOSYS;
	return NULL;
}
