// guard.h - may this request be answered? Address, token, Host and Origin
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_GUARD_H
#define PMON_WEB_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GUARD_TOKEN      32 // hexadecimal digits of a made token: 128 random bits
#define GUARD_TOKEN_MOST 256

struct guard {
	char address[64]; // that the server listens on, without brackets
	bool any;         // that is all addresses of the machine
	bool https;       // not http
	bool loopback;    // only programs on this machine can connect
	uint16_t port;
	const char *name;                 // another Host that is this server's; NULL: none
	char token[GUARD_TOKEN_MOST + 1]; // "": none is needed
	bool hides_token;                 // it is in no address, because the user has it
};

// Read an address as the command line has it; NULL is 127.0.0.1. False when it is not valid.
bool guard_address(struct guard *guard, const char *text);

// Is this a name that a Host may be: letters, digits, dots and hyphens?
bool guard_is_name(const char *text);

// Make a token, which is needed from now on. False when the system has no random numbers.
bool guard_make_token(struct guard *guard);

// Need this token from now on. False unless it has 16 to GUARD_TOKEN_MOST characters, all of which may follow
// "Authorization: Bearer" (RFC 6750, section 2.1).
bool guard_set_token(struct guard *guard, const char *token);

// Is this the Host of a request for this server, and the Origin of its own page? Either may be
// NULL, which is valid only for an Origin.
bool guard_host(const struct guard *guard, const char *host);
bool guard_origin(const struct guard *guard, const char *host, const char *origin);

// Where a browser finds the server, with the token: 0 is for one on this machine, then by the name, then by
// the addresses of this machine if all are listened on. False when there are no more.
bool guard_url(const struct guard *guard, size_t i, const char *path, char *buf, size_t size);

// Is this the token? NULL is not.
bool guard_token(const struct guard *guard, const char *token);

#endif
