// clients.h - connection table with timeouts
// SPDX-License-Identifier: MIT
//
// An idle timeout does not stop a client that sends a byte now and then. So there is a deadline for each
// phase: from the connection to the request, and from the request to the end of the answer. Connections past
// their deadline are closed.

#ifndef PMON_WEB_CLIENTS_H
#define PMON_WEB_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "os/threads.h"

#define CLIENTS 288 // at once
// Above this number, each new connection closes the one that has waited longest without a request. That one
// first gets some time to send a request, so that clients that keep reconnecting do not displace others,
// unless the table is nearly full.
#define CLIENTS_CROWD   192
#define CLIENTS_FULL    256
#define CLIENTS_GRACE_S 1

struct client {
	int fd;              // -1: a free entry
	bool waits;          // for a request
	int64_t since_100ns; // when it began to wait
	int64_t until_100ns; // on the monotonic clock; INT64_MAX: no limit
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

// Add a new connection; NULL if there are too many.
struct client *clients_add(struct clients *clients, int fd);
void clients_remove(struct clients *clients, struct client *client);

// Set the time limit from now on; 0: none.
void clients_allow(struct clients *clients, struct client *client, unsigned seconds);
// Set the time limit for the next request to arrive.
void clients_await(struct clients *clients, struct client *client, unsigned seconds);

#endif
