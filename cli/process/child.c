// child.c - a process that reads a log, and the pipe through which it sends what it finds
// SPDX-License-Identifier: MIT

#include "cli/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/output/say.h"
#include "cli/process/process.h"
#include "os/term.h"

#define WAIT_100NS  (10 * PMON_TIME_PER_MSEC) // between two looks at a process that ends
#define WAITS       100                       // so often, then it is killed
#define DESCRIPTORS 1024                      // that a program has opened by then

// ---- In the program -------------------------------------------------------------------------

// Descriptor 0 of ends is to read from, 1 to write to.
static bool
open_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return true;
}

static void
close_pipe(const int ends[2])
{
	(void)close(ends[0]);
	(void)close(ends[1]);
}

int
child_begin(struct child *child, int (*work)(void *ctx, int output), void *ctx)
{
	pid_t parent = getpid();
	int ends[2];

	*child = (struct child){.fd = -1};
	if (!open_pipe(ends))
		return say(EXIT_FAILED, "cannot make a pipe: %s", strerror(errno));
	(void)fflush(stdout);
	child->process = fork();
	if (child->process == 0) {
		process_follow(parent);
		_exit(work(ctx, ends[1]));
	}
	(void)close(ends[1]);
	child->fd = ends[0];
	if (child->process > 0)
		return EXIT_DONE;
	(void)close(ends[0]);
	return say(EXIT_FAILED, "cannot start a process that reads the log: %s", strerror(errno));
}

enum pmon_status
child_begin_apart(struct child *child, struct starter *starter, int input, int *said,
		  struct pmon_err *err)
{
	int results[2];
	int words[2];

	if (!open_pipe(results))
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot make a pipe");
	if (!open_pipe(words)) {
		close_pipe(results);
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot make a pipe");
	}
	// A process that says more than a pipe holds must not wait for a reader.
	(void)fcntl(words[1], F_SETFL, O_NONBLOCK);
	*child = (struct child){.starter = starter, .fd = results[0]};
	child->number = starter_begin(starter, &(struct starter_ends){input, results[1], words[1]});
	child->process = child->number;
	*said = words[0];
	if (child->number < 0) {
		close_pipe(results);
		close_pipe(words);
		return pmon_err_set(err, PMON_E_IO, 0, "cannot start a process that reads the log");
	}
	(void)close(results[1]);
	(void)close(words[1]);
	return PMON_OK;
}

// What a process that was ended before leaves to be known is nothing.
static void
end_started(struct child *child)
{
	if (child->process > 0)
		child->status = starter_end(child->starter, child->number);
	child->process = 0;
}

// A process that has closed its end of the pipe ends soon.
static void
wait_for_end(struct child *child)
{
	if (child->starter != NULL)
		end_started(child);
	for (int i = 0; i < WAITS && child->process > 0; i++) {
		pid_t ended = waitpid((pid_t)child->process, &child->status, WNOHANG);

		if (ended == child->process || (ended < 0 && errno != EINTR))
			child->process = 0;
		else
			pmon_os_sleep(WAIT_100NS);
	}
}

static enum pmon_status
say_death(const struct child *child, struct pmon_err *err)
{
	int number = WIFSIGNALED(child->status) ? WTERMSIG(child->status) : 0;

	if (child->process > 0)
		return pmon_err_set(err, PMON_E_IO, 0,
				    "the process that reads the log sent nothing");
	if (number == SIGKILL)
		return pmon_err_set(
			err, PMON_E_IO, 0,
			"the process that reads the log was killed; memory may be short");
	if (number != 0)
		return pmon_err_set(err, PMON_E_IO, 0,
				    "the process that reads the log crashed: signal %d", number);
	return pmon_err_set(err, PMON_E_IO, 0,
			    "the process that reads the log ended too early: exit status %d",
			    WEXITSTATUS(child->status));
}

// As read(), but a signal does not end it.
static ssize_t
read_some(int fd, void *bytes, size_t size)
{
	ssize_t n;

	do
		n = read(fd, bytes, size);
	while (n < 0 && errno == EINTR);
	return n;
}

enum pmon_status
child_read(struct child *child, uint8_t *bytes, size_t size, size_t *got, struct pmon_err *err)
{
	ssize_t n = read_some(child->fd, bytes, size);

	*got = n > 0 ? (size_t)n : 0;
	if (n > 0)
		return PMON_OK;
	wait_for_end(child);
	return say_death(child, err);
}

void
child_said(int said, char *text, size_t size)
{
	ssize_t n = read_some(said, text, size - 1);

	text[n > 0 ? n : 0] = '\0';
}

void
child_end(struct child *child)
{
	(void)close(child->fd);
	if (child->starter != NULL)
		end_started(child);
	if (child->process <= 0)
		return;
	(void)kill((pid_t)child->process, SIGKILL);
	while (waitpid((pid_t)child->process, &child->status, 0) < 0 && errno == EINTR)
		;
	child->process = 0;
}

int
child_exit_status(const struct child *child)
{
	return WIFEXITED(child->status) ? WEXITSTATUS(child->status) : 0;
}

void
child_leave_input(void)
{
	int null = open("/dev/null", O_RDONLY);

	if (null < 0)
		return;
	(void)dup2(null, STDIN_FILENO);
	(void)close(null);
}

// ---- In the process -------------------------------------------------------------------------

void
child_close_others(int output)
{
	for (int other = STDERR_FILENO + 1; other < DESCRIPTORS; other++) {
		int flags = other != output ? fcntl(other, F_GETFD) : -1;

		if (flags >= 0 && (flags & FD_CLOEXEC) != 0)
			(void)close(other);
	}
}

void
child_send(int output, const uint8_t *bytes, size_t n_bytes)
{
	for (size_t at = 0; at < n_bytes;) {
		ssize_t n = write(output, bytes + at, n_bytes - at);

		if (n < 0 && errno == EPIPE)
			_exit(EXIT_FAILED); // nobody reads any more
		if (n < 0 && errno != EINTR)
			_exit(say(EXIT_FAILED, "cannot send what was read: %s", strerror(errno)));
		at += n > 0 ? (size_t)n : 0;
	}
}

void
child_exit(int status)
{
	_exit(status);
}
