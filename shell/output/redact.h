// redact.h - names of machines, databases and users become "machine1", "database2", "user3" in what is shared
// SPDX-License-Identifier: MIT
//
// The same name becomes the same word in each text. Counters, processes, disks and numbers stay.
//
//	struct redaction redaction = {.n = 0};
//
//	redaction_add(&redaction, schema);       // of each log
//	redaction_end(&redaction);
//	while ((len = redaction_find(&redaction, text, &at, &word)) > 0)
//		...
//	redaction_free(&redaction);

#ifndef PMON_SHELL_OUTPUT_REDACT_H
#define PMON_SHELL_OUTPUT_REDACT_H

#include <pmon/model.h>

struct redacted_name;

struct redaction {
	struct redacted_name *list;
	size_t n;
	size_t cap;
	size_t first[257]; // names by their first byte, of either case
	size_t newest[4];  // of each kind: its place in the list, plus one
	bool failed;       // memory was short
};

// The names in the counters of a log, and of the machines that its source names.
void redaction_add(struct redaction *redaction, const struct pmon_source *source);

// Choose the words. False: memory was short, and no text may be written.
bool redaction_end(struct redaction *redaction);

// The first name in the text from *at on: its length, its place in *at, and its word. 0: there is none.
size_t redaction_find(const struct redaction *redaction, struct pmon_span text, size_t *at,
		      const char **word);

// Replace the names in a text. The caller frees the result; NULL: memory was short.
char *redaction_text(const struct redaction *redaction, struct pmon_span text);

// The same in a buffer, in which a longer text is cut off.
void redaction_apply(const struct redaction *redaction, char *buf, size_t size);

void redaction_free(struct redaction *redaction);

#endif
