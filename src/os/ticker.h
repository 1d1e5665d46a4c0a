// ticker.h - a schedule that does not drift
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_TICKER_H
#define PMON_OS_TICKER_H

#include <pmon/base.h>

// The two clocks of a moment.
struct pmon_clocks {
	pmon_time wall;     // what time it is: may be set, forward and back
	int64_t boot_100ns; // since the system was started, sleep included: only ever goes forward
};

struct pmon_clocks pmon_os_clocks(void);

// Ticks at start, start + interval, start + 2 * interval ... on the boot clock.
struct pmon_ticker {
	int fd;
	int64_t interval_100ns;
	int64_t due_100ns; // the next tick
	uint64_t missed;   // ticks that had passed before anyone waited for them
};

// interval_100ns > 0. The first tick is now. PMON_E_IO when the system has no timer for it.
PMON_NODISCARD enum pmon_status pmon_ticker_open(struct pmon_ticker *ticker, int64_t interval_100ns,
						 struct pmon_err *err);
void pmon_ticker_close(struct pmon_ticker *ticker);

// Wait for the tick. PMON_OK when it has come: the next one is then due an interval later, or at the
// first later time of the schedule that has not passed. PMON_END when wake_fd (-1: none) is readable.
PMON_NODISCARD enum pmon_status pmon_ticker_wait(struct pmon_ticker *ticker, int wake_fd,
						 struct pmon_err *err);

#endif
