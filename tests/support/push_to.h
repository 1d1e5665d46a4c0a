// push_to.h - a small log pushed to a fake server
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_PUSH_TO_H
#define PMON_TESTS_PUSH_TO_H

#include <pmon/pmon.h>

#include "fake_server.h"

// Was pmon built with an engine for URLs with this prefix?
bool push_is_there(const char *scheme);

// Four samples of two counters, one second apart, sent two samples at a time.
struct pmon_source *push_log(void);

// The result of a push.
struct pushed {
	enum pmon_status status;
	struct pmon_err err;
	struct pmon_push_counts counts;
};

// Push that log and stop the server, whose port is the %u of the URL. Unless the options say otherwise, attempts
// follow each other within milliseconds and end after five minutes: on a busy machine a connection alone may take
// seconds, and a test that counts retries must not count that one.
struct pushed push_to(struct fake_server *server, const char *url,
		      const struct pmon_push_options *options);

#endif
