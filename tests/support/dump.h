// dump.h - a source as text, so that a test compares it whole
// SPDX-License-Identifier: MIT
//
//	2020-01-01T00:00:00Z stream 0 sample 0 offset 0
//	\\SRV\Memory\Available Bytes = 5 0
//	LOSS an object in a block is damaged, and what follows it there

#ifndef PMON_TESTS_DUMP_H
#define PMON_TESTS_DUMP_H

#include <pmon/log.h>

struct dump {
	char *text; // freed by dump_free()
	size_t n;
	size_t cap;
	size_t n_notices; // bytes of the notices, which stand in front; of dump_bytes()
	uint64_t n_samples;
	uint64_t n_values;
};

// Open a log that is in memory; the test fails when that fails. options may be NULL.
struct pmon_source *open_bytes(const void *bytes, size_t len,
			       const struct pmon_log_options *options);

// A pmon_notice_fn whose ctx is a struct dump.
void dump_notice(void *dump, const struct pmon_notice *notice);

// Read the source to its end into the dump. Returns what it ended with.
enum pmon_status dump_read(struct dump *dump, struct pmon_source *source, struct pmon_err *err);

// The same of a source that was to be opened, and close it. Returns how that or the reading ended. The test
// fails when that is an error and err does not have it.
enum pmon_status dump_opened(struct dump *dump, enum pmon_status status, struct pmon_source *source,
			     struct pmon_err *err);

// Read a log that is in memory, twice: the second time must be as the first, without notices.
// Notices come first. Fails the test when the log cannot be opened.
void dump_bytes(struct dump *dump, const void *bytes, size_t len);

// Read every beginning of a log, every log with one bit changed, and some with more bytes changed. It
// must end with a status, and give all memory back.
void dump_mutations(const void *bytes, size_t len);

// Read a log with every single allocation failing, and with all from there on failing.
void dump_short_of_memory(const void *bytes, size_t len);

void dump_free(struct dump *dump);

#endif
