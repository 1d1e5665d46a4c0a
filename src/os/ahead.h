// ahead.h - a thread that reads a file before its bytes are asked for
// SPDX-License-Identifier: MIT
//
// Reading takes a third of the time of a large log that is in memory: the system copies its bytes. A thread does so
// while its owner works on what was read before.

#ifndef PMON_OS_AHEAD_H
#define PMON_OS_AHEAD_H

#include "os/file.h"

struct pmon_ahead;

// Read the file from `offset` to its end in blocks of so many bytes. It must be shareable
// (pmon_file_is_shareable()) and stay open until this is closed; the allocator is called by the caller's thread alone.
// NULL: there is no thread or no memory, and the caller reads as without.
struct pmon_ahead *pmon_ahead_open(struct pmon_file *file, uint64_t offset, size_t block_bytes,
				   const struct pmon_allocator *allocator);

// The len bytes at offset, at *got_out bytes, fewer only at the end of the file. They stay until the next call. NULL: they
// are not in one block, lie before what was given last, or after the next block, or could not be read. The caller
// reads them itself then, which reports what there is to report, and closes this.
const uint8_t *pmon_ahead_take(struct pmon_ahead *ahead, uint64_t offset, size_t len,
			       size_t *got_out);

// NULL is fine.
void pmon_ahead_close(struct pmon_ahead *ahead);

#endif
