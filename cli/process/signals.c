// signals.c - signals as something to wait for
// SPDX-License-Identifier: MIT

#include "cli/process/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "os/term.h"

// The one set of signals that a program has: handlers write the number of the signal into a pipe.
static int ends[2] = {-1, -1};
static bool had_terminal; // which sends SIGHUP when it is closed

// ---- Files to remove ------------------------------------------------------------------------

#define PATH_BYTES 4224 // of the longest path, and what makes its name a temporary one

static char temporary[PATH_BYTES];
static volatile sig_atomic_t has_temporary;

void
signals_remove_temporary(void)
{
	if (has_temporary)
		(void)unlink(temporary);
}

// The program ends as it would have without this.
static void
on_end(int number)
{
	signals_remove_temporary();
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

static void
end_by(int number)
{
	struct sigaction action = {.sa_handler = on_end};

	(void)sigaction(number, &action, NULL);
}

void
signals_temporary(void *ctx, const char *path)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
	struct sigaction before;

	(void)ctx;
	has_temporary = 0;
	if (path == NULL || strlen(path) >= sizeof(temporary))
		return;
	strcpy(temporary, path);
	has_temporary = 1;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			end_by(numbers[i]);
}

void
signals_begin(void)
{
	(void)signal(SIGXFSZ, SIG_IGN);
}

// ---- Signals to wait for --------------------------------------------------------------------

// A second interrupt ends the program at once, when the first one has not.
static void
on_signal(int number)
{
	unsigned char byte = (unsigned char)number;
	int kept = errno;
	ssize_t written = write(ends[1], &byte, 1); // a full pipe holds enough signals

	(void)written;
	if (number != SIGHUP)
		end_by(number);
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

static void
catch_one(int number)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	struct sigaction before;

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
	catch_one(SIGINT);
	catch_one(SIGTERM);
	catch_one(SIGHUP);
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
