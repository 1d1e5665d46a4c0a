// unpack.h - compressed inputs
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_UNPACK_H
#define PMON_OS_UNPACK_H

#include "os/file.h"

// When *file is compressed with gzip or zstd (by its content), unpack it into a temporary file and
// put that in its place; the packed one is closed. Otherwise nothing happens. limit bounds the
// unpacked size; 0 is no bound but the disk's.
//
// What can be unpacked of a damaged or cut input is kept: then *cut_at is the byte of the packed
// input at which it ended, else 0. PMON_E_UNSUPPORTED when this build cannot unpack it; PMON_E_LIMIT;
// PMON_E_FORMAT when nothing of it can be unpacked; PMON_E_IO; PMON_E_NOMEM. On failure *file stays
// what it was.
PMON_NODISCARD enum pmon_status pmon_file_unpack(struct pmon_file **file, uint64_t limit,
						 const struct pmon_allocator *allocator,
						 uint64_t *cut_at, struct pmon_err *err);

#endif
