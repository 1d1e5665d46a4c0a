// alert.h - what pmon watch reports: an episode begins, continues, or ends
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_WATCH_ALERT_H
#define PMON_VERBS_WATCH_ALERT_H

#include "shell/input/judged.h"
#include "shell/output/out.h"
#include "rules/results.h"

enum alert_event {
	ALERT_BEGIN,  // it has lasted as long as its rule requires
	ALERT_REPEAT, // it continues, and --repeat has elapsed
	ALERT_END,
	ALERT_OPEN, // it is open at the end of the log, or when watching ends
};

struct alert {
	enum alert_event event;
	pmon_time time;          // of the sample that triggers the report
	struct pmon_value value; // of that sample
	const struct rules_episode *episode;
};

const char *alert_event_name(const struct alert *alert); // "begin"
const char *alert_words(const struct alert *alert);      // "begins"
const char *alert_severity(const struct alert *alert);   // "warning"

// The rule's explanation, on one line; truncated if necessary.
#define ALERT_TEXT_SIZE 4096
struct pmon_span alert_text(const struct rules_rule *rule, char buf[ALERT_TEXT_SIZE]);

// Begin standard output: one line per alert.
void alert_begin(struct out *out, const struct judged *judged);

// Write one line of JSON.
void alert_json(FILE *stream, const struct alert *alert);

// Write one line.
void alert_put(struct out *out, const struct logs *logs, const struct alert *alert);

#endif
