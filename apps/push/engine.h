// engine.h - which engine a command line names, and how to connect to it
// SPDX-License-Identifier: MIT
//
// For all verbs that talk to engines; their options are options_engine in cli/args/groups.h.

#ifndef PMON_APPS_PUSH_ENGINE_H
#define PMON_APPS_PUSH_ENGINE_H

#include <pmon/push.h>

#include "cli/args/secret.h"

struct args;

// What the options of the push point into.
struct engine_login {
	char password[SECRET_SIZE];
	char token[SECRET_SIZE];
};

// Refuse a URL whose engine this build does not have. Only its scheme is looked at, and none of it is shown: who knows
// what is in it. Returns an exit status.
int engine_check_url(const char *verb, const char *url);

// Take credentials, certificates, the cluster and the time of retries. Returns an exit status.
int engine_take_options(const struct args *args, struct engine_login *login,
			struct pmon_push_options *options);

#endif
