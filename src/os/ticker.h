// ticker.h - a schedule that does not drift
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_TICKER_H
#define PMON_OS_TICKER_H

#include <pmon/base.h>

// Ticks at start, start + interval, start + 2 * interval ... on the boot clock.
struct pmon_ticker {
	int fd;
	int64_t interval_100ns;
	int64_t due_100ns; // the next tick
	uint64_t missed;   // ticks that passed without a wait
};

// interval_100ns > 0. The first tick is now. PMON_E_IO if the system has no timer.
PMON_NODISCARD enum pmon_status pmon_ticker_open(struct pmon_ticker *ticker, int64_t interval_100ns,
						 struct pmon_err *err);
void pmon_ticker_close(struct pmon_ticker *ticker);

// Wait for the next tick. After PMON_OK, the following tick is due an interval later or, if that has
// passed, at the first future time of the schedule. PMON_END when wake_fd (-1: none) is readable.
PMON_NODISCARD enum pmon_status pmon_ticker_wait(struct pmon_ticker *ticker, int wake_fd,
						 struct pmon_err *err);

#endif
