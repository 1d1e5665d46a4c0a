// clients.c - the connections of the server, and how long each may take
// SPDX-License-Identifier: MIT

#include "web/clients.h"

#include <sys/socket.h>
#include <time.h>

#include <pmon/base.h>

#include "os/term.h"

// The server sees the end of the connection and closes it.
static void
send_away(struct client *v)
{
	(void)shutdown(v->fd, SHUT_RDWR);
	v->until_100ns = INT64_MAX;
	v->waits = false;
}

static void
cut_off(struct clients *clients)
{
	int64_t now = pmon_os_monotonic_100ns();

	for (size_t i = 0; i < CLIENTS; i++) {
		struct client *v = &clients->list[i];

		if (v->fd >= 0 && v->until_100ns <= now)
			send_away(v);
	}
}

static void *
watch(void *arg)
{
	struct clients *clients = arg;
	struct timespec until;

	pthread_mutex_lock(&clients->lock);
	clock_gettime(CLOCK_MONOTONIC, &until);
	while (!clients->stop) {
		until.tv_sec++;
		(void)pthread_cond_timedwait(&clients->stopped, &clients->lock, &until);
		cut_off(clients);
	}
	pthread_mutex_unlock(&clients->lock);
	return NULL;
}

bool
clients_open(struct clients *clients)
{
	pthread_condattr_t attributes;

	pthread_mutex_init(&clients->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&clients->stopped, &attributes);
	pthread_condattr_destroy(&attributes);
	clients->stop = false;
	for (size_t i = 0; i < CLIENTS; i++)
		clients->list[i].fd = -1;
	if (pthread_create(&clients->watch, NULL, watch, clients) == 0)
		return true;
	pthread_cond_destroy(&clients->stopped);
	pthread_mutex_destroy(&clients->lock);
	return false;
}

void
clients_close(struct clients *clients)
{
	pthread_mutex_lock(&clients->lock);
	clients->stop = true;
	pthread_cond_signal(&clients->stopped);
	pthread_mutex_unlock(&clients->lock);
	pthread_join(clients->watch, NULL);
	pthread_cond_destroy(&clients->stopped);
	pthread_mutex_destroy(&clients->lock);
}

static int64_t
seconds_from_now(unsigned seconds)
{
	return seconds == 0 ? INT64_MAX
			    : pmon_os_monotonic_100ns() + (int64_t)seconds * PMON_TIME_PER_SEC;
}

// Any number of idle connections still leaves room for new ones.
static void
make_room(struct clients *clients)
{
	int64_t patient = pmon_os_monotonic_100ns() - CLIENTS_GRACE_S * PMON_TIME_PER_SEC;
	struct client *oldest = NULL;
	size_t n = 0;

	for (size_t i = 0; i < CLIENTS; i++) {
		struct client *v = &clients->list[i];

		n += v->fd >= 0;
		if (v->fd >= 0 && v->waits &&
		    (oldest == NULL || v->since_100ns < oldest->since_100ns))
			oldest = v;
	}
	if (oldest != NULL &&
	    (n > CLIENTS_FULL || (n > CLIENTS_CROWD && oldest->since_100ns <= patient)))
		send_away(oldest);
}

struct client *
clients_add(struct clients *clients, int fd)
{
	struct client *found = NULL;

	pthread_mutex_lock(&clients->lock);
	for (size_t i = 0; found == NULL && i < CLIENTS; i++)
		if (clients->list[i].fd < 0)
			found = &clients->list[i];
	make_room(clients);
	if (found != NULL)
		*found = (struct client){.fd = fd, .until_100ns = INT64_MAX};
	pthread_mutex_unlock(&clients->lock);
	return found;
}

void
clients_remove(struct clients *clients, struct client *client)
{
	pthread_mutex_lock(&clients->lock);
	client->fd = -1;
	pthread_mutex_unlock(&clients->lock);
}

static void
allow(struct clients *clients, struct client *client, unsigned seconds, bool waits)
{
	pthread_mutex_lock(&clients->lock);
	client->until_100ns = seconds_from_now(seconds);
	client->waits = waits;
	client->since_100ns = pmon_os_monotonic_100ns();
	pthread_mutex_unlock(&clients->lock);
}

void
clients_allow(struct clients *clients, struct client *client, unsigned seconds)
{
	allow(clients, client, seconds, false);
}

void
clients_await(struct clients *clients, struct client *client, unsigned seconds)
{
	allow(clients, client, seconds, true);
}
