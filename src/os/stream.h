// stream.h - a compressed input that is read while it is unpacked
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_STREAM_H
#define PMON_OS_STREAM_H

#include "os/file.h"

#define PMON_STREAM_BYTES ((size_t)4 << 20) // that are unpacked ahead

// When `packed` is compressed with gzip or zstd, make a file over what is in it. A thread unpacks it
// into a ring of PMON_STREAM_BYTES, and waits for the reader. It is made for reading forward: a
// read from before the beginning of the last read unpacks from the beginning again, except in the
// first PMON_STREAM_BYTES, which are kept until something after them is read.
//
// The size is PMON_FILE_ENDLESS until the end was read. A damaged or cut input, one that unpacks to
// more than limit (0: PMON_UNPACK_FLOOR and PMON_STREAM_TIMES the packed size), and one that this
// build cannot unpack fail with PMON_E_STATE where that is met: pmon_file_unpack() then reports it.
// packed stays open, and belongs to the stream until the stream is closed.
//
// PMON_END when it is not compressed; PMON_E_STATE when no thread can be started; PMON_E_IO;
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_file_stream(struct pmon_file *packed, uint64_t limit,
						 const struct pmon_allocator *allocator,
						 struct pmon_file **out, struct pmon_err *err);

#endif
