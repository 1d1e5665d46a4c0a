// news.h - wake the connections that wait for new samples
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_NEWS_H
#define PMON_WEB_NEWS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct news {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t number; // of the newest; counts up
	bool stop;       // the server is about to end
};

void news_init(struct news *news);
void news_free(struct news *news);

// Wake all waiting threads.
void news_tell(struct news *news);
void news_stop(struct news *news);
bool news_is_stopped(struct news *news);

// Wait until there is something newer than `seen`, or the server ends, or the time is up. Returns the
// number of the newest.
uint64_t news_wait(struct news *news, uint64_t seen, uint32_t milliseconds);

#endif
