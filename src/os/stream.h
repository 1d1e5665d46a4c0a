// stream.h - read a compressed input while it is unpacked
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_STREAM_H
#define PMON_OS_STREAM_H

#include "os/file.h"

#define PMON_STREAM_BYTES ((size_t)4 << 20) // that are unpacked ahead

// If `packed` is compressed with gzip or zstd, make a file over its contents. A thread unpacks it into
// a ring of PMON_STREAM_BYTES and waits for the reader. It is meant for reading forward: a read from
// before the beginning of the last read unpacks from the beginning again, except in the first
// PMON_STREAM_BYTES, which are kept until something after them is read.
//
// The size is PMON_FILE_ENDLESS until the end was read. If the input is damaged or truncated, unpacks to
// more than limit (0: PMON_UNPACK_FLOOR and PMON_STREAM_TIMES the packed size) or is not supported by
// this build, reading fails with PMON_E_STATE at that point; pmon_file_unpack() then reports the error.
// packed stays open and must not be used by others until the stream is closed.
//
// PMON_END if it is not compressed; PMON_E_STATE if no thread can be started; PMON_E_IO;
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_file_stream(struct pmon_file *packed, uint64_t limit,
						 const struct pmon_allocator *allocator,
						 struct pmon_file **out, struct pmon_err *err);

#endif
