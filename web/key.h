// key.h - the one-time key in the page's URL, which admits one browser
// SPDX-License-Identifier: MIT
//
// URLs end up in histories and on screens. So the page exchanges the key for the server's secret, and the key
// works only once.

#ifndef PMON_WEB_KEY_H
#define PMON_WEB_KEY_H

#include <stdbool.h>

#include "os/threads.h"
#include "web/guard.h"

struct key {
	struct pmon_lock lock;
	char text[GUARD_TOKEN + 1]; // "": used, or never generated
};

void key_init(struct key *key);
void key_free(struct key *key);

// Generate a new key, which invalidates the previous one. False when the system has no random numbers.
bool key_make(struct key *key);

void key_get(struct key *key, char out[GUARD_TOKEN + 1]);

// Is this the key? If so, invalidate it. NULL never matches.
bool key_use(struct key *key, const char *given);

#endif
