// write_limit.h - a disk that is full, and a writer that is killed: on POSIX systems
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_WRITE_LIMIT_H
#define PMON_TESTS_WRITE_LIMIT_H

#include <sys/resource.h>

#include "write_fault.h"

// From now on, writes past this many bytes of a file fail; RLIM_INFINITY ends that.
void limit_files(rlim_t bytes);

// Nothing stands under the name of the file when the disk is full after so many bytes, fewer than
// the log has, and when the writer is killed after the last sample.
void half_a_file_is_not_seen(make_source_fn make, const char *format, size_t disk_bytes);

#endif
