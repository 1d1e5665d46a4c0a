// pack.h - compress bytes that are sent
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_PACK_H
#define PMON_OS_PACK_H

#include <stddef.h>

// The room that so many bytes may need when they are compressed; 0 when this build has no zstd.
size_t pmon_pack_bound(size_t len);

// Compress by zstd, level 1, into that room. Returns the size; 0 when memory is short.
size_t pmon_pack(const void *plain, size_t len, void *out, size_t room);

#endif
