// ahead.h - read-ahead of a file in a thread
// SPDX-License-Identifier: MIT
//
// For a large log in the page cache, a third of the time is spent on copying its bytes from the kernel. A thread
// does this while its owner works on the previous block.

#ifndef PMON_OS_AHEAD_H
#define PMON_OS_AHEAD_H

#include "os/file.h"

struct pmon_ahead;

// Read the file from `offset` to its end in blocks of block_bytes. It must be shareable (pmon_file_is_shareable())
// and stay open until this is closed. The allocator is called only in the caller's thread. NULL if there is no thread
// or no memory: the caller then reads the file itself.
struct pmon_ahead *pmon_ahead_open(struct pmon_file *file, uint64_t offset, size_t block_bytes,
				   const struct pmon_allocator *allocator);

// Return the len bytes at offset; *got_out is less than len only at the end of the file. They are valid until the next
// call. NULL if they span blocks, precede the previous result, lie beyond the next block or could not be read. The
// caller then reads them itself, which reports any error, and closes this.
const uint8_t *pmon_ahead_take(struct pmon_ahead *ahead, uint64_t offset, size_t len,
			       size_t *got_out);

// NULL is allowed.
void pmon_ahead_close(struct pmon_ahead *ahead);

#endif
