// unpacker.h - what unpack.c and stream.c share: unpacking piece by piece (private)
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_UNPACKER_H
#define PMON_OS_UNPACKER_H

#include "os/file.h"

#define UNPACK_CHUNK 65536

// The state of an unpacking. Output is written to `plain`, which has `room` bytes left; put() consumes it
// and makes room again.
struct unpack {
	struct pmon_file *packed;
	uint64_t limit; // of the output
	enum pmon_status (*put)(struct unpack *u, size_t len, struct pmon_err *err);
	uint8_t *plain;
	size_t room;
	uint64_t read;    // packed bytes
	uint64_t written; // unpacked bytes
	uint64_t cut_at;  // offset in the packed input where unpacking failed; 0: it did not
	uint8_t in[UNPACK_CHUNK];
};

typedef enum pmon_status (*unpack_fn)(struct unpack *u, struct pmon_err *err);

// The limit of the unpacked size: `limit`, or if that is 0, PMON_UNPACK_FLOOR and `times` the packed size.
uint64_t pmon_unpack_limit(const struct pmon_file *packed, uint64_t limit, uint64_t times);

// Take the next len bytes of output, which are in `plain`.
PMON_NODISCARD enum pmon_status pmon_unpack_write(struct unpack *u, size_t len,
						  struct pmon_err *err);

// Unpack the only file of an archive, or xz and bzip2. unarchive.c, in builds with libarchive
PMON_NODISCARD enum pmon_status pmon_unpack_archive(struct unpack *u, struct pmon_err *err);

// Find the function that unpacks the file; *out is NULL if it is not compressed.
PMON_NODISCARD enum pmon_status pmon_unpack_find(struct pmon_file *file,
						 const struct pmon_allocator *allocator,
						 unpack_fn *out, struct pmon_err *err);

#endif
