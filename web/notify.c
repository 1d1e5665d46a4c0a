// notify.c - wake the connections that wait for new samples
// SPDX-License-Identifier: MIT

#include "web/notify.h"

#include <errno.h>
#include <time.h>

void
notify_init(struct notifier *notifier)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_mutex_init(&notifier->lock, NULL);
	pthread_cond_init(&notifier->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	notifier->number = 0;
	notifier->stop = false;
}

void
notify_free(struct notifier *notifier)
{
	pthread_cond_destroy(&notifier->changed);
	pthread_mutex_destroy(&notifier->lock);
}

static void
tell(struct notifier *notifier, bool stop)
{
	pthread_mutex_lock(&notifier->lock);
	notifier->number++;
	notifier->stop |= stop;
	pthread_cond_broadcast(&notifier->changed);
	pthread_mutex_unlock(&notifier->lock);
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

	pthread_mutex_lock(&notifier->lock);
	stop = notifier->stop;
	pthread_mutex_unlock(&notifier->lock);
	return stop;
}

uint64_t
notify_wait(struct notifier *notifier, uint64_t seen, uint32_t milliseconds)
{
	struct timespec until;
	uint64_t number;
	int failed = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += milliseconds / 1000;
	until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&notifier->lock);
	while (notifier->number == seen && !notifier->stop && failed != ETIMEDOUT)
		failed = pthread_cond_timedwait(&notifier->changed, &notifier->lock, &until);
	number = notifier->number;
	pthread_mutex_unlock(&notifier->lock);
	return number;
}
