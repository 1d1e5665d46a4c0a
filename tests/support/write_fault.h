// write_fault.h - write failures in logs of every format
// SPDX-License-Identifier: MIT
//
// Files are in the folder of folder.h, and none is left there.

#ifndef PMON_TESTS_WRITE_FAULT_H
#define PMON_TESTS_WRITE_FAULT_H

#include <pmon/log.h>
#include <pmon/sink.h>

typedef struct pmon_source *(*make_source_fn)(void);

// The path of a file in the folder. Up to eight are kept.
const char *in_folder(const char *name);

// Write all of a source, which is closed.
enum pmon_status write_source(struct pmon_source *source, const char *path, const char *format,
			      const struct pmon_create_options *options, struct pmon_err *err);

// The same, over what is there. The test fails when that fails.
void write_over(struct pmon_source *source, const char *path, const char *format);

// Compare the file that a source, which is closed, is written into with a text.
void expect_written(struct pmon_source *source, const char *format, const char *want);

// The same without what stands from the first text to the second one, or to the end.
void expect_written_without(struct pmon_source *source, const char *format, const char *cut,
			    const char *go_on, const char *want);

// Each allocation of the writer fails in turn: it reports that, creates no file and leaks nothing.
void each_allocation_of_writing_fails(make_source_fn make, const char *format);

#endif
