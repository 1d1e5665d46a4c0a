// engine.h - the engine on a command line, and how to connect to it
// SPDX-License-Identifier: MIT
//
// For all verbs that use engines; their options are options_engine in shell/args/groups.h.

#ifndef PMON_VERBS_PUSH_ENGINE_H
#define PMON_VERBS_PUSH_ENGINE_H

#include <pmon/push.h>

#include "shell/args/secret.h"

struct args;

#define ENGINE_HEADERS 16

// The storage that the push options point to.
struct engine_login {
	char password[SECRET_SIZE];
	char token[SECRET_SIZE];
	const char *headers[ENGINE_HEADERS + 1]; // NULL after the last
	size_t n_headers;
	char header_text[4 * SECRET_SIZE]; // of those in files
	size_t header_len;
};

// Reject a URL whose engine this build does not support. Checks only the scheme, and never prints
// the URL, which may contain secrets. Returns an exit status.
int engine_check_url(const char *verb, const char *url);

// Set credentials, headers, certificates and the retry time. Returns an exit status.
int engine_take_options(const struct args *args, struct engine_login *login,
			struct pmon_push_options *options);

#endif
