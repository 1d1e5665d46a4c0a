// pack.h - compress bytes before sending, with zstd or gzip
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_PACK_H
#define PMON_OS_PACK_H

#include <stddef.h>

// The maximum compressed size of len bytes; 0 if this build has no zstd.
size_t pmon_pack_bound(size_t len);

// Compress with zstd level 1; room is pmon_pack_bound(). Returns the size, or 0 if out of memory.
size_t pmon_pack(const void *plain, size_t len, void *out, size_t room);

// The same for gzip: level 1; 0 if this build has no zlib.
size_t pmon_gzip_bound(size_t len);
size_t pmon_gzip(const void *plain, size_t len, void *out, size_t room);

#endif
