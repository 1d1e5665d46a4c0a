// keys.c - wait for keys of a terminal
// SPDX-License-Identifier: MIT

#include "shell/process/keys.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/select.h>

#include <pmon/base.h>

// Static, because a program has one terminal.
static struct {
	int fd;
	sigset_t waiting; // signals that are blocked except in keys_wait()
	sigset_t before;
} keys;

FILE *
keys_open(void)
{
	return fopen("/dev/tty", "r");
}

const char *
keys_terminal(void)
{
	return NULL;
}

void
keys_begin(int fd)
{
	sigset_t resize;

	keys.fd = fd;
	sigemptyset(&resize);
	sigaddset(&resize, SIGWINCH);
	sigprocmask(SIG_BLOCK, &resize, &keys.before);
	keys.waiting = keys.before;
	sigdelset(&keys.waiting, SIGWINCH);
}

void
keys_end(void)
{
	sigprocmask(SIG_SETMASK, &keys.before, NULL);
}

bool
keys_resized(int *lines, int *columns)
{
	(void)lines;
	(void)columns;
	return false;
}

bool
keys_wait(int other, int64_t timeout_100ns)
{
	struct timespec timeout = {timeout_100ns / PMON_TIME_PER_SEC,
				   (long)(timeout_100ns % PMON_TIME_PER_SEC) * 100};
	int largest = other > keys.fd ? other : keys.fd;
	unsigned terminal = (unsigned)keys.fd; // musl's macros warn of a sign
	fd_set ready;
	int n_bytes;

	FD_ZERO(&ready);
	FD_SET(terminal, &ready);
	if (other >= 0)
		FD_SET((unsigned)other, &ready);
	if (pselect(largest + 1, &ready, NULL, NULL, timeout_100ns < 0 ? NULL : &timeout,
		    &keys.waiting) <= 0)
		return true; // timeout, or a signal arrived
	// A terminal that was closed is readable but has no keys.
	return !FD_ISSET(terminal, &ready) ||
	       (ioctl(keys.fd, FIONREAD, &n_bytes) == 0 && n_bytes > 0);
}
