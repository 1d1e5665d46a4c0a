// latency.h - the average latency of a disk in a window of a log of displayed values: rules/disks.h
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_LATENCY_H
#define PMON_WEB_LATENCY_H

#include "web/store.h"

// From the queue length and the rate of the disk in the window. NAN where it does not follow from them. Under the lock
// of the store.
double latency_in_window(const struct store *store, uint32_t id, const struct store_window *window,
			 const struct pmon_calc_options *options);

#endif
