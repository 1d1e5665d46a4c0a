// clients.c - the server's connections and their time limits
// SPDX-License-Identifier: MIT

#include "web/clients.h"

#include <pmon/base.h>

#include "os/clock.h"
#include "os/socket.h"

// Shut the connection down; the server notices and closes it.
static void
send_away(struct client *v)
{
	pmon_socket_shut(v->fd);
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

static void
watch(void *arg)
{
	struct clients *clients = arg;
	int64_t until = pmon_os_monotonic_100ns();

	pmon_lock_take(&clients->lock);
	while (!clients->stop) {
		until += PMON_TIME_PER_SEC;
		(void)pmon_condition_wait_until(&clients->stopped, &clients->lock, until);
		cut_off(clients);
	}
	pmon_lock_give(&clients->lock);
}

bool
clients_open(struct clients *clients)
{
	(void)pmon_lock_init(&clients->lock);
	(void)pmon_condition_init(&clients->stopped);
	clients->stop = false;
	for (size_t i = 0; i < CLIENTS; i++)
		clients->list[i].fd = -1;
	if (pmon_thread_begin(&clients->watch, watch, clients))
		return true;
	pmon_condition_destroy(&clients->stopped);
	pmon_lock_destroy(&clients->lock);
	return false;
}

void
clients_close(struct clients *clients)
{
	pmon_lock_take(&clients->lock);
	clients->stop = true;
	pmon_condition_wake(&clients->stopped);
	pmon_lock_give(&clients->lock);
	pmon_thread_join(&clients->watch);
	pmon_condition_destroy(&clients->stopped);
	pmon_lock_destroy(&clients->lock);
}

static int64_t
seconds_from_now(unsigned seconds)
{
	return seconds == 0 ? INT64_MAX
			    : pmon_os_monotonic_100ns() + (int64_t)seconds * PMON_TIME_PER_SEC;
}

// Make room, so that idle connections, however many, never lock out new ones.
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

	pmon_lock_take(&clients->lock);
	for (size_t i = 0; found == NULL && i < CLIENTS; i++)
		if (clients->list[i].fd < 0)
			found = &clients->list[i];
	make_room(clients);
	if (found != NULL)
		*found = (struct client){.fd = fd, .until_100ns = INT64_MAX};
	pmon_lock_give(&clients->lock);
	return found;
}

void
clients_remove(struct clients *clients, struct client *client)
{
	pmon_lock_take(&clients->lock);
	client->fd = -1;
	pmon_lock_give(&clients->lock);
}

static void
allow(struct clients *clients, struct client *client, unsigned seconds, bool waits)
{
	pmon_lock_take(&clients->lock);
	client->until_100ns = seconds_from_now(seconds);
	client->waits = waits;
	client->since_100ns = pmon_os_monotonic_100ns();
	pmon_lock_give(&clients->lock);
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
