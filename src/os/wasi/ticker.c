// ticker.c - a schedule that does not drift, by sleeping
// SPDX-License-Identifier: MIT

#include "os/ticker.h"

#include "os/clock.h"

enum pmon_status
pmon_ticker_open(struct pmon_ticker *ticker, int64_t interval_100ns, struct pmon_err *err)
{
	(void)err;
	*ticker = (struct pmon_ticker){.fd = -1, .interval_100ns = interval_100ns};
	ticker->due_100ns = pmon_os_clocks().boot_100ns;
	return PMON_OK;
}

void
pmon_ticker_close(struct pmon_ticker *ticker)
{
	(void)ticker;
}

// Nothing but the end of the program interrupts the sleep.
enum pmon_status
pmon_ticker_wait(struct pmon_ticker *ticker, int wake_fd, struct pmon_err *err)
{
	int64_t now, passed;

	(void)wake_fd, (void)err;
	while ((now = pmon_os_clocks().boot_100ns) < ticker->due_100ns)
		pmon_os_sleep(ticker->due_100ns - now);
	passed = (now - ticker->due_100ns) / ticker->interval_100ns;
	ticker->missed += (uint64_t)passed;
	ticker->due_100ns += (passed + 1) * ticker->interval_100ns;
	return PMON_OK;
}
