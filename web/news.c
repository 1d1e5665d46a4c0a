// news.c - wake the connections that wait for new samples
// SPDX-License-Identifier: MIT

#include "web/news.h"

#include <errno.h>
#include <time.h>

void
news_init(struct news *news)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_mutex_init(&news->lock, NULL);
	pthread_cond_init(&news->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	news->number = 0;
	news->stop = false;
}

void
news_free(struct news *news)
{
	pthread_cond_destroy(&news->changed);
	pthread_mutex_destroy(&news->lock);
}

static void
tell(struct news *news, bool stop)
{
	pthread_mutex_lock(&news->lock);
	news->number++;
	news->stop |= stop;
	pthread_cond_broadcast(&news->changed);
	pthread_mutex_unlock(&news->lock);
}

void
news_tell(struct news *news)
{
	tell(news, false);
}

void
news_stop(struct news *news)
{
	tell(news, true);
}

bool
news_is_stopped(struct news *news)
{
	bool stop;

	pthread_mutex_lock(&news->lock);
	stop = news->stop;
	pthread_mutex_unlock(&news->lock);
	return stop;
}

uint64_t
news_wait(struct news *news, uint64_t seen, uint32_t milliseconds)
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
	pthread_mutex_lock(&news->lock);
	while (news->number == seen && !news->stop && failed != ETIMEDOUT)
		failed = pthread_cond_timedwait(&news->changed, &news->lock, &until);
	number = news->number;
	pthread_mutex_unlock(&news->lock);
	return number;
}
