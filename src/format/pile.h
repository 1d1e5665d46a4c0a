// pile.h - many files read as one log: their records in the order of time
// SPDX-License-Identifier: MIT
//
// Dumps of performance data come as one file a moment, as one file an object, or all in one file.
// This takes any number of files, each with records in the order of time, and yields all records in
// the order of time. It holds the place of the next record of each file and nothing else; one file
// is open at a time.

#ifndef PMON_FORMAT_PILE_H
#define PMON_FORMAT_PILE_H

#include "base/arena.h"
#include "format/format.h"
#include "model/report.h"
#include "model/tables.h"
#include "model/titles.h"

// A record of a file, wherever it ends. Records are in the order of time, then of tie, then of their
// files; within a file they stay as they are.
struct pmon_pile_record {
	size_t member; // the file
	uint64_t offset;
	uint64_t len;
	pmon_time time;
	int64_t tie;
};

struct pmon_pile_ops {
	// Find the next record of a file at or after out->offset, where the one before ended; 0 at
	// the beginning. PMON_END when there is none. member is set.
	enum pmon_status (*find)(void *ctx, struct pmon_file *file, struct pmon_pile_record *out,
				 struct pmon_err *err);
	bool (*probe)(const uint8_t *head, size_t len); // is the file of the format?
};

struct pmon_pile_member {
	const char *path; // NULL: the file that was given open
	struct pmon_pile_record next;
};

struct pmon_pile {
	const struct pmon_allocator *allocator;
	const struct pmon_pile_ops *ops;
	void *ctx;
	struct pmon_report *report;
	uint64_t max_unpacked; // bytes of a compressed file when it is unpacked; 0: no bound
	struct pmon_arena arena;
	struct pmon_pile_member *members;
	size_t n;
	size_t cap;
	size_t *heap; // members that have a next record, the earliest first
	size_t heap_n;
	size_t heap_cap;
	struct pmon_file *given; // one file that came open
	struct pmon_file *file;  // the one that is open
	size_t file_member;
	uint64_t bytes;        // of all files
	uint64_t packed_bytes; // of all files as they are, compressed or not
};

// Open the files, or the file, and the tables of the source that reads them. ops, ctx and report are the
// caller's to fill in first. One of several files that cannot be read is reported as a loss; when there is
// no other, that is the failure.
PMON_NODISCARD enum pmon_status pmon_pile_open(struct pmon_pile *pile, struct pmon_tables *tables,
					       struct pmon_source *source,
					       const struct pmon_log_files *files,
					       const struct pmon_log_options *options,
					       struct pmon_err *err);

// Closes the given file too.
void pmon_pile_close(struct pmon_pile *pile);

// Begin, or begin again, at the first record.
PMON_NODISCARD enum pmon_status pmon_pile_start(struct pmon_pile *pile, struct pmon_err *err);

// The next record, or NULL after the last.
const struct pmon_pile_record *pmon_pile_peek(const struct pmon_pile *pile);

// Read the first len bytes of the next record, or what is there of them.
PMON_NODISCARD enum pmon_status pmon_pile_read(struct pmon_pile *pile, void *buf, size_t len,
					       size_t *got_out, struct pmon_err *err);

// Step over the next record.
PMON_NODISCARD enum pmon_status pmon_pile_skip(struct pmon_pile *pile, struct pmon_err *err);

// Take in the table of names in a file, which is named in what went wrong. PMON_E_NOTFOUND; PMON_E_LIMIT
// when it is larger than any; PMON_E_IO, and what pmon_titles_load() says.
PMON_NODISCARD enum pmon_status pmon_pile_load_titles(struct pmon_titles *titles, const char *path,
						      struct pmon_err *err);

#endif
