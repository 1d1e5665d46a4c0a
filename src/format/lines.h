// lines.h - a text log as lines of limited length
// SPDX-License-Identifier: MIT
//
//	struct pmon_lines lines = {.allocator = allocator, .file = file, .max_bytes = LINE_MAX};
//	struct pmon_line line;
//
//	while ((status = pmon_lines_next(&lines, &line, err)) == PMON_OK)
//		if (line.is_too_long)
//			pmon_report_loss(report, line.offset, line.bytes, "a line of over ...");
//		else
//			...                              // line.text, line.len
//	pmon_lines_free(&lines);
//
// The file is read sequentially without knowing its size, so a stream is sufficient (os/stream.h).
// Text is not converted: pdhtext/input.c handles UTF-16 and code pages.

#ifndef PMON_FORMAT_LINES_H
#define PMON_FORMAT_LINES_H

#include "base/err.h"
#include "os/file.h"

struct pmon_lines {
	const struct pmon_allocator *allocator;
	struct pmon_file *file; // owned by the caller
	size_t max_bytes;       // longest line that is returned
	uint64_t offset;        // in the file, of the next line
	char *buf;              // bytes read but not returned yet
	size_t cap;
	size_t at;
	size_t len;
};

struct pmon_line {
	char *text; // valid until the next call; may be changed. NULL when the line is too long
	size_t len; // with its newline
	uint64_t offset;
	uint64_t bytes;   // of the file
	bool is_ended;    // by a newline, not by the end of the file
	bool is_too_long; // more than max_bytes: it was skipped
};

// The next line. PMON_END after the last; PMON_E_NOMEM, and read errors.
PMON_NODISCARD enum pmon_status pmon_lines_next(struct pmon_lines *lines, struct pmon_line *out,
						struct pmon_err *err);

// Start again from the first line.
void pmon_lines_rewind(struct pmon_lines *lines);

void pmon_lines_free(struct pmon_lines *lines);

#endif
