// signals.c - signals as something to wait for
// SPDX-License-Identifier: MIT

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "os/term.h"

// The one set of signals that a program has: handlers write the number of the signal into a pipe.
static int ends[2] = {-1, -1};
static bool had_terminal; // which sends SIGHUP when it is closed

static void
on_signal(int number)
{
	unsigned char byte = (unsigned char)number;
	int kept = errno;
	ssize_t written = write(ends[1], &byte, 1); // a full pipe holds enough signals

	(void)written;
	errno = kept;
}

static bool
open_pipe(void)
{
	if (pipe(ends) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		(void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
		(void)fcntl(ends[i], F_SETFL, O_NONBLOCK);
	}
	return true;
}

// A second interrupt ends the program at once, when the first one has not.
static void
catch_one(int number, bool once)
{
	struct sigaction action = {.sa_handler = on_signal};
	struct sigaction before;

	action.sa_flags = SA_RESTART | (once ? (int)SA_RESETHAND : 0);
	// What was ignored, as by nohup, stays ignored.
	if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		(void)sigaction(number, &action, NULL);
}

int
signals_catch(void)
{
	if (ends[0] >= 0)
		return ends[0];
	if (!open_pipe())
		return -1;
	had_terminal = pmon_term_is_there();
	catch_one(SIGINT, true);
	catch_one(SIGTERM, true);
	catch_one(SIGHUP, false);
	(void)signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is told like a full disk
	return ends[0];
}

struct signals
signals_take(void)
{
	struct signals got = {.end = false};
	unsigned char byte;

	while (ends[0] >= 0 && read(ends[0], &byte, 1) == 1) {
		if (byte == SIGHUP && (!had_terminal || pmon_term_is_there()))
			got.rotate = true;
		else
			got.end = true;
	}
	return got;
}

void
signals_wait_for_end(int fd)
{
	struct pollfd there = {.fd = fd, .events = POLLIN};

	if (fd < 0)
		for (;;)
			pause();
	while (!signals_take().end)
		if (poll(&there, 1, -1) < 0 && errno != EINTR)
			return;
}
