// unpack.h - compressed inputs
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_UNPACK_H
#define PMON_OS_UNPACK_H

#include "os/file.h"

// If *file is compressed with gzip or zstd (by its content), unpack it into a temporary file and replace
// *file by that; the packed file is closed. Otherwise do nothing. limit bounds the unpacked size; 0:
// PMON_UNPACK_FLOOR and PMON_UNPACK_TIMES the packed size. look, which may be NULL, decides from the
// first PMON_FILE_LOOK_BYTES unpacked bytes whether to unpack the rest.
//
// If the input is damaged or truncated, everything before the damage is kept, and *cut_at is the offset
// in the packed input where unpacking ended; otherwise it is 0. PMON_E_UNSUPPORTED if this build cannot
// unpack it; PMON_E_LIMIT; PMON_E_FORMAT if nothing can be unpacked; PMON_E_IO; PMON_E_NOMEM. On failure
// *file does not change.
#define PMON_UNPACK_FLOOR ((uint64_t)16 << 20)
#define PMON_UNPACK_TIMES 100

// For a log that is read while it is unpacked: this uses no disk space, only time.
#define PMON_STREAM_TIMES 2000
PMON_NODISCARD enum pmon_status pmon_file_unpack(struct pmon_file **file, uint64_t limit,
						 pmon_file_look_fn look,
						 const struct pmon_allocator *allocator,
						 uint64_t *cut_at, struct pmon_err *err);

// Does a file that begins like this need pmon_file_unpack()?
bool pmon_unpack_is_packed(const uint8_t *head, size_t len);

#endif
