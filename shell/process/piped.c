// piped.c - a user's command whose standard output is read while it runs
// SPDX-License-Identifier: MIT

#include "shell/process/piped.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmon/base.h>

#include "os/clock.h"
#include "os/fd.h"

#define WAIT_100NS (10 * PMON_TIME_PER_MSEC) // between two checks whether it has ended
#define WAITS      500                       // of these, before it is killed

bool
piped_begin(struct piped *piped, const char *command)
{
	int ends[2];
	int error;

	*piped = (struct piped){.fd = -1};
	if (!pmon_fd_pipe(ends))
		return false;
	error = program_start(command, NULL, ends[1], &piped->process);
	(void)close(ends[1]);
	if (error != 0) {
		(void)close(ends[0]);
		errno = error;
		return false;
	}
	piped->fd = ends[0];
	return true;
}

static int
left_ms(int64_t until_100ns)
{
	int64_t left = (until_100ns - pmon_os_monotonic_100ns()) / PMON_TIME_PER_MSEC + 1;

	if (until_100ns == 0)
		return -1;
	return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

enum piped_event
piped_read(const struct piped *piped, int signals, int64_t until_100ns, void *buf, size_t size,
	   size_t *got)
{
	*got = 0;
	for (;;) {
		struct pollfd ends[2] = {{piped->fd, POLLIN, 0}, {signals, POLLIN, 0}};
		int n = poll(ends, 2, left_ms(until_100ns));
		ssize_t bytes;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return PIPED_END;
		if (n == 0)
			return PIPED_LATE;
		if (ends[1].revents != 0)
			return PIPED_SIGNAL;
		bytes = read(piped->fd, buf, size);
		if (bytes < 0 && errno == EINTR)
			continue;
		*got = bytes > 0 ? (size_t)bytes : 0;
		return bytes > 0 ? PIPED_BYTES : PIPED_END;
	}
}

void
piped_stop(struct piped *piped)
{
	piped->is_stopped = true;
	(void)kill(-(pid_t)piped->process, SIGTERM);
}

bool
piped_end(struct piped *piped, char why[PROGRAM_WHY])
{
	pid_t child = (pid_t)piped->process;
	pid_t ended = 0;
	int status = 0;

	if (piped->process == 0)
		return true;
	(void)close(piped->fd);
	for (int i = 0; i < WAITS && ended == 0; i++) {
		ended = waitpid(child, &status, WNOHANG);
		if (ended == 0)
			pmon_os_sleep(WAIT_100NS);
	}
	// Programs that it left behind end too.
	(void)kill(-child, ended == 0 ? SIGKILL : SIGTERM);
	piped->is_stopped |= ended == 0;
	while (ended == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	piped->process = 0;
	return piped->is_stopped || program_judge(status, why);
}
