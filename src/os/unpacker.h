// unpacker.h - what unpack.c and stream.c share: unpacking piece by piece (private)
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_UNPACKER_H
#define PMON_OS_UNPACKER_H

#include "os/file.h"

#define UNPACK_CHUNK 65536

// One unpacking under way. What comes out is written to `plain`, where there is `room` for some bytes,
// and taken by put(), which sees that there is room again.
struct unpack {
	struct pmon_file *packed;
	uint64_t limit; // of what comes out
	enum pmon_status (*put)(struct unpack *u, size_t len, struct pmon_err *err);
	uint8_t *plain;
	size_t room;
	uint64_t read;    // of the packed input
	uint64_t written; // of the unpacked one
	uint64_t cut_at;  // byte of the packed input after which nothing could be unpacked; 0: none
	uint8_t in[UNPACK_CHUNK];
};

typedef enum pmon_status (*unpack_fn)(struct unpack *u, struct pmon_err *err);

// The bound of what may come out of a file: `limit`, or for 0 PMON_UNPACK_FLOOR and so many times its size.
uint64_t pmon_unpack_limit(const struct pmon_file *packed, uint64_t limit, uint64_t times);

// How the file is unpacked; NULL in *out when it is not compressed.
PMON_NODISCARD enum pmon_status pmon_unpack_find(struct pmon_file *file, unpack_fn *out,
						 struct pmon_err *err);

#endif
