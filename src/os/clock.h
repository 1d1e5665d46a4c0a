// clock.h - time of day, monotonic time, and sleep
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_CLOCK_H
#define PMON_OS_CLOCK_H

#include <pmon/base.h>

// Both clocks, read at the same time.
struct pmon_os_clocks {
	pmon_time wall;     // time of day; may be set forward and back
	int64_t boot_100ns; // since boot, including suspend; never goes back
};

struct pmon_os_clocks pmon_os_clocks(void);

// The offset of local time from UTC at t, in minutes, positive east of UTC; 0 if unknown.
int32_t pmon_os_utc_offset_min(pmon_time t);

// A clock that is never set, in 100 ns, for measuring durations.
int64_t pmon_os_monotonic_100ns(void);

// Sleep for the given time, or until a signal arrives.
void pmon_os_sleep(int64_t length_100ns);

#endif
