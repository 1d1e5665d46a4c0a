// write_limit.h - a full disk, and a writer that is killed; only on POSIX systems
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_WRITE_LIMIT_H
#define PMON_TESTS_WRITE_LIMIT_H

#include <sys/resource.h>

#include "write_fault.h"

// From now on, writes beyond this many bytes of a file fail; RLIM_INFINITY: no limit.
void limit_files(rlim_t bytes);

// Check that no file appears under the final name if the disk is full after this many bytes, fewer
// than the log has, or if the writer is killed after the last sample.
void half_a_file_is_not_seen(make_source_fn make, const char *format, size_t disk_bytes);

#endif
