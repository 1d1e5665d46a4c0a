// signals.c - make signals something to wait for
// SPDX-License-Identifier: MIT

#include "shell/process/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "os/term.h"

// Static, because a program has one set of signals: handlers write the number of the signal to a
// pipe.
static int ends[2] = {-1, -1};
static bool had_terminal; // which sends SIGHUP when it is closed

// ---- Files to remove ------------------------------------------------------------------------

#define PATH_BYTES 4224 // of the longest path, plus the suffix of a temporary name

static char temporary[PATH_BYTES];
static volatile sig_atomic_t has_temporary;

#define WORKS 2 // of the pager, and of the door

static void (*volatile at_end[WORKS])(void);

void
signals_remove_temporary(void)
{
	if (has_temporary)
		(void)unlink(temporary);
}

// End the program as the signal would have.
static void
on_end(int number)
{
	signals_remove_temporary();
	for (size_t i = WORKS; i-- > 0;)
		if (at_end[i] != NULL)
			at_end[i]();
	(void)signal(number, SIG_DFL);
	if (raise(number) != 0) // a child of a sandboxed process cannot
		_exit(128 + number);
}

static void
end_by(int number)
{
	struct sigaction action = {.sa_handler = on_end};

	(void)sigaction(number, &action, NULL);
}

static void
catch_ends(void)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
	struct sigaction before;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			end_by(numbers[i]);
}

void
signals_at_end(void (*work)(void))
{
	size_t i = 0;

	while (i < WORKS - 1 && at_end[i] != NULL)
		i++;
	at_end[i] = work;
	catch_ends();
}

void
signals_temporary(void *ctx, const char *path)
{
	(void)ctx;
	has_temporary = 0;
	if (path == NULL || strlen(path) >= sizeof(temporary))
		return;
	strcpy(temporary, path);
	has_temporary = 1;
	catch_ends();
}

void
signals_begin(void)
{
	(void)signal(SIGXFSZ, SIG_IGN);
}

// ---- Signals to wait for --------------------------------------------------------------------

// A second interrupt ends the program at once, if the first one has not.
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

	// Signals that were ignored, as by nohup, stay ignored.
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
	if (fd < 0)
		for (;;)
			pause();
	(void)signals_wait(fd, false);
}

// ---- Enter ----------------------------------------------------------------------------------

#define SHELL_MS                                                                                   \
	1000 // how often a background program checks whether it has the terminal's keys again

// Reading keys that belong to another program would stop this one.
static bool
has_keys(void)
{
	return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

enum keys {
	KEYS_NONE,
	KEYS_ENTER,
	KEYS_GONE
};

static enum keys
take_keys(const struct pollfd *terminal)
{
	char bytes[256];
	ssize_t n;

	if (terminal->revents == 0 || !has_keys())
		return KEYS_NONE;
	n = read(STDIN_FILENO, bytes, sizeof(bytes));
	if (n > 0)
		return memchr(bytes, '\n', (size_t)n) != NULL ? KEYS_ENTER : KEYS_NONE;
	return (terminal->revents & POLLHUP) != 0 || n < 0 ? KEYS_GONE : KEYS_NONE;
}

bool
signals_wait(int fd, bool with_enter)
{
	struct pollfd list[2] = {{.fd = fd, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
	enum keys keys = with_enter ? KEYS_NONE : KEYS_GONE;

	while (!signals_take().end) {
		bool is_ours = keys != KEYS_GONE && has_keys();

		list[1].fd = is_ours ? STDIN_FILENO : -1;
		list[1].revents = 0;
		if (poll(list, 2, is_ours || keys == KEYS_GONE ? -1 : SHELL_MS) < 0 &&
		    errno != EINTR)
			return true;
		if (is_ours)
			keys = take_keys(&list[1]);
		if (keys == KEYS_ENTER)
			return false;
	}
	return true;
}
