// notify.h - wake the connections that wait for new samples
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_NOTIFY_H
#define PMON_WEB_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "os/threads.h"

struct notifier {
	struct pmon_lock lock;
	struct pmon_condition changed;
	uint64_t number; // of the newest; counts up
	bool stop;       // the server is stopping
};

void notify_init(struct notifier *notifier);
void notify_free(struct notifier *notifier);

// Wake all waiting threads.
void notify_all(struct notifier *notifier);
void notify_stop(struct notifier *notifier);
bool notify_is_stopped(struct notifier *notifier);

// Wait until the number exceeds `seen`, the server stops, or the time is up. Returns the
// number of the newest.
uint64_t notify_wait(struct notifier *notifier, uint64_t seen, uint32_t milliseconds);

#endif
