// message.h - an alert for another program: named fields, and JSON
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_WATCH_MESSAGE_H
#define PMON_VERBS_WATCH_MESSAGE_H

#include "verbs/watch/alert.h"

#define MESSAGE_FIELDS 20

// The fields listed in docs/watch.md. They outlive the sample and the series.
struct message {
	char *texts;                        // consecutive, each with a NUL
	const char *fields[MESSAGE_FIELDS]; // "PMON_RULE=Disk reads": environment variables
	size_t n;
	char *json; // one line
	size_t json_len;
	const char *sentence; // for people
	int priority;         // of syslog
};

// NULL if out of memory.
struct message *message_new(const struct alert *alert);
void message_free(struct message *message); // NULL is allowed

#endif
