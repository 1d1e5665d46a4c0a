// ticker.c - a schedule that does not drift, on Windows
// SPDX-License-Identifier: MIT

#include "os/ticker.h"

#include <windows.h>

#include "os/clock.h"

#define LONGEST_100NS (INT64_MAX / 4)          // 7,300 years: a tick after it still fits the clock
#define LOOK_100NS    (PMON_TIME_PER_SEC / 10) // how long a wait may take to notice its wakeup

enum pmon_status
pmon_ticker_open(struct pmon_ticker *ticker, int64_t interval_100ns, struct pmon_err *err)
{
	(void)err;
	*ticker = (struct pmon_ticker){.fd = -1, .interval_100ns = interval_100ns};
	if (ticker->interval_100ns > LONGEST_100NS)
		ticker->interval_100ns = LONGEST_100NS;
	ticker->due_100ns = pmon_os_monotonic_100ns();
	return PMON_OK;
}

void
pmon_ticker_close(struct pmon_ticker *ticker)
{
	ticker->fd = -1;
}

enum pmon_status
pmon_ticker_wait(struct pmon_ticker *ticker, int wake_fd, struct pmon_err *err)
{
	int64_t now = pmon_os_monotonic_100ns();
	int64_t passed;

	(void)err;
	while (now < ticker->due_100ns) {
		int64_t left = ticker->due_100ns - now;

		if (pmon_win_is_readable(wake_fd))
			return PMON_END;
		pmon_os_sleep(left < LOOK_100NS ? left : LOOK_100NS);
		now = pmon_os_monotonic_100ns();
	}
	passed = (now - ticker->due_100ns) / ticker->interval_100ns;
	ticker->missed += (uint64_t)passed;
	ticker->due_100ns += (passed + 1) * ticker->interval_100ns;
	return PMON_OK;
}
