// notify.c - wake connections that wait for new samples
// SPDX-License-Identifier: MIT

#include "web/notify.h"

#include <pmon/base.h>

#include "os/clock.h"

void
notify_init(struct notifier *notifier)
{
	(void)pmon_lock_init(&notifier->lock);
	(void)pmon_condition_init(&notifier->changed);
	notifier->number = 0;
	notifier->stop = false;
}

void
notify_free(struct notifier *notifier)
{
	pmon_condition_destroy(&notifier->changed);
	pmon_lock_destroy(&notifier->lock);
}

static void
tell(struct notifier *notifier, bool stop)
{
	pmon_lock_take(&notifier->lock);
	notifier->number++;
	notifier->stop |= stop;
	pmon_condition_wake_all(&notifier->changed);
	pmon_lock_give(&notifier->lock);
}

void
notify_all(struct notifier *notifier)
{
	tell(notifier, false);
}

void
notify_stop(struct notifier *notifier)
{
	tell(notifier, true);
}

bool
notify_is_stopped(struct notifier *notifier)
{
	bool stop;

	pmon_lock_take(&notifier->lock);
	stop = notifier->stop;
	pmon_lock_give(&notifier->lock);
	return stop;
}

uint64_t
notify_wait(struct notifier *notifier, uint64_t seen, uint32_t milliseconds)
{
	int64_t until = pmon_os_monotonic_100ns() + milliseconds * PMON_TIME_PER_MSEC;
	uint64_t number;

	pmon_lock_take(&notifier->lock);
	while (notifier->number == seen && !notifier->stop &&
	       pmon_condition_wait_until(&notifier->changed, &notifier->lock, until))
		continue;
	number = notifier->number;
	pmon_lock_give(&notifier->lock);
	return number;
}
