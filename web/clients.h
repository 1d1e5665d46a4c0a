// clients.h - the connections of the server, and how long each may take
// SPDX-License-Identifier: MIT
//
// A client that sends a byte now and then is never idle, so a time for the whole is needed: from the
// opening to the request, from the request to the end of the answer. Whose time is up is cut off.

#ifndef PMON_WEB_CLIENTS_H
#define PMON_WEB_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "os/threads.h"

#define CLIENTS 288 // at once
// With more connections than this, the one that has waited longest without a request is closed for
// each new one. It gets some time to send a request first, so that clients which reconnect all the
// time do not displace others; but not when nearly all places are taken.
#define CLIENTS_CROWD   192
#define CLIENTS_FULL    256
#define CLIENTS_GRACE_S 1

struct client {
	int fd;              // -1: the place is free
	bool waits;          // for a request to arrive
	int64_t since_100ns; // when it began to wait
	int64_t until_100ns; // on the monotonic clock; INT64_MAX: as long as it likes
};

struct clients {
	struct pmon_lock lock;
	struct pmon_condition stopped;
	struct pmon_thread watch;
	bool stop;
	struct client list[CLIENTS];
};

bool clients_open(struct clients *clients);
void clients_close(struct clients *clients);

// A connection was opened; NULL when there are too many.
struct client *clients_add(struct clients *clients, int fd);
void clients_remove(struct clients *clients, struct client *client);

// How long it may take from now on; 0: as long as it likes.
void clients_allow(struct clients *clients, struct client *client, unsigned seconds);
// The same, for its next request to arrive.
void clients_await(struct clients *clients, struct client *client, unsigned seconds);

#endif
