// alert.h - what pmon watch reports: an episode begins, goes on, or ends
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_WATCH_ALERT_H
#define PMON_APPS_WATCH_ALERT_H

#include "cli/input/logs.h"
#include "cli/output/out.h"
#include "rules/results.h"

enum alert_event {
	ALERT_BEGIN,  // it has lasted as long as its rule asks
	ALERT_REPEAT, // it goes on, and --repeat is over
	ALERT_END,
	ALERT_OPEN, // it goes on at the end of the log, or when watching ends
};

struct alert {
	enum alert_event event;
	pmon_time time;          // of the sample that it is reported with
	struct pmon_value value; // of that sample
	const struct rules_episode *episode;
};

const char *alert_event_name(const struct alert *alert); // "begin"
const char *alert_words(const struct alert *alert);      // "begins"
const char *alert_severity(const struct alert *alert);   // "warning"

// What the rule says of itself, on one line; more than fits is cut.
#define ALERT_TEXT_SIZE 4096
struct pmon_span alert_text(const struct rules_rule *rule, char buf[ALERT_TEXT_SIZE]);

// Begin standard output: a line for each alert.
void alert_begin(struct out *out, const struct logs *logs, const struct rules *rules);

// Put one line of JSON.
void alert_json(FILE *stream, const struct alert *alert);

// Put one line.
void alert_put(struct out *out, const struct logs *logs, const struct alert *alert);

#endif
