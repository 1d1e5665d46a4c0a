// live.h - this machine in the place of a log
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_LIVE_H
#define PMON_CLI_LIVE_H

#include "cli.h"

// What was asked of a live source on the command line.
struct live_plan {
	int64_t interval_100ns;
	uint64_t count;         // samples that are shown; 0: until it is interrupted
	int64_t duration_100ns; // 0: no end
	bool first_shown;       // else the first sample only begins the first interval
};

// Read --interval, --count and --duration; what is not given is 0, and the interval a second. Returns
// an exit status.
int live_plan(const struct args *args, struct live_plan *plan);

// Open this machine, or what --root and --replay name; select may be NULL. The source ends as planned
// and when the program is told to end. Returns an exit status.
int live_open(const struct args *args, const struct live_plan *plan, struct pmon_select *select,
	      struct pmon_source **out);

#endif
