// guard.h - check a request's address, secrets, Host and Origin
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_GUARD_H
#define PMON_WEB_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GUARD_TOKEN      32 // hexadecimal digits of a generated token: 128 random bits
#define GUARD_TOKEN_MOST 256

struct guard {
	char address[64]; // the listening address, without brackets
	bool any;         // listens on all addresses
	bool https;       // https, not http
	bool loopback;    // only programs on this machine can connect
	uint16_t port;
	const char *name;                 // another Host name of this server; NULL: none
	char token[GUARD_TOKEN_MOST + 1]; // sent by programs; "": none
	bool hides_token;                 // do not show it in URLs, because the user chose it
	char secret[GUARD_TOKEN + 1];     // sent by the page; "": none
};

// Parse an address from the command line; NULL is 127.0.0.1. False if it is invalid.
bool guard_address(struct guard *guard, const char *text);

// Is this a valid Host name: letters, digits, dots and hyphens?
bool guard_is_name(const char *text);

// An unguessable random text. False when the system has no random numbers.
bool guard_random(char out[GUARD_TOKEN + 1]);

// Generate a token, or the page's secret, and require it from now on. False when the system has no random numbers.
bool guard_make_token(struct guard *guard);
bool guard_make_secret(struct guard *guard);

// Require this token from now on. False unless it has 16 to GUARD_TOKEN_MOST characters, all of which may follow
// "Authorization: Bearer" (RFC 6750, section 2.1).
bool guard_set_token(struct guard *guard, const char *token);

// Is this the Host of a request for this server, and the Origin of its own page? Either may be
// NULL, which is valid only for an Origin.
bool guard_host(const struct guard *guard, const char *host);
bool guard_origin(const struct guard *guard, const char *host, const char *origin);

// URL i of the server, with the key or the generated token: 0 is for a browser on this machine, then comes
// the name, then the machine's addresses if the server listens on all. key "": none. False after the last.
bool guard_url(const struct guard *guard, size_t i, const char *path, const char *key, char *buf,
	       size_t size);

// Compare a secret in constant time; only its length can leak. NULL and "" match nothing.
bool guard_is(const char *text, const char *given);

// Is this the token or the secret, or is none required? NULL is neither.
bool guard_lets_in(const struct guard *guard, const char *given);

#endif
