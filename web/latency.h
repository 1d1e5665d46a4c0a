// latency.h - the average per operation in a window of a log of displayed values
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_LATENCY_H
#define PMON_WEB_LATENCY_H

#include "web/call.h"
#include "web/store.h"

// The total of all operations, and their number, as pmon_statistics_latency() has them.
struct latency {
	bool known;
	double seconds;
	double operations;
};

// Sets *out for a series of a store, which must be locked. False when the call failed.
bool latency_in_window(struct call *call, const struct store *store, uint32_t id,
		       const struct store_window *window, struct latency *out);

#endif
