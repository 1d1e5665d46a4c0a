// write_fault.h - write failures in logs of every format
// SPDX-License-Identifier: MIT
//
// Files are written to the folder of folder.h, and removed again.

#ifndef PMON_TESTS_WRITE_FAULT_H
#define PMON_TESTS_WRITE_FAULT_H

#include <pmon/log.h>
#include <pmon/sink.h>

typedef struct pmon_source *(*make_source_fn)(void);

// The path of a file in the folder. The last eight remain valid.
const char *in_folder(const char *name);

// Write a whole source, and close it.
enum pmon_status write_source(struct pmon_source *source, const char *path, const char *format,
			      const struct pmon_create_options *options, struct pmon_err *err);

// The same, replacing an existing file. Errors fail the test.
void write_over(struct pmon_source *source, const char *path, const char *format);

// Write a source to a file, close it, and compare the file with a text.
void expect_written(struct pmon_source *source, const char *format, const char *want);

// The same, ignoring what is between the first text and the second, or the end.
void expect_written_without(struct pmon_source *source, const char *format, const char *cut,
			    const char *go_on, const char *want);

// Each allocation of the writer fails in turn: it must report that, create no file and leak
// nothing.
void each_allocation_of_writing_fails(make_source_fn make, const char *format);

#endif
