// file_group.h - read many files as one log, with their records in time order
// SPDX-License-Identifier: MIT
//
// Dumps of performance data have one file per point in time, one file per object, or a single file.
// This reads any number of files, each with records in time order, and returns all records in time
// order. It keeps only the position of the next record of each file; one file is open at a time.

#ifndef PMON_FORMAT_FILE_GROUP_H
#define PMON_FORMAT_FILE_GROUP_H

#include "base/arena.h"
#include "format/format.h"
#include "model/report.h"
#include "model/tables.h"
#include "model/titles.h"

// A record of a file, wherever it ends. Records are ordered by time, then tie, then file; records
// of one file keep their order.
struct pmon_file_group_record {
	size_t member; // the file
	uint64_t offset;
	uint64_t len;
	pmon_time time;
	int64_t tie;
};

struct pmon_file_group_ops {
	// Find the next record of a file at or after out->offset, the end of the previous record;
	// initially 0. PMON_END after the last. member is set.
	enum pmon_status (*find)(void *ctx, struct pmon_file *file,
				 struct pmon_file_group_record *out, struct pmon_err *err);
	bool (*probe)(const uint8_t *head, size_t len); // whether the file has this format
};

struct pmon_file_group_member {
	const char *path; // NULL: the file that was passed open
	struct pmon_file_group_record next;
};

struct pmon_file_group {
	const struct pmon_allocator *allocator;
	const struct pmon_door *door; // opens the files; NULL: none
	const struct pmon_file_group_ops *ops;
	void *ctx;
	struct pmon_report *report;
	uint64_t max_unpacked; // limit for the unpacked bytes of a compressed file; 0: no limit
	struct pmon_arena arena;
	struct pmon_file_group_member *members;
	size_t n;
	size_t cap;
	size_t *heap; // members with a next record, earliest first
	size_t heap_n;
	size_t heap_cap;
	struct pmon_file *given; // one file that was passed open
	struct pmon_file *file;  // the one that is open
	size_t file_member;
	uint64_t bytes;        // of all files
	uint64_t packed_bytes; // of all files as stored, compressed or not
};

// Open the files, or the file, and the tables of the source that reads them. The caller fills in
// ops, ctx and report first. An unreadable file among several is reported as a loss; if no file is
// readable, this fails.
PMON_NODISCARD enum pmon_status pmon_file_group_open(struct pmon_file_group *group,
						     struct pmon_tables *tables,
						     struct pmon_source *source,
						     const struct pmon_log_files *files,
						     const struct pmon_log_options *options,
						     struct pmon_err *err);

// Also closes the file that was passed open.
void pmon_file_group_close(struct pmon_file_group *group);

// Start, or restart, at the first record.
PMON_NODISCARD enum pmon_status pmon_file_group_start(struct pmon_file_group *group,
						      struct pmon_err *err);

// The next record, or NULL after the last.
const struct pmon_file_group_record *pmon_file_group_peek(const struct pmon_file_group *group);

// Read the first len bytes of the next record, or fewer if the file ends.
PMON_NODISCARD enum pmon_status pmon_file_group_read(struct pmon_file_group *group, void *buf,
						     size_t len, size_t *got_out,
						     struct pmon_err *err);

// Skip the next record.
PMON_NODISCARD enum pmon_status pmon_file_group_skip(struct pmon_file_group *group,
						     struct pmon_err *err);

// Load a file with a table of names; errors include its path. PMON_E_NOTFOUND; PMON_E_LIMIT if it
// is implausibly large; PMON_E_IO, and any status of pmon_titles_load().
PMON_NODISCARD enum pmon_status pmon_file_group_load_titles(struct pmon_titles *titles,
							    const char *path, struct pmon_err *err);

#endif
