// dump.h - a source as text, so that tests can compare it as a whole
// SPDX-License-Identifier: MIT
//
//	2020-01-01T00:00:00Z stream 0 sample 0 offset 0
//	\\SRV\Memory\Available Bytes = 5 0
//	LOSS an object in a block is damaged; skipping it and the rest of the block

#ifndef PMON_TESTS_DUMP_H
#define PMON_TESTS_DUMP_H

#include <pmon/log.h>

struct dump {
	char *text; // freed by dump_free()
	size_t n;
	size_t cap;
	size_t n_notices; // length of the notices, which come first
	uint64_t n_samples;
	uint64_t n_values;
};

// Open a log in memory; a failure fails the test. options may be NULL.
struct pmon_source *open_bytes(const void *bytes, size_t len,
			       const struct pmon_log_options *options);

// A pmon_notice_fn whose ctx is a struct dump.
void dump_notice(void *dump, const struct pmon_notice *notice);

// Read the rest of the source into the dump. Returns the final status.
enum pmon_status dump_read(struct dump *dump, struct pmon_source *source, struct pmon_err *err);

// The same for a source that was opened with this status, and close it. Returns the status of
// opening or of reading. Fails the test if that is an error that err does not describe.
enum pmon_status dump_opened(struct dump *dump, enum pmon_status status, struct pmon_source *source,
			     struct pmon_err *err);

// Read a log in memory twice: the second reading must be the same, but without notices. Notices
// come first. Fails the test if the log cannot be opened.
void dump_bytes(struct dump *dump, const void *bytes, size_t len);

// Read n samples of a log, for each n, and rewind: notices that the first pass did not come to are those of the second.
void dump_early_ends(const void *bytes, size_t len);

// Fails the test unless the dump contains each of these texts.
#define DUMP_HAS(dump, ...) dump_has(dump, (const char *const[]){__VA_ARGS__, NULL})
void dump_has(const struct dump *dump, const char *const *texts);

// Fails the test unless the dump contains this displayed value of the counter.
void dump_has_number(const struct dump *dump, const char *path, double number);

// Read every prefix of a log, the log with each bit flipped, and some versions with more bytes
// changed. Reading must end with a status and free all memory.
void dump_mutations(const void *bytes, size_t len);

// Read a log with each single allocation failing, and with all allocations from that one on
// failing.
void dump_short_of_memory(const void *bytes, size_t len);

void dump_free(struct dump *dump);

#endif
