// job.c - run a function in a process of its own, while this one stays responsive
// SPDX-License-Identifier: MIT

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // realpath()
#endif

#include "shell/process/job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/fd.h"
#include "shell/process/process.h"

static void
close_pipe(const int ends[2])
{
	pmon_fd_close(ends[0]);
	pmon_fd_close(ends[1]);
}

// In the child: these ends become standard output and error.
static bool
take_ends(int output, int errors)
{
	int null = open("/dev/null", O_RDONLY);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0)
		return false;
	(void)close(null);
	// A process that prints more than a pipe holds must not wait for a reader.
	(void)fcntl(errors, F_SETFL, O_NONBLOCK);
	return dup2(output, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0;
}

static pid_t
start(const int output[2], const int errors[2], int (*work)(void *ctx), void *ctx)
{
	pid_t parent = getpid();
	pid_t child;

	(void)fflush(NULL); // so that the process does not write it again
	child = fork();
	if (child != 0)
		return child;
	process_follow(parent);
	(void)setpgid(0, 0); // with the processes that it starts
	if (!take_ends(output[1], errors[1]))
		_exit(EXIT_FAILURE);
	close_pipe(output);
	close_pipe(errors);
	_exit(work(ctx));
}

bool
job_begin(struct job *job, int (*work)(void *ctx), void *ctx)
{
	int output[2];
	int errors[2];

	*job = (struct job){.output = -1, .errors = -1};
	if (!pmon_fd_pipe(output))
		return false;
	if (!pmon_fd_pipe(errors)) {
		close_pipe(output);
		return false;
	}
	job->process = start(output, errors, work, ctx);
	if (job->process < 0) {
		close_pipe(output);
		close_pipe(errors);
		job->process = 0;
		return false;
	}
	(void)setpgid((pid_t)job->process, (pid_t)job->process); // in case it has not run yet
	(void)close(output[1]);
	(void)close(errors[1]);
	job->output = output[0];
	job->errors = errors[0];
	return true;
}

struct job_ready
job_wait(const struct job *job, int input, int answers, int stop)
{
	struct pollfd ends[4] = {{input, POLLIN, 0},
				 {job->process > 0 ? job->output : -1, POLLIN, 0},
				 {answers, 0, 0},
				 {stop, POLLIN, 0}};

	while (poll(ends, 4, -1) < 0)
		if (errno != EINTR)
			return (struct job_ready){.gone = true};
	return (struct job_ready){.input = ends[0].revents != 0,
				  .output = ends[1].revents != 0,
				  .gone = (ends[2].revents | ends[3].revents) != 0};
}

size_t
job_read(int fd, char *bytes, size_t size)
{
	ssize_t n;

	do
		n = read(fd, bytes, size);
	while (n < 0 && errno == EINTR);
	return n > 0 ? (size_t)n : 0;
}

// Its own children may still hold the other end, so do not wait for more.
void
job_errors(const struct job *job, char *text, size_t size)
{
	size_t len = 0;
	size_t n;

	(void)fcntl(job->errors, F_SETFL, O_NONBLOCK);
	while (len < size - 1 && (n = job_read(job->errors, text + len, size - 1 - len)) > 0)
		len += n;
	text[len] = '\0';
}

int
job_end(struct job *job, bool kill_it)
{
	int status = 0;
	pid_t ended;

	if (job->process <= 0)
		return -1;
	(void)close(job->output);
	(void)close(job->errors);
	if (kill_it)
		(void)kill(-(pid_t)job->process, SIGKILL);
	do
		ended = waitpid((pid_t)job->process, &status, 0);
	while (ended < 0 && errno == EINTR);
	*job = (struct job){.output = -1, .errors = -1};
	return ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

char *
job_real_path(const char *path)
{
	return realpath(path, NULL);
}
