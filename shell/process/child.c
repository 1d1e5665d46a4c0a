// child.c - a process that reads a log, and the pipe for its results
// SPDX-License-Identifier: MIT

#include "shell/process/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "os/clock.h"
#include "os/fd.h"
#include "shell/output/say.h"
#include "shell/process/process.h"

#define WAIT_100NS  (10 * PMON_TIME_PER_MSEC) // between two checks whether a process has ended
#define WAITS       100                       // number of checks before it is killed
#define DESCRIPTORS 1024                      // number that are checked where none are listed

// ---- In the program -------------------------------------------------------------------------

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
	if (!pmon_fd_pipe(ends))
		return say(EXIT_FAILED, "cannot create a pipe: %s", strerror(errno));
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
	return say(EXIT_FAILED, "cannot start the process that reads the log: %s", strerror(errno));
}

enum pmon_status
child_begin_apart(struct child *child, struct starter *starter, int input, int *said,
		  struct pmon_err *err)
{
	int results[2];
	int words[2];

	if (!pmon_fd_pipe(results))
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot create a pipe");
	if (!pmon_fd_pipe(words)) {
		close_pipe(results);
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot create a pipe");
	}
	// A process that prints more than a pipe holds must not wait for a reader.
	(void)fcntl(words[1], F_SETFL, O_NONBLOCK);
	*child = (struct child){.starter = starter, .fd = results[0]};
	child->number = starter_begin(starter, &(struct starter_ends){input, results[1], words[1]});
	child->process = child->number;
	*said = words[0];
	if (child->number < 0) {
		close_pipe(results);
		close_pipe(words);
		return pmon_err_set(err, PMON_E_IO, 0,
				    "cannot start the process that reads the log");
	}
	(void)close(results[1]);
	(void)close(words[1]);
	return PMON_OK;
}

// Ignore the result of a process that was ended early.
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
			"the process that reads the log was killed, possibly for lack of memory");
	if (number != 0)
		return pmon_err_set(err, PMON_E_IO, 0,
				    "the process that reads the log crashed with signal %d",
				    number);
	return pmon_err_set(err, PMON_E_IO, 0,
			    "the process that reads the log exited early with status %d",
			    WEXITSTATUS(child->status));
}

// Like read(), but restarts after a signal.
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

// Close a descriptor if the program was, or was not, started with it.
static void
close_if(int fd, bool is_inherited)
{
	int flags = fd > STDERR_FILENO ? fcntl(fd, F_GETFD) : -1;

	if (flags >= 0 && is_inherited == ((flags & FD_CLOEXEC) == 0))
		(void)close(fd);
}

static void
close_all_but(int kept, bool is_inherited)
{
	DIR *listed = opendir("/proc/self/fd");
	const struct dirent *entry;

	for (int fd = 0; listed == NULL && fd < DESCRIPTORS; fd++)
		if (fd != kept)
			close_if(fd, is_inherited);
	while (listed != NULL && (entry = readdir(listed)) != NULL) {
		int fd = atoi(entry->d_name);

		if (fd != kept && fd != dirfd(listed))
			close_if(fd, is_inherited);
	}
	if (listed != NULL)
		(void)closedir(listed);
}

void
child_close_others(int output)
{
	close_all_but(output, false);
}

void
child_close_inherited(void)
{
	close_all_but(-1, true);
}

void
child_send(int output, const uint8_t *bytes, size_t n_bytes)
{
	for (size_t at = 0; at < n_bytes;) {
		ssize_t n = write(output, bytes + at, n_bytes - at);

		if (n < 0 && errno == EPIPE)
			_exit(EXIT_FAILED); // the reader has closed the pipe
		if (n < 0 && errno != EINTR)
			_exit(say(EXIT_FAILED, "cannot pass on the data of the log: %s",
				  strerror(errno)));
		at += n > 0 ? (size_t)n : 0;
	}
}

void
child_exit(int status)
{
	_exit(status);
}
