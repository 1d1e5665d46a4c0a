// visitors.c - the connections of the server, and how long each may take
// SPDX-License-Identifier: MIT

#include "web/visitors.h"

#include <sys/socket.h>
#include <time.h>

#include <pmon/base.h>

#include "os/term.h"

// The server sees the end of the connection and closes it.
static void
send_away(struct visitor *v)
{
	(void)shutdown(v->fd, SHUT_RDWR);
	v->until_100ns = INT64_MAX;
	v->waits = false;
}

static void
cut_off(struct visitors *visitors)
{
	int64_t now = pmon_os_monotonic_100ns();

	for (size_t i = 0; i < VISITORS; i++) {
		struct visitor *v = &visitors->list[i];

		if (v->fd >= 0 && v->until_100ns <= now)
			send_away(v);
	}
}

static void *
watch(void *arg)
{
	struct visitors *visitors = arg;
	struct timespec until;

	pthread_mutex_lock(&visitors->lock);
	clock_gettime(CLOCK_MONOTONIC, &until);
	while (!visitors->stop) {
		until.tv_sec++;
		(void)pthread_cond_timedwait(&visitors->stopped, &visitors->lock, &until);
		cut_off(visitors);
	}
	pthread_mutex_unlock(&visitors->lock);
	return NULL;
}

bool
visitors_open(struct visitors *visitors)
{
	pthread_condattr_t attributes;

	pthread_mutex_init(&visitors->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&visitors->stopped, &attributes);
	pthread_condattr_destroy(&attributes);
	visitors->stop = false;
	for (size_t i = 0; i < VISITORS; i++)
		visitors->list[i].fd = -1;
	if (pthread_create(&visitors->watch, NULL, watch, visitors) == 0)
		return true;
	pthread_cond_destroy(&visitors->stopped);
	pthread_mutex_destroy(&visitors->lock);
	return false;
}

void
visitors_close(struct visitors *visitors)
{
	pthread_mutex_lock(&visitors->lock);
	visitors->stop = true;
	pthread_cond_signal(&visitors->stopped);
	pthread_mutex_unlock(&visitors->lock);
	pthread_join(visitors->watch, NULL);
	pthread_cond_destroy(&visitors->stopped);
	pthread_mutex_destroy(&visitors->lock);
}

static int64_t
seconds_from_now(unsigned seconds)
{
	return seconds == 0 ? INT64_MAX
			    : pmon_os_monotonic_100ns() + (int64_t)seconds * PMON_TIME_PER_SEC;
}

// Any number of idle connections still leaves room for new ones.
static void
make_room(struct visitors *visitors)
{
	int64_t patient = pmon_os_monotonic_100ns() - VISITORS_GRACE_S * PMON_TIME_PER_SEC;
	struct visitor *oldest = NULL;
	size_t n = 0;

	for (size_t i = 0; i < VISITORS; i++) {
		struct visitor *v = &visitors->list[i];

		n += v->fd >= 0;
		if (v->fd >= 0 && v->waits &&
		    (oldest == NULL || v->since_100ns < oldest->since_100ns))
			oldest = v;
	}
	if (oldest != NULL &&
	    (n > VISITORS_FULL || (n > VISITORS_CROWD && oldest->since_100ns <= patient)))
		send_away(oldest);
}

struct visitor *
visitors_add(struct visitors *visitors, int fd)
{
	struct visitor *found = NULL;

	pthread_mutex_lock(&visitors->lock);
	for (size_t i = 0; found == NULL && i < VISITORS; i++)
		if (visitors->list[i].fd < 0)
			found = &visitors->list[i];
	make_room(visitors);
	if (found != NULL)
		*found = (struct visitor){.fd = fd, .until_100ns = INT64_MAX};
	pthread_mutex_unlock(&visitors->lock);
	return found;
}

void
visitors_remove(struct visitors *visitors, struct visitor *visitor)
{
	pthread_mutex_lock(&visitors->lock);
	visitor->fd = -1;
	pthread_mutex_unlock(&visitors->lock);
}

static void
allow(struct visitors *visitors, struct visitor *visitor, unsigned seconds, bool waits)
{
	pthread_mutex_lock(&visitors->lock);
	visitor->until_100ns = seconds_from_now(seconds);
	visitor->waits = waits;
	visitor->since_100ns = pmon_os_monotonic_100ns();
	pthread_mutex_unlock(&visitors->lock);
}

void
visitors_allow(struct visitors *visitors, struct visitor *visitor, unsigned seconds)
{
	allow(visitors, visitor, seconds, false);
}

void
visitors_await(struct visitors *visitors, struct visitor *visitor, unsigned seconds)
{
	allow(visitors, visitor, seconds, true);
}
