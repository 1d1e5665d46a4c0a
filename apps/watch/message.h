// message.h - an alert for another program: named fields, and JSON
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_WATCH_MESSAGE_H
#define PMON_APPS_WATCH_MESSAGE_H

#include "apps/watch/alert.h"

#define MESSAGE_FIELDS 20

// What docs/watch.md lists, which outlives the sample and the series.
struct message {
	char *texts;                        // one after the other, each with a NUL
	const char *fields[MESSAGE_FIELDS]; // "PMON_RULE=Disk reads": variables of the environment
	size_t n;
	char *json; // a line
	size_t json_len;
	const char *sentence; // for people
	int priority;         // of syslog
};

// NULL when memory is short.
struct message *message_new(const struct alert *alert);
void message_free(struct message *message); // NULL is fine

#endif
