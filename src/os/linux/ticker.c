// ticker.c - a schedule that does not drift, on Linux
// SPDX-License-Identifier: MIT

#include "os/ticker.h"

#include <errno.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "os/clock.h"

#define LONGEST_100NS (INT64_MAX / 4) // 7,300 years: a tick after it still fits the clock

enum pmon_status
pmon_ticker_open(struct pmon_ticker *ticker, int64_t interval_100ns, struct pmon_err *err)
{
	*ticker = (struct pmon_ticker){.interval_100ns = interval_100ns};
	if (ticker->interval_100ns > LONGEST_100NS)
		ticker->interval_100ns = LONGEST_100NS;
	ticker->due_100ns = pmon_os_clocks().boot_100ns;
	ticker->fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (ticker->fd < 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot create a timer");
	return PMON_OK;
}

void
pmon_ticker_close(struct pmon_ticker *ticker)
{
	if (ticker->interval_100ns > 0 && ticker->fd >= 0)
		close(ticker->fd);
	ticker->fd = -1;
}

// The tick is due: advance to the first one in the future.
static void
advance(struct pmon_ticker *ticker, int64_t now)
{
	int64_t passed = (now - ticker->due_100ns) / ticker->interval_100ns;

	ticker->missed += (uint64_t)passed;
	ticker->due_100ns += (passed + 1) * ticker->interval_100ns;
}

static enum pmon_status
arm(struct pmon_ticker *ticker, struct pmon_err *err)
{
	struct itimerspec when = {.it_interval = {0}};

	when.it_value.tv_sec = (time_t)(ticker->due_100ns / PMON_TIME_PER_SEC);
	when.it_value.tv_nsec = (long)(ticker->due_100ns % PMON_TIME_PER_SEC * 100);
	if (timerfd_settime(ticker->fd, TFD_TIMER_ABSTIME, &when, NULL) != 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot set the timer");
	return PMON_OK;
}

enum pmon_status
pmon_ticker_wait(struct pmon_ticker *ticker, int wake_fd, struct pmon_err *err)
{
	struct pollfd fds[2] = {{.fd = ticker->fd, .events = POLLIN},
				{.fd = wake_fd, .events = POLLIN}};
	int64_t now = pmon_os_clocks().boot_100ns;
	enum pmon_status status;

	while (now < ticker->due_100ns) {
		status = arm(ticker, err);
		if (status != PMON_OK)
			return status;
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return pmon_err_sys(err, PMON_E_IO, errno, "cannot wait");
		if (fds[1].revents != 0)
			return PMON_END;
		now = pmon_os_clocks().boot_100ns;
	}
	advance(ticker, now);
	return PMON_OK;
}
